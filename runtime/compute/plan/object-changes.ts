import { annotations } from '../../arm-kinds/names.ts';
import { isSecretText } from '../../arm-kinds/secret-value.ts';
import { canonicalJson, isObject, type JsonObject } from '../../base/json.ts';
import { secretMark } from '../../base/secret-value.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { deploymentLabel, formerPolicyAnnotation, goalAnnotation, locationLabel } from '../deployments/labels.ts';
import { isKnownAfterApply } from '../deployments/open-values.ts';
import type { PathChange } from './change.ts';
import type { AppliedObject } from './observation.ts';

/** Paths of one object that are listed. */
const mostPaths = 200;
const deepest = 64;
/** Members with scripts and settings, in which secrets stand under any name. */
export const opaqueMember = /^(customData|userData|protectedSettings(FromKeyVault)?)$/i;

/** Labels and annotations that kubectl and the operator write for themselves. */
const ownNames: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  deploymentLabel,
  locationLabel,
  goalAnnotation,
  formerPolicyAnnotation,
  annotations.retry,
]);

interface Owned {
  readonly ours: readonly JsonObject[];
  readonly others: readonly JsonObject[];
}

/** How two values are compared: `whole` is all that the object will have, `ours` and `others` the owned members. */
interface Comparison extends Owned {
  readonly whole?: true;
  /** Finds only members that go. */
  readonly removals?: true;
}

/**
 * Changes that an apply of the manifest would make in an object: its spec, labels and annotations. Members that the
 * manifest lacks go if the manager has applied them and nobody else has (server-side apply); members that the API
 * server and others have added stay, and are no change. With `applied`, the API server's own result of the apply, its
 * values and defaults count in place of those of the manifest. Values that are secret by their name are left out.
 */
export function objectChanges(
  manifest: JsonObject,
  object: KubeObject,
  managers: ReadonlySet<string>,
  applied?: AppliedObject,
): PathChange[] {
  const wanted = partsOf(manifest as unknown as KubeObject);
  const present = partsOf(object);
  const owned = ownedFields(object, managers);
  const found: PathChange[] = [];
  if (!applied || 'refused' in applied) {
    compare(wanted, present, [], owned, found);
    return found;
  }
  const stored = partsOf(applied);
  compare(stored, present, [], { ...none, whole: true }, found);
  // Members that a client-side apply has set go too, although a server-side apply of another manager leaves them.
  compare(wanted, stored, [], { ...owned, removals: true }, found);
  return found;
}

function partsOf({ metadata, spec }: KubeObject) {
  const { labels, annotations: own, name } = metadata;
  return { metadata: { name, labels: withoutOwn(labels), annotations: withoutOwn(own) }, spec: spec as unknown };
}

function withoutOwn(texts: Readonly<Record<string, string>> | undefined) {
  const left = Object.entries(texts ?? {}).filter(([name]) => !ownNames.has(name));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function ownedFields({ metadata }: KubeObject, managers: ReadonlySet<string>): Owned {
  const ours: JsonObject[] = [];
  const others: JsonObject[] = [];
  for (const entry of metadata.managedFields ?? []) {
    if (!isObject(entry) || !isObject(entry['fieldsV1']) || entry['subresource']) continue;
    (managers.has(String(entry['manager'])) ? ours : others).push(entry['fieldsV1']);
  }
  return { ours, others };
}

function compare(after: unknown, before: unknown, path: readonly string[], how: Comparison, found: PathChange[]): void {
  if (found.length >= mostPaths || path.length > deepest) return;
  const inner = (name: string): Comparison => ({
    ...how,
    ours: within(how.ours, name),
    others: within(how.others, name),
  });
  if (isObject(after) && isObject(before) && !isKnownAfterApply(after)) {
    for (const [name, value] of Object.entries(after)) {
      if (value === undefined) continue;
      const own = Object.hasOwn(before, name) ? before[name] : undefined;
      compare(value, own, [...path, name], inner(name), found);
    }
    for (const [name, value] of Object.entries(before)) {
      if (after[name] !== undefined || value === undefined || value === null) continue;
      if (how.whole || isOnlyOurs(how, name)) add(found, [...path, name], value, undefined);
      else if (isObject(value)) compare({}, value, [...path, name], inner(name), found);
    }
    return;
  }
  if (Array.isArray(after) && Array.isArray(before) && after.length === before.length && after.some(isObject)) {
    const each: Comparison = { ...how, ...none };
    for (const [index, item] of after.entries()) compare(item, before[index], [...path, `[${index}]`], each, found);
    return;
  }
  // Nobody knows before the apply whether it is another value.
  if (how.removals || isSame(after, before) || (isKnownAfterApply(after) && before !== undefined)) return;
  add(found, path, before, after);
}

const none: Owned = { ours: [], others: [] };

function within(fields: readonly JsonObject[], name: string): JsonObject[] {
  return fields.flatMap((each) => {
    const member = each[`f:${name}`];
    return isObject(member) ? [member] : [];
  });
}

function isOnlyOurs({ ours, others }: Owned, name: string): boolean {
  const has = (fields: JsonObject) => Object.hasOwn(fields, `f:${name}`);
  return ours.some(has) && !others.some(has);
}

function isSame(after: unknown, before: unknown): boolean {
  if (after === undefined || after === null) return before === undefined || before === null;
  return before !== undefined && canonicalJson(after) === canonicalJson(before);
}

function add(found: PathChange[], path: readonly string[], before: unknown, after: unknown): void {
  found.push(pathChange(path, before, after));
}

/** A change of the value at a path of members, without values that are secret by their name. */
export function pathChange(path: readonly string[], before: unknown, after: unknown): PathChange {
  const text = path.reduce(
    (all, part) => (part.startsWith('[') || all === '' ? `${all}${part}` : `${all}.${part}`),
    '',
  );
  if (isSecretPath(path)) return { path: text, isSecret: true };
  return {
    path: text,
    ...(before !== undefined && { before: withoutSecrets(before) }),
    ...(after !== undefined && { after: withoutSecrets(after) }),
  };
}

/**
 * Whether a path of members leads to a secret. A reference to a Secret has `name` and `key` below a member with a secret's
 * name, and is none itself.
 */
export function isSecretPath(path: readonly string[]): boolean {
  const index = path.findIndex((part) => isSecretName(part));
  return index >= 0 && !(path.length === index + 2 && /^(name|key)$/.test(path.at(-1) ?? ''));
}

const isSecretName = (name: string) => opaqueMember.test(name) || isSecretText(name, 'text');

/** The value with a sign in place of each text that is secret by its name. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isReference = isObject(member) && Object.keys(member).every((each) => each === 'name' || each === 'key');
      return [name, isSecretName(name) && !isReference ? secretMark : withoutSecrets(member)];
    }),
  );
}
