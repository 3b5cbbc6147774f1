import { SecretValue } from '../../../base/secret-value.ts';
import { evaluateText, writable } from '../evaluation/evaluate.ts';
import type { Run, Scope } from '../evaluation/scope.ts';
import type { JsonNode, ObjectNode } from '../json/json-node.ts';
import { memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { DecidedLater, type Position, type Problems, quoted, TemplateError } from '../problems.ts';
import { ManagedSecretReference, type TemplateValue, templateObject, typeOf, Unknown } from '../values/value.ts';

/** How a problem of a part ends: with its report, or, without a list, with the error itself. */
export type Report = Problems | undefined;

/**
 * The value of a part of the template: expressions in strings and in names of members, copy loops of properties, references
 * to managed secrets. Parts with a problem are null. Throws TemplateStop when the budget ends.
 */
export function evaluateTree(node: JsonNode, scope: Scope, run: Run, report: Report): TemplateValue {
  run.budget.position = node;
  run.budget.step();
  if (node.kind === 'null') return null;
  if (node.kind === 'string') return attempt(node, report, () => evaluateText(node.value, scope, run)) ?? null;
  if (node.kind !== 'array' && node.kind !== 'object') {
    return attempt(node, report, () => writable(node.value, scope)) ?? null;
  }
  return run.budget.nested(() =>
    node.kind === 'array'
      ? node.items.map((item) => evaluateTree(item, scope, run, report))
      : objectValue(node, scope, run, report),
  );
}

/** Runs a step whose error becomes a problem at this position; undefined after an error. */
export function attempt<T>(position: Position, report: Report, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (error instanceof TemplateError) error.position ??= position;
    if (!report) throw error;
    report.addError(error, position);
    return undefined;
  }
}

function objectValue(node: ObjectNode, scope: Scope, run: Run, report: Report): TemplateValue {
  const secret = node.members.size === 1 ? node.members.get('managedSecret') : undefined;
  if (secret) return attempt(secret, report, () => managedSecret(evaluateTree(secret, scope, run, undefined))) ?? null;
  const members = new Map<string, TemplateValue>();
  for (const [name, member] of node.members) {
    if (name.toLowerCase() === 'copy' && isPropertyCopy(member)) {
      for (const loop of member.items) attempt(loop, report, () => addCopy(members, loop, scope, run, report));
      continue;
    }
    const key = name.startsWith('[') ? attempt(member, report, () => memberName(name, scope, run)) : name;
    if (key !== undefined) members.set(key, evaluateTree(member, scope, run, report));
  }
  return templateObject(members);
}

function memberName(name: string, scope: Scope, run: Run): string {
  const value = evaluateText(name, scope, run);
  if (typeof value === 'string') return value;
  throw new TemplateError(
    'Evaluation',
    `The name ${quoted(name)} is a value of type ${typeOf(value)}: it must be a string`,
  );
}

/** The reference of a name. Throws TemplateError for a value that is no name of a ManagedSecret. */
export function managedSecret(name: TemplateValue): ManagedSecretReference {
  if (typeof name === 'string' && name.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) {
    return new ManagedSecretReference(name);
  }
  const found = typeof name === 'string' ? quoted(name) : `a value of type ${typeOf(name)}`;
  throw new TemplateError(
    'ManagedSecret',
    `managedSecret must be the name of a ManagedSecret of the namespace, and is ${found}`,
  );
}

/** Whether a member with the name `copy` is a loop of properties, instead of a property of that name. */
function isPropertyCopy(node: JsonNode): node is Extract<JsonNode, { kind: 'array' }> {
  return node.kind === 'array' && node.items.every((item) => memberOf(item, 'input') && memberOf(item, 'count'));
}

function addCopy(into: Map<string, TemplateValue>, node: JsonNode, scope: Scope, run: Run, report: Report): void {
  const name = loopName(memberOf(node, 'name'), scope, run);
  into.set(
    name,
    loopItems(node, 'input', { scope, run, report }, (index) => withLoop(scope, name, index, false)),
  );
}

/** Where the items of a loop are evaluated. */
interface LoopPlace {
  readonly scope: Scope;
  readonly run: Run;
  readonly report: Report;
}

/**
 * The items of a loop by its member `input` or another one. Unknown where an answer of Azure decides how many there are.
 * Throws TemplateError for a loop without one of them.
 */
export function loopItems(
  loop: JsonNode,
  content: JsonNode | 'input',
  { scope, run, report }: LoopPlace,
  scopeOf: (index: number) => Scope,
): TemplateValue {
  const input = content === 'input' ? memberOf(loop, 'input') : content;
  if (!input) throw new TemplateError('Structure', 'A copy loop needs an input');
  const count = countOf(memberOf(loop, 'count'), scope, run);
  if (typeof count === 'number')
    return Array.from({ length: count }, (_, index) => evaluateTree(input, scopeOf(index), run, report));
  const again = (later: unknown) => loopItems(loop, content, { scope, run: later as Run, report: undefined }, scopeOf);
  return new Unknown(`copy(${count.expression})`, count.waitsFor, again);
}

/** The scope of one iteration. `isOwn` says that `copyIndex()` without a name means this loop. */
export function withLoop(scope: Scope, name: string, index: number, isOwn: boolean): Scope {
  const loops = new Map(scope.loops).set(name.toLowerCase(), index);
  return { ...scope, loops, loop: isOwn ? name.toLowerCase() : scope.loop };
}

/** The name of a loop. Throws TemplateError for a value that is none. */
export function loopName(node: JsonNode | undefined, scope: Scope, run: Run): string {
  const value = node && evaluateTree(node, scope, run, undefined);
  if (typeof value === 'string' && value !== '') return value;
  throw new TemplateError('Structure', 'A copy loop needs a name, which is a string');
}

/** The count of a loop, which must be known: 0 to 800. Throws TemplateError for other values. */
export function loopCount(node: JsonNode | undefined, scope: Scope, run: Run): number {
  const count = countOf(node, scope, run);
  if (typeof count === 'number') return count;
  throw new DecidedLater('count of a copy loop', count);
}

/** The count of a loop, or the answer of Azure that decides it. Throws TemplateError for other values. */
export function countOf(node: JsonNode | undefined, scope: Scope, run: Run): number | Unknown {
  const early: Scope = { ...scope, place: 'value that must be known before the deployment' };
  const place = scope.place === 'body of a resource' || scope.place === 'output' ? early : scope;
  const value = node && evaluateTree(node, place, run, undefined);
  const { copyCount } = templateLimits;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= copyCount) return value;
  if (isDecidedLater(value)) return value;
  const found = typeof value === 'number' ? String(value) : typeOf(value ?? null);
  throw new TemplateError(
    'Limit',
    `The count of a copy loop must be an integer from 0 to ${copyCount}, and is ${found}`,
  );
}

/** Whether a value is whole when Azure answers, and has no secret. */
export function isDecidedLater(value: TemplateValue | undefined): value is Unknown {
  return value instanceof Unknown && !value.isSecret && !value.isReference;
}

/**
 * A value that must be a known string without a secret. Throws TemplateError, which names `what`; DecidedLater for one that
 * is known when Azure answers.
 */
export function knownText(value: TemplateValue | undefined, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (isDecidedLater(value)) throw new DecidedLater(what, value);
  if (value === undefined) throw new TemplateError('Structure', `The ${what} is missing: give one`);
  if (value === '') throw new TemplateError('Structure', `The ${what} is empty: give one`);
  const isSecret = value instanceof SecretValue || (value instanceof Unknown && value.isSecret);
  const why = isSecret ? 'a secret' : value instanceof Unknown ? 'known after apply alone' : '';
  const found = why || `a value of type ${typeOf(value ?? null)}`;
  throw new TemplateError('Structure', `The ${what} must be a string that is not empty, and is ${found}`);
}
