import type { Environment, Run, Scope } from '../evaluation/scope.ts';
import { resourcePath } from '../functions/resource-names.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { type Problems, quoted, TemplateError, TemplateStop } from '../problems.ts';
import type { TemplateValue } from '../values/value.ts';
import { attempt, evaluateTree, knownText, loopCount, loopName, withLoop } from './tree.ts';

/** The copy loop of an instance. */
export interface CopyIndex {
  readonly name: string;
  readonly index: number;
  /** Instances of a batch wait for all of the batch before; 0 for all of a parallel loop. */
  readonly batch: number;
}

/** One resource of the template, copies apart, before its body is evaluated. */
export interface Instance {
  readonly node: JsonNode;
  readonly scope: Scope;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly apiVersion: string | undefined;
  /** False when its condition is. */
  readonly isDeployed: boolean;
  readonly copy: CopyIndex | undefined;
}

/** What the resources of one template share while they are declared. */
export interface Declaring {
  readonly environment: Environment;
  readonly run: Run;
  readonly problems: Problems;
  /** ARM id of the resource group. */
  readonly groupId: string;
  readonly found: Instance[];
}

const early = 'value that must be known before the deployment';

/** Declares the resources of an array of the template, with those inside of them. Problems are reported. */
export function declareResources(section: JsonNode | undefined, declaring: Declaring): void {
  const { problems } = declaring;
  if (section?.kind !== 'array') {
    if (section)
      problems.add(
        'Unsupported',
        section,
        'resources must be an array; symbolic names (languageVersion 2.0) are not supported',
      );
    return;
  }
  const scope: Scope = { environment: declaring.environment, place: early, loops: new Map(), loop: undefined };
  for (const node of section.items) attempt(node, problems, () => declareLoop(node, scope, undefined, declaring));
}

function declareLoop(node: JsonNode, scope: Scope, parent: Instance | undefined, declaring: Declaring): void {
  declaring.run.budget.position = node;
  if (node.kind !== 'object') throw new TemplateError('Structure', 'A resource must be an object');
  const copy = memberOf(node, 'copy');
  if (!copy) {
    declareOne(node, scope, undefined, parent, declaring);
    return;
  }
  if (parent)
    throw new TemplateError(
      'Unsupported',
      'copy is not supported for a resource inside of another one: name it parent/child',
    );
  const { run } = declaring;
  const name = loopName(memberOf(copy, 'name'), scope, run);
  const count = loopCount(memberOf(copy, 'count'), scope, run);
  const modeNode = memberOf(copy, 'mode');
  const mode = modeNode
    ? knownText(evaluateTree(modeNode, scope, run, undefined), 'mode of a copy loop').toLowerCase()
    : 'parallel';
  if (mode !== 'serial' && mode !== 'parallel')
    throw new TemplateError('Structure', 'The mode of a copy loop must be serial or parallel');
  const sizeNode = memberOf(copy, 'batchSize');
  const size = mode === 'parallel' ? 0 : sizeNode ? loopCount(sizeNode, scope, run) : 1;
  if (mode === 'serial' && size < 1)
    throw new TemplateError('Structure', 'The batchSize of a copy loop must be 1 or more');
  for (let index = 0; index < count; index++) {
    const batch = size === 0 ? 0 : Math.floor(index / size);
    const inner = withLoop(scope, name, index, true);
    attempt(node, declaring.problems, () => declareOne(node, inner, { name, index, batch }, undefined, declaring));
  }
}

function declareOne(
  node: JsonNode,
  scope: Scope,
  copy: CopyIndex | undefined,
  parent: Instance | undefined,
  declaring: Declaring,
): void {
  const { run, problems, groupId, found } = declaring;
  const value = (name: string): TemplateValue | undefined => {
    const member = memberOf(node, name);
    return member && evaluateTree(member, scope, run, undefined);
  };
  const ownType = knownText(value('type'), 'type of a resource');
  const ownName = knownText(value('name'), 'name of a resource');
  if (/^microsoft\.resources\/deployments$/i.test(ownType)) {
    throw new TemplateError(
      'Unsupported',
      'Deployments inside of a template (Microsoft.Resources/deployments) are not supported: put their resources into the template',
    );
  }
  const condition = value('condition') ?? true;
  if (typeof condition !== 'boolean')
    throw new TemplateError('Structure', 'The condition of a resource must be a bool that is known');
  const version = value('apiVersion');
  const base = scopeId(value('scope'), groupId);
  const type = parent ? `${parent.type}/${ownType}` : ownType;
  const name = parent ? `${parent.name}/${ownName}` : ownName;
  const instance: Instance = {
    node,
    scope: { ...scope, place: 'body of a resource' },
    id: `${base}${resourcePath(type, [name])}`,
    type,
    name,
    apiVersion: version === undefined ? undefined : knownText(version, 'apiVersion of a resource'),
    isDeployed: condition,
    copy,
  };
  if (found.push(instance) > templateLimits.resources) {
    throw new TemplateStop(
      `The template has more than ${templateLimits.resources} resources, copies included: split it`,
      node,
    );
  }
  const children = memberOf(node, 'resources');
  if (!children) return;
  if (children.kind !== 'array') throw new TemplateError('Structure', `resources of ${quoted(name)} must be an array`);
  for (const child of children.items) attempt(child, problems, () => declareLoop(child, scope, instance, declaring));
}

function scopeId(value: TemplateValue | undefined, groupId: string): string {
  if (value === undefined) return groupId;
  const text = knownText(value, 'scope of a resource');
  if (text === '/') return '';
  return text.startsWith('/') ? text : `${groupId}/providers/${text}`;
}
