import type { Scope } from '../evaluation/scope.ts';
import { resourceIdBelow } from '../functions/resource-names.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { AlreadyReported, DecidedLater, Problems, quoted, TemplateError, TemplateStop } from '../problems.ts';
import type { TemplateValue } from '../values/value.ts';
import { revealSecrets } from '../values/value-info.ts';
import { type DeploymentScope, groupScope, scopeOf, subscriptionScope } from './deployments/deployment-scope.ts';
import type { CopyIndex, Instance, Nested, PartScope, Shared } from './instance.ts';
import { childOf, refuseMembers } from './resource-members.ts';
import { attempt, evaluateTree, isDecidedLater, knownText, loopCount, loopName, withLoop } from './tree.ts';

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
  /** Why resources are not there, by their names and ids in lower case. */
  readonly absent: Map<string, Error>;
  /** Resources that are not there until answers of Azure decide about them. */
  readonly undecided: DecidedLater[];
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
    tryDeclare(node, scope, origin, declaring, () => declareLoop(node, scope, origin, declaring));
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
  // The section of the extension is refused, once for all of its resources.
  if (declaring.isSymbolic && (memberOf(node, 'import') ?? memberOf(node, 'extension'))) throw new AlreadyReported();
  const copy = memberOf(node, 'copy');
  if (!copy) {
    declareOne(node, scope, undefined, origin, declaring);
    return;
  }
  const { run } = declaring;
  const name = loopName(memberOf(copy, 'name'), scope, run);
  const count = decidedCount(copy, scope, name, declaring);
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
    const own: Origin = origin.symbol === undefined ? origin : { ...origin, symbol: `${origin.symbol}[${index}]` };
    tryDeclare(node, inner, own, declaring, () => declareOne(node, inner, { name, index, batch }, origin, declaring));
  }
}

/** The count of a loop. Where answers of Azure decide it, the name stays known for references to it. */
function decidedCount(copy: JsonNode, scope: Scope, name: string, { run, absent }: Declaring): number {
  try {
    return loopCount(memberOf(copy, 'count'), scope, run);
  } catch (error) {
    if (error instanceof DecidedLater) absent.set(name.toLowerCase(), error);
    throw error;
  }
}

/** Declares a resource. Where that fails, its names are kept, so that no resource that needs it is reported too. */
function tryDeclare(node: JsonNode, scope: Scope, origin: Origin, declaring: Declaring, declare: () => void): void {
  try {
    declare();
  } catch (error) {
    declaring.problems.addError(error, node, error instanceof DecidedLater ? openId(node, scope, declaring) : '');
    const reason = error instanceof DecidedLater ? error : new AlreadyReported();
    if (error instanceof DecidedLater) declaring.undecided.push(error);
    for (const name of namesOf(node, scope, origin, declaring)) declaring.absent.set(name.toLowerCase(), reason);
    // Of an element, whose loop is not whole without it.
    const loop = origin.symbol?.replace(/\[[0-9]{1,3}\]$/, '').toLowerCase() ?? scope.loop ?? '';
    if (error instanceof DecidedLater && declaring.loops.has(loop)) declaring.absent.set(loop, error);
  }
}

/** The id of a resource, with the text of its name where that is not known. */
function openId(node: JsonNode, scope: Scope, { run, target }: Declaring): string {
  const text = (name: string) => {
    const member = memberOf(node, name);
    const written = member?.kind === 'string' ? member.value : '';
    const value = attempt(node, new Problems(), () => member && evaluateTree(member, scope, run, undefined));
    return typeof value === 'string' ? value : written;
  };
  return `${target.id}/providers/${text('type')}/${text('name')}`;
}

/** The names of a resource that is not declared, as far as they can be evaluated. */
function namesOf(node: JsonNode, scope: Scope, { parent, symbol }: Origin, { run, target }: Declaring): string[] {
  if (symbol !== undefined) return [symbol];
  try {
    const text = (name: string) => knownText(evaluateTree(memberOf(node, name) ?? node, scope, run, undefined), name);
    const [type, name] = [text('type'), text('name')];
    const whole = parent ? childOf(parent, type, name) : { type, name };
    return [whole.name, `${whole.type}/${whole.name}`, resourceIdBelow(target.id, whole.type, [whole.name])];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
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
  const { run, keepsDeployments } = declaring;
  const value = (name: string): TemplateValue | undefined => {
    const member = memberOf(node, name);
    return member && evaluateTree(member, scope, run, undefined);
  };
  const condition = revealSecrets(value('condition') ?? true);
  if (isDecidedLater(condition)) throw new DecidedLater('condition of a resource', condition);
  if (typeof condition !== 'boolean')
    throw new TemplateError('Structure', 'The condition of a resource must be a bool that is known');
  const isExisting = declaring.isSymbolic ? (value('existing') ?? false) : false;
  if (typeof isExisting !== 'boolean') throw new TemplateError('Structure', 'existing of a resource must be a bool');
  let named: Named;
  try {
    named = namedOf(node, value, { parent, isExisting }, declaring);
  } catch (error) {
    // Names matter when a resource is deployed or referred to.
    if (!(error instanceof TemplateError) || (condition && !isExisting)) throw error;
    if (symbol !== undefined && condition) declaring.absent.set(symbol.toLowerCase(), error);
    else if (symbol !== undefined) declaring.loops.add(symbol.toLowerCase());
    return;
  }
  const { goesTo, isDeployment, ...names } = named;
  const version = value('apiVersion');
  const declared: Omit<Instance, 'nested'> = {
    node,
    scope: { ...scope, place: 'body of a resource' },
    ...names,
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

/** The id of a resource, and where it goes. */
interface Named extends Pick<Instance, 'id' | 'type' | 'name'> {
  readonly goesTo: DeploymentScope;
  readonly isDeployment: boolean;
}

/** The id, type and name of a resource, by the values of its members. Throws TemplateError. */
export function namedOf(
  node: JsonNode,
  value: (name: string) => TemplateValue | undefined,
  { parent, isExisting }: { readonly parent: Instance | undefined; readonly isExisting: boolean },
  { target }: Declaring,
): Named {
  const text = (name: string) =>
    attempt(memberOf(node, name) ?? node, undefined, () => knownText(value(name), `${name} of a resource`)) as string;
  const [ownType, ownName] = [text('type'), text('name')];
  const isDeployment = deploymentType.test(ownType);
  if (!isDeployment && !isExisting) refuseMembers(node);
  const goesTo = isDeployment || isExisting ? targetOf(value, target, isDeployment) : target;
  const base = isDeployment
    ? goesTo.id
    : scopeId(isExisting && goesTo !== target ? undefined : value('scope'), goesTo.id);
  const whole = parent && !isDeployment ? childOf(parent, ownType, ownName) : { type: ownType, name: ownName };
  return { id: resourceIdBelow(base, whole.type, [whole.name]), ...whole, goesTo, isDeployment };
}

function count({ node }: Instance, { count: declared }: Declaring): void {
  if (++declared.resources <= templateLimits.resources) return;
  const message = `The template has more than ${templateLimits.resources} resources, copies and deployments inside of it included: split it`;
  throw new TemplateStop(message, node, 'Limit');
}

function declareChildren(children: JsonNode, scope: Scope, parent: Instance, declaring: Declaring): void {
  const declare = (node: JsonNode, origin: Origin) =>
    tryDeclare(node, scope, origin, declaring, () => declareLoop(node, scope, origin, declaring));
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
