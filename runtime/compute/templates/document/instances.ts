import type { Run, Scope } from '../evaluation/scope.ts';
import { resourceIdBelow } from '../functions/resource-names.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { quoted, TemplateError, TemplateStop } from '../problems.ts';
import type { TemplateValue } from '../values/value.ts';
import { revealSecrets } from '../values/value-info.ts';
import { type DeploymentScope, groupScope, scopeOf, subscriptionScope } from './deployments/deployment-scope.ts';
import type { CopyIndex, Instance, Nested, PartScope, Shared } from './instance.ts';
import { attempt, evaluateTree, knownText, loopCount, loopName, withLoop } from './tree.ts';

/** State that the resources of one template share while they are declared. */
export interface Declaring extends Shared {
  /** Place and loops of the template's expressions: those of the outer template where they are evaluated in its scope. */
  readonly scope: PartScope;
  /** Whether resources are an object (languageVersion 2.0). */
  readonly isSymbolic: boolean;
  /** Where the resources go. */
  readonly target: DeploymentScope;
  /** Names of copy loops in lower case, those without an element included. */
  readonly loops: Set<string>;
  readonly found: Instance[];
  /** Makes the deployment that a resource of the template is. */
  readonly nest: (instance: Omit<Instance, 'nested'>, target: DeploymentScope) => Nested;
}

const early = 'value that must be known before the deployment';

/** Where a resource is written: inside of another one, or under a symbolic name. */
interface Origin {
  readonly parent?: Instance;
  readonly symbol?: string;
}

/** Declares the resources of a template, with those inside of them. Problems are reported. */
export function declareResources(section: JsonNode | undefined, declaring: Declaring): void {
  const { problems, isSymbolic } = declaring;
  const scope: Scope = { ...declaring.scope, place: early };
  const declare = (node: JsonNode, origin: Origin) =>
    attempt(node, problems, () => declareLoop(node, scope, origin, declaring));
  if (section?.kind === 'array' && !isSymbolic) for (const node of section.items) declare(node, {});
  else if (section?.kind === 'object' && isSymbolic) {
    for (const [symbol, node] of section.members) declare(node, { symbol });
  } else if (section && !(section.kind === 'object' && section.members.size === 0)) {
    const wanted = isSymbolic ? 'an object of symbolic names, as languageVersion is 2.0' : 'an array';
    problems.add('Structure', section, `resources must be ${wanted}`);
  }
}

function declareLoop(node: JsonNode, scope: Scope, origin: Origin, declaring: Declaring): void {
  declaring.run.budget.position = node;
  if (node.kind !== 'object') throw new TemplateError('Structure', 'A resource must be an object');
  const copy = memberOf(node, 'copy');
  if (!copy) {
    declareOne(node, scope, undefined, origin, declaring);
    return;
  }
  const { run } = declaring;
  const name = loopName(memberOf(copy, 'name'), scope, run);
  const count = loopCount(memberOf(copy, 'count'), scope, run);
  declaring.loops.add((origin.symbol ?? name).toLowerCase());
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
    attempt(node, declaring.problems, () => declareOne(node, inner, { name, index, batch }, origin, declaring));
  }
}

const deploymentType = /^microsoft\.resources\/deployments$/i;

function declareOne(
  node: JsonNode,
  scope: Scope,
  copy: CopyIndex | undefined,
  { parent, symbol }: Origin,
  declaring: Declaring,
): void {
  const { run, target, keepsDeployments } = declaring;
  const value = (name: string): TemplateValue | undefined => {
    const member = memberOf(node, name);
    return member && evaluateTree(member, scope, run, undefined);
  };
  const condition = revealSecrets(value('condition') ?? true);
  if (typeof condition !== 'boolean')
    throw new TemplateError('Structure', 'The condition of a resource must be a bool that is known');
  if (!condition && hasNoName(node, scope, run)) {
    if (symbol !== undefined) declaring.loops.add(symbol.toLowerCase());
    return;
  }
  const ownType = knownText(value('type'), 'type of a resource');
  const ownName = knownText(value('name'), 'name of a resource');
  const isDeployment = deploymentType.test(ownType);
  const isExisting = declaring.isSymbolic ? (value('existing') ?? false) : false;
  if (typeof isExisting !== 'boolean') throw new TemplateError('Structure', 'existing of a resource must be a bool');
  const version = value('apiVersion');
  if (!isDeployment && !isExisting) refuseElsewhere(node);
  const goesTo = isDeployment || isExisting ? targetOf(value, target, isDeployment) : target;
  const base = isDeployment
    ? goesTo.id
    : scopeId(isExisting && goesTo !== target ? undefined : value('scope'), goesTo.id);
  const isChild = parent !== undefined && !isDeployment;
  const type = isChild ? `${parent.type}/${ownType}` : ownType;
  const name = isChild ? `${parent.name}/${ownName}` : ownName;
  const declared: Omit<Instance, 'nested'> = {
    node,
    scope: { ...scope, place: 'body of a resource' },
    id: resourceIdBelow(base, type, [name]),
    type,
    name,
    apiVersion: version === undefined ? undefined : knownText(version, 'apiVersion of a resource'),
    isDeployed: condition && !isExisting,
    isExisting,
    copy,
    symbol,
    parent: parent?.isDeployed === true ? parent : undefined,
  };
  const isExpanded = isDeployment && declared.isDeployed && !keepsDeployments;
  const nested = isExpanded ? declaring.nest(declared, goesTo) : undefined;
  const instance: Instance = { ...declared, nested };
  declaring.found.push(instance);
  count(instance, declaring);
  const children = isDeployment ? undefined : memberOf(node, 'resources');
  if (children) declareChildren(children, scope, instance, declaring);
}

/** Whether a resource that its condition leaves out has no name either, as the values of it are missing then. */
function hasNoName(node: JsonNode, scope: Scope, run: Run): boolean {
  try {
    for (const name of ['name', 'scope', 'resourceGroup', 'subscriptionId']) {
      const member = memberOf(node, name);
      if (member && evaluateTree(member, scope, run, undefined) === '') return true;
      if (member) knownText(evaluateTree(member, scope, run, undefined), name);
    }
    return false;
  } catch (error) {
    if (error instanceof TemplateError) return true;
    throw error;
  }
}

/** Azure reads these members of deployments alone; in a body they would be lost without a word. */
function refuseElsewhere(node: JsonNode): void {
  for (const name of ['resourceGroup', 'subscriptionId'])
    if (memberOf(node, name)) {
      const message = `A resource goes into the scope of its deployment, not by ${name}: put it into a deployment with ${name}`;
      throw new TemplateError('Unsupported', message);
    }
}

function count({ node }: Instance, { count: declared }: Declaring): void {
  if (++declared.resources <= templateLimits.resources) return;
  const message = `The template has more than ${templateLimits.resources} resources, copies and deployments inside of it included: split it`;
  throw new TemplateStop(message, node, 'Limit');
}

function declareChildren(children: JsonNode, scope: Scope, parent: Instance, declaring: Declaring): void {
  const { problems } = declaring;
  const declare = (node: JsonNode, origin: Origin) =>
    attempt(node, problems, () => declareLoop(node, scope, origin, declaring));
  if (children.kind === 'array') for (const child of children.items) declare(child, { parent });
  else if (children.kind === 'object' && declaring.isSymbolic) {
    for (const [symbol, child] of children.members) declare(child, { parent, symbol });
  } else throw new TemplateError('Structure', `resources of ${quoted(parent.name)} must be an array`);
}

/** Where a deployment goes, or where an existing resource is, by its members. */
function targetOf(
  value: (name: string) => TemplateValue | undefined,
  around: DeploymentScope,
  isDeployment: boolean,
): DeploymentScope {
  const [scope, group, subscription] = [value('scope'), value('resourceGroup'), value('subscriptionId')];
  if (group !== undefined) {
    const subscriptionId =
      subscription === undefined ? around.subscriptionId : knownText(subscription, 'subscriptionId');
    if (subscriptionId !== undefined) return groupScope(subscriptionId, knownText(group, 'resourceGroup'));
    throw new TemplateError(
      'Structure',
      'resourceGroup needs subscriptionId here, as the template is for no subscription',
    );
  }
  if (subscription !== undefined) return subscriptionScope(knownText(subscription, 'subscriptionId'));
  return scope === undefined || !isDeployment ? around : scopeOf(knownText(scope, 'scope of a deployment'));
}

function scopeId(value: TemplateValue | undefined, groupId: string): string {
  if (value === undefined) return groupId;
  const text = knownText(value, 'scope of a resource');
  if (text === '/') return '';
  return text.startsWith('/') ? text : `${groupId}/providers/${text}`;
}
