import { contextValues, type ParameterInput, type TemplateContext } from './document/context.ts';
import { findCycle } from './document/cycles.ts';
import { type CopyIndex, declareResources, type Instance } from './document/instances.ts';
import { type ExpandedOutput, evaluateOutputs } from './document/outputs.ts';
import { declareParameters } from './document/parameters.ts';
import { Registry } from './document/registry.ts';
import { attempt, evaluateTree, managedSecret } from './document/tree.ts';
import { declareFunctions } from './document/user-functions.ts';
import { declareVariables } from './document/variables.ts';
import type { Environment, KnownAnswer, Run } from './evaluation/scope.ts';
import { type JsonNode, memberOf } from './json/json-node.ts';
import { parseJson } from './json/parse-json.ts';
import { templateLimits } from './limits.ts';
import {
  nowhere,
  type Position,
  Problems,
  quoted,
  TemplateError,
  type TemplateProblem,
  TemplateStop,
} from './problems.ts';
import { Budget } from './values/budget.ts';
import {
  fromJson,
  KeyVaultReference,
  type TemplateObject,
  type TemplateValue,
  templateObject,
} from './values/value.ts';
import { infoOf, resumeUnknowns, waitsFor } from './values/value-info.ts';

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
  readonly copy: CopyIndex | undefined;
  readonly position: Position;
}

/** A template with its expressions evaluated. Use resources and outputs only when there are no problems. */
export interface ExpandedTemplate {
  readonly resources: readonly ExpandedResource[];
  readonly outputs: Readonly<Record<string, ExpandedOutput>>;
  readonly problems: readonly TemplateProblem[];
}

const sections = [
  '$schema',
  'contentVersion',
  'parameters',
  'variables',
  'functions',
  'resources',
  'outputs',
  'metadata',
];
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
  const run: Run = { budget: new Budget(), known: new Map(), edges: new Set() };
  try {
    const node = parseJson(text, problems);
    if (node && checkSections(node, problems))
      return { ...expandNode(node, context, run, problems), problems: problems.list };
  } catch (error) {
    if (!(error instanceof TemplateStop)) problems.addError(error, run.budget.position ?? nowhere);
    else {
      const position = error.position ?? run.budget.position ?? nowhere;
      problems.list.push({ name: 'Budget', code: 'InvalidTemplate', ...placeOf(position), message: error.message });
    }
  }
  return { resources: [], outputs: {}, problems: problems.list };
}

const placeOf = ({ path, line, column }: Position): Position => ({ path, line, column });

/**
 * The body of a resource with the answers that are there. Parts whose answers are missing stay unknown, and `waitsFor` has
 * the ids of their resources. Throws TemplateError when an answer has not what the template takes from it.
 */
export function resolveUnknowns(
  resource: Pick<ExpandedResource, 'body'>,
  known: Readonly<Record<string, KnownAnswer>>,
): { readonly body: TemplateObject; readonly waitsFor: readonly string[] } {
  const answers = new Map(Object.entries(known).map(([id, answer]) => [id.toLowerCase(), answer]));
  const body = resumeUnknowns(resource.body, { budget: new Budget(), known: answers, edges: new Set() } satisfies Run);
  return { body: body as TemplateObject, waitsFor: waitsFor(body) };
}

/** Whether the template is one that can be expanded; what it has besides is refused by name. */
function checkSections(node: JsonNode, problems: Problems): boolean {
  if (node.kind !== 'object') {
    problems.add('Structure', node, 'A template must be an object');
    return false;
  }
  for (const [name, member] of node.members) {
    if (!sections.some((section) => section.toLowerCase() === name.toLowerCase())) {
      problems.add('Unsupported', member, `${quoted(name)} of a template is not supported: remove it`);
    }
  }
  const schema = memberOf(node, '$schema');
  if (schema?.kind !== 'string' || !/\/deploymentTemplate\.json#?$/i.test(schema.value)) {
    problems.add('Unsupported', schema ?? node, '$schema must be that of a resource group: …/deploymentTemplate.json#');
  }
  if (!memberOf(node, 'contentVersion')) problems.add('Structure', node, 'contentVersion is missing: add 1.0.0.0');
  if (!memberOf(node, 'resources')) problems.add('Structure', node, 'resources is missing: add an array');
  return checkTexts(node, problems);
}

function checkTexts(node: JsonNode, problems: Problems): boolean {
  const { literalCharacters: most } = templateLimits;
  if (node.kind === 'string' && node.value.length > most) {
    problems.add('Limit', node, `The text has ${node.value.length} characters, at most ${most} are allowed`);
  }
  if (node.kind === 'array') for (const item of node.items) checkTexts(item, problems);
  if (node.kind === 'object') for (const member of node.members.values()) checkTexts(member, problems);
  return true;
}

function inputs(given: Readonly<Record<string, ParameterInput>>, problems: Problems): Map<string, TemplateValue> {
  const values = new Map<string, TemplateValue>();
  for (const [name, input] of Object.entries(given)) {
    const position = { ...nowhere, path: `parameters.${name.slice(0, 100)}` };
    const value = attempt(position, problems, () => inputValue(input));
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

function inputValue(input: ParameterInput): TemplateValue {
  if ('managedSecret' in input) return managedSecret(input.managedSecret);
  if ('reference' in input) {
    const { keyVault, secretName, secretVersion } = input.reference;
    return new KeyVaultReference(keyVault.id, secretName, secretVersion);
  }
  try {
    return fromJson(input.value);
  } catch (error) {
    if (error instanceof RangeError)
      throw new TemplateError('Parameter', `The value of a parameter is refused: ${error.message}`);
    throw error;
  }
}

function expandNode(
  node: JsonNode,
  context: TemplateContext,
  run: Run,
  problems: Problems,
): Omit<ExpandedTemplate, 'problems'> {
  const values = contextValues(context);
  const groupId = values.resourceGroup['id'] as string;
  const functions = declareFunctions(memberOf(node, 'functions'), problems);
  let registry: Registry | undefined;
  const environment: Environment = {
    parameter: (name) => parameters.get(name),
    variable: (name) => variables.get(name),
    userFunction: (namespace, name) => functions.get(`${namespace}.${name}`.toLowerCase()),
    reference: (name, hasVersion) => {
      if (!registry) throw new TemplateError('Evaluation', 'Resources are not known here yet');
      return registry.reference(name, hasVersion);
    },
    context: values,
  };
  const given = inputs(context.parameters ?? {}, problems);
  const parameters = declareParameters(memberOf(node, 'parameters'), given, () => environment, run, problems);
  const variables = declareVariables(memberOf(node, 'variables'), () => environment, run, problems);
  parameters.checkAll();
  variables.checkAll();
  const found: Instance[] = [];
  declareResources(memberOf(node, 'resources'), { environment, run, problems, groupId, found });
  registry = new Registry(found, groupId, problems);
  const resources = expandInstances(found, registry, run, problems);
  const outputs = evaluateOutputs(memberOf(node, 'outputs'), environment, run, problems);
  return { resources, outputs };
}

function expandInstances(
  found: readonly Instance[],
  registry: Registry,
  run: Run,
  problems: Problems,
): ExpandedResource[] {
  const resources: ExpandedResource[] = [];
  const deployed = found.filter(({ isDeployed }) => isDeployed);
  const batches = Map.groupBy(deployed, ({ copy }) => `${copy?.name.toLowerCase()}\n${copy?.batch}`);
  let total = 0;
  for (const instance of deployed) {
    const own: Run = { ...run, edges: new Set() };
    const body = bodyOf(instance, own, problems);
    const before = new Set<string>();
    for (const id of own.edges) {
      const target = registry.byId(id);
      if (target) before.add(target.id);
    }
    for (const other of explicit(instance, registry, run, problems)) if (other.isDeployed) before.add(other.id);
    const { copy } = instance;
    if (copy && copy.batch > 0) {
      for (const { id } of batches.get(`${copy.name.toLowerCase()}\n${copy.batch - 1}`) ?? []) before.add(id);
    }
    run.budget.step(Math.ceil(before.size / 8));
    const { size } = infoOf(body);
    total += size;
    if (size > templateLimits.resourceCharacters || total > templateLimits.templateCharacters) {
      throw new TemplateStop(
        'The resource, or the template as expanded, is longer than Azure takes: split it',
        instance.node,
      );
    }
    const { id, type, apiVersion, name, node } = instance;
    const location = typeof body['location'] === 'string' ? body['location'] : undefined;
    const position = placeOf(node);
    resources.push({
      id,
      type,
      apiVersion,
      name,
      location,
      body,
      dependsOn: [...before].sort(),
      waitsFor: waitsFor(body),
      copy,
      position,
    });
  }
  reportCycle(resources, problems);
  return resources;
}

function bodyOf({ node, scope }: Instance, run: Run, problems: Problems): TemplateObject {
  const members: [string, TemplateValue][] = [];
  for (const [name, member] of node.kind === 'object' ? node.members : []) {
    const lower = name.toLowerCase();
    if (notInBody.has(lower)) continue;
    const early = { ...scope, place: 'value that must be known before the deployment' } as const;
    members.push([name, evaluateTree(member, lower === 'location' ? early : scope, run, problems)]);
  }
  return templateObject(members);
}

function explicit({ node, scope }: Instance, registry: Registry, run: Run, problems: Problems): readonly Instance[] {
  const section = memberOf(node, 'dependsOn');
  if (!section) return [];
  const early = { ...scope, place: 'value that must be known before the deployment' } as const;
  const value = evaluateTree(section, early, run, problems);
  if (!Array.isArray(value)) {
    problems.add('Structure', section, 'dependsOn must be an array of names and ids');
    return [];
  }
  return (value as readonly TemplateValue[]).flatMap((text) => {
    run.budget.step();
    if (typeof text === 'string') return attempt(section, problems, () => registry.dependencies(text)) ?? [];
    if (text !== null) problems.add('Structure', section, 'dependsOn must have names and ids alone');
    return [];
  });
}

function reportCycle(resources: readonly ExpandedResource[], problems: Problems): void {
  const cycle = findCycle(new Map(resources.map(({ id, dependsOn }) => [id, dependsOn])));
  if (!cycle) return;
  const [id = ''] = cycle;
  const position = resources.find((resource) => resource.id === id)?.position ?? nowhere;
  const azure = `Deployment template validation failed: 'Circular dependency detected on resource: '${id}'. Please see https://aka.ms/arm-template/#resources for usage details.'.`;
  const chain = cycle.slice(0, 10).map((each) => each.split('/').slice(-2).join('/'));
  problems.add('Cycle', position, `${azure} ${chain.join(' -> ')}: remove one of these dependencies`);
}
