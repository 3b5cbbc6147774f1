import { findCycle } from '../../base/cycle.ts';
import { contextValues, type TemplateContext } from './document/context.ts';
import { Dependencies } from './document/dependencies.ts';
import {
  type DeploymentScope,
  groupScope,
  managementGroupScope,
  scopeOfSchema,
  subscriptionScope,
  tenantScope,
} from './document/deployments/deployment-scope.ts';
import type { CopyIndex, Instance, Shared } from './document/instance.ts';
import { type ExpandedOutput, evaluateOutputs } from './document/outputs.ts';
import { givenValues } from './document/parameters/given-values.ts';
import { checkSections, checkTexts } from './document/sections.ts';
import { declarePart } from './document/template-part.ts';
import { attempt, evaluateTree } from './document/tree.ts';
import { type KnownAnswer, type Run, undecidedEdge } from './evaluation/scope.ts';
import { nodeValue } from './functions/node-value.ts';
import { type JsonNode, memberOf } from './json/json-node.ts';
import { parseJson } from './json/parse-json.ts';
import { templateLimits } from './limits.ts';
import {
  nowhere,
  type Position,
  Problems,
  TemplateError,
  type TemplateProblem,
  TemplateStop,
  type UndecidedPart,
} from './problems.ts';
import { Budget } from './values/budget.ts';
import { type TemplateObject, type TemplateValue, templateObject } from './values/value.ts';
import { infoOf, resumeUnknowns, waitsFor, withoutWideIntegers } from './values/value-info.ts';

/** A resource of an expanded template. */
export interface ExpandedResource {
  readonly id: string;
  readonly type: string;
  /** Undefined when the template leaves it out; Azure refuses such a resource. */
  readonly apiVersion: string | undefined;
  /** With the names of its parents: `vm/extension`. */
  readonly name: string;
  readonly location: string | undefined;
  /** Body of the PUT. Unknown parts, secrets and references to secrets have classes; see values/value.ts. */
  readonly body: TemplateObject;
  /** Ids of resources of the template that come before, sorted. */
  readonly dependsOn: readonly string[];
  /** Ids of the resources whose answers the body needs, sorted. */
  readonly waitsFor: readonly string[];
  /** Whether resources come before it that are not there yet, as answers of Azure decide about them. */
  readonly isHeld?: true;
  readonly copy: CopyIndex | undefined;
  readonly position: Position;
}

/** A template with its expressions evaluated. Use resources and outputs only when there are no problems. */
export interface ExpandedTemplate {
  readonly resources: readonly ExpandedResource[];
  readonly outputs: Readonly<Record<string, ExpandedOutput>>;
  readonly problems: readonly TemplateProblem[];
  /** Parts that are left out, as answers of Azure decide about them: names and counts of resources. */
  readonly undecided: readonly UndecidedPart[];
  /** API versions under which expressions refer to resources, by ARM id in lower case. */
  readonly versions: ReadonlyMap<string, string>;
}

const notInBody = new Set([
  'type',
  'name',
  'apiversion',
  'condition',
  'copy',
  'dependson',
  'resources',
  'scope',
  'comments',
  'metadata',
]);

/** Expands the text of a template. Reports all problems instead of throwing; work and memory are bounded for any text. */
export function expandTemplate(text: string, context: TemplateContext): ExpandedTemplate {
  const problems = new Problems();
  const { known = {}, reads } = context;
  const versions = new Map<string, string>();
  const run: Run = {
    budget: new Budget(),
    known: byLowerId(known),
    edges: new Set(),
    versions,
    ...(reads && { reads }),
  };
  try {
    const node = parseJson(text, problems);
    if (node && checkSections(node, problems)) {
      checkTexts(node, problems);
      const expanded = expandNode(node, context, run, problems);
      return { ...expanded, problems: problems.list, undecided: problems.undecided, versions };
    }
  } catch (error) {
    if (!(error instanceof TemplateStop)) problems.addError(error, run.budget.position ?? nowhere);
    else {
      const position = error.position ?? run.budget.position ?? nowhere;
      problems.list.push({
        name: error.problem,
        code: 'InvalidTemplate',
        ...placeOf(position),
        message: error.message,
      });
    }
  }
  return { resources: [], outputs: {}, problems: problems.list, undecided: [], versions };
}

const placeOf = ({ path, line, column }: Position): Position => ({ path, line, column });

/**
 * The body of a resource with the answers that are there. Parts whose answers are missing stay unknown, and `waitsFor` has
 * the ids of their resources. Throws TemplateError when an answer lacks a value that the template takes from it, and
 * TemplateStop when that takes more work than a template may.
 */
export function resolveUnknowns(
  resource: Pick<ExpandedResource, 'body'>,
  known: Readonly<Record<string, KnownAnswer>>,
): { readonly body: TemplateObject; readonly waitsFor: readonly string[] } {
  const run: Run = { budget: new Budget(), known: byLowerId(known), edges: new Set() };
  const body = resumeUnknowns(resource.body, run);
  return { body: withoutWideIntegers(body) as TemplateObject, waitsFor: waitsFor(body) };
}

const byLowerId = (known: Readonly<Record<string, KnownAnswer>>): ReadonlyMap<string, KnownAnswer> =>
  new Map(Object.entries(known).map(([id, answer]) => [id.toLowerCase(), answer]));

function expandNode(
  node: JsonNode,
  context: TemplateContext,
  run: Run,
  problems: Problems,
): Pick<ExpandedTemplate, 'resources' | 'outputs'> {
  const values = contextValues(context, rootScope(node, context));
  const linkedTemplate = context.linkedTemplate ?? (() => undefined);
  const { keepsDeployments = false } = context;
  const shared: Shared = { run, problems, linkedTemplate, keepsDeployments, count: { resources: 0 }, all: new Map() };
  const given = givenValues(context.parameters ?? {}, problems);
  const root = declarePart(node, { kind: 'own', escapes: 0, values, given }, shared);
  const resources = expandInstances(new Dependencies(root, shared), run, problems);
  return { resources, outputs: evaluateOutputs(node, root.scope, run, problems) };
}

/** The scope of the whole deployment, by the schema of the template. */
function rootScope(node: JsonNode, { subscription, resourceGroup, managementGroup }: TemplateContext): DeploymentScope {
  const schema = memberOf(node, '$schema');
  const kind = schema?.kind === 'string' ? scopeOfSchema(schema.value) : undefined;
  if (kind === 'tenant') return tenantScope;
  if (kind === 'subscription') return subscriptionScope(subscription.subscriptionId);
  if (kind !== 'management group') return groupScope(subscription.subscriptionId, resourceGroup.name);
  if (managementGroup) return managementGroupScope(managementGroup.name);
  throw new TemplateError(
    'Structure',
    'The template is for a management group: name it by --management-group, or by arm.managementGroup of a ComputeDeployment',
  );
}

function expandInstances(dependencies: Dependencies, run: Run, problems: Problems): ExpandedResource[] {
  const resources = new Map<string, ExpandedResource>();
  let total = 0;
  for (const instance of dependencies.leaves) {
    const own: Run = { ...run, edges: new Set() };
    const failures = problems.failures;
    const body = bodyOf(instance, own, problems);
    const before = attempt(instance.node, problems, () => dependencies.before(instance, own.edges)) ?? new Set();
    // A value without a problem of its own fails where it needs a deployment that is not decided.
    const isHeld = before.has(undecidedEdge) || problems.failures > failures;
    const dependsOn = [...before].filter((each) => each !== undecidedEdge).sort();
    run.budget.step(Math.ceil(dependsOn.length / 8));
    const { size } = infoOf(body);
    total += size;
    if (size > templateLimits.resourceCharacters || total > templateLimits.templateCharacters) {
      const message = 'The resource, or the template as expanded, is longer than Azure takes: split it';
      throw new TemplateStop(message, instance.node, 'Limit');
    }
    const { id, type, apiVersion, name, node, copy } = instance;
    const location = typeof body['location'] === 'string' ? body['location'] : undefined;
    const position = placeOf(node);
    const waits = waitsFor(body);
    addResource(resources, {
      ...{ id, type, apiVersion, name, location, body, dependsOn, waitsFor: waits, copy, position },
      ...(isHeld && { isHeld }),
    });
  }
  const all = [...resources.values()];
  reportCycle(all, problems);
  return all;
}

/**
 * Adds a resource. Azure deploys one that two deployments declare twice, in turn; an object is in the cluster once, so that
 * the last declaration counts, after all that both wait for.
 */
function addResource(resources: Map<string, ExpandedResource>, resource: ExpandedResource): void {
  const key = resource.id.toLowerCase();
  const before = resources.get(key);
  resources.delete(key);
  const waits = new Set([...(before?.dependsOn ?? []), ...resource.dependsOn]);
  if (before) for (const id of waits) if (id.toLowerCase() === key) waits.delete(id);
  resources.set(key, before ? { ...resource, dependsOn: [...waits].sort() } : resource);
}

/** The template of a deployment that stays a resource, whose expressions wait for the deployment itself. */
function innerTemplateOf({ node, type, symbol }: Instance): JsonNode | undefined {
  if (type.toLowerCase() !== 'microsoft.resources/deployments') return undefined;
  const properties = memberOf(node, 'properties');
  const scope = memberOf(memberOf(properties, 'expressionEvaluationOptions'), 'scope');
  const isInner = symbol !== undefined || (scope?.kind === 'string' && scope.value.toLowerCase() === 'inner');
  return isInner ? memberOf(properties, 'template') : undefined;
}

function bodyOf(instance: Instance, run: Run, problems: Problems): TemplateObject {
  const { node, scope, symbol } = instance;
  const template = innerTemplateOf(instance);
  const members: [string, TemplateValue][] = [];
  for (const [name, member] of node.kind === 'object' ? node.members : []) {
    const lower = name.toLowerCase();
    if (notInBody.has(lower) || (lower === 'existing' && symbol !== undefined)) continue;
    const early = { ...scope, place: 'value that must be known before the deployment' } as const;
    const value = (part: JsonNode) => evaluateTree(part, lower === 'location' ? early : scope, run, problems);
    if (template === undefined || lower !== 'properties' || member.kind !== 'object')
      members.push([name, value(member)]);
    else {
      const parts = [...member.members].map(([each, part]): [string, TemplateValue] => {
        return [each, part === template ? nodeValue(part) : value(part)];
      });
      members.push([name, templateObject(parts)]);
    }
  }
  return templateObject(members);
}

function reportCycle(resources: readonly ExpandedResource[], problems: Problems): void {
  const edges = new Map(resources.map(({ id, dependsOn }) => [id, dependsOn]));
  const cycle = findCycle(edges.keys(), (key) => edges.get(key) ?? []);
  if (!cycle) return;
  const [id = ''] = cycle;
  const position = resources.find((resource) => resource.id === id)?.position ?? nowhere;
  const azure = `Deployment template validation failed: 'Circular dependency detected on resource: '${id}'. Please see https://aka.ms/arm-template/#resources for usage details.'.`;
  const chain = cycle.slice(0, 10).map((each) => each.split('/').slice(-2).join('/'));
  problems.add('Cycle', position, `${azure} ${chain.join(' -> ')}: remove one of these dependencies`);
}
