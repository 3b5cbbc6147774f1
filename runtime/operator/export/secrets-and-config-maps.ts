import type { ValueSource } from '../../api/types.ts';
import { valueAt } from '../../arm-kinds/body/value-path.ts';
import { type ExportItem, type ExportPlan, type ExportSource, twoValues } from '../../arm-kinds/export/export-plan.ts';
import {
  evaluateOutput,
  type OutputVariables,
  secretsIn,
  type UserExpression,
} from '../../arm-kinds/export/expressions.ts';
import { operatorName } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject, jsonHash } from '../../base/json.ts';
import { configMapsType, secretsType } from '../../kube/client/core-types.ts';
import { ownerReference, ownership } from '../../kube/client/owner-references.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../kube/client/types.ts';

/** The content of one Secret or ConfigMap that an object exports, or of its vault secrets. Values are plain text. */
export interface ExportTarget {
  readonly target: ExportItem['target'];
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Azure refuses some of its values: keys that it had before stay. */
  readonly partial?: boolean;
  /** Keys to remove. */
  readonly drop?: readonly string[];
  /**
   * Values at the start of the run. If one has changed since, nothing is written, and the next run uses the new value.
   */
  readonly unchanged?: Readonly<Record<string, string | undefined>>;
}

/** The values to export. */
export interface ExportValues {
  /** The object, with the status of this run. */
  readonly self: KubeObject;
  /** The answer of ARM to a GET. */
  readonly live: JsonObject;
  readonly resourceId: string;
  /** The answers of the plan's actions, by their ids. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Inputs for v1's keys. */
  readonly input: OutputVariables['input'];
  readonly azure: OutputVariables['azure'];
}

/** Evaluates the expressions of one object, in their order; an expression without a value has its problem. */
export type EvaluateExpressions = (
  expressions: readonly UserExpression[],
  variables: { readonly self: unknown; readonly secret: unknown },
) => Promise<readonly ({ readonly value: unknown } | { readonly problem: string })[]>;

/** The targets, and the errors of items without a value. */
export interface ExportTargets {
  readonly targets: readonly ExportTarget[];
  /** AZ_REFERENCE_MISSING for a missing value, AZ_TERMINAL for an expression that has none. */
  readonly problems: readonly AzimuthError[];
}

/**
 * Computes all targets. One with an item whose action has no answer, because Azure refused it, is partial. One with
 * another item without a value is left out, so that a new Secret has all of its keys at once. Throws AZ_TERMINAL for
 * two values of one key.
 */
export async function exportTargets(
  plan: ExportPlan,
  values: ExportValues,
  evaluate: EvaluateExpressions,
): Promise<ExportTargets> {
  const secret = Object.fromEntries(
    Object.entries(plan.secrets).map(([name, source]) => [name, ownValue(source, values)]),
  );
  const items = plan.items.map((item) => ({ ...item, refused: isRefused(item.source, plan, values.answers) }));
  const asked = items.flatMap(({ source, refused }) => (source.from === 'expression' && !refused ? [source] : []));
  const answers = await evaluate(asked, { self: values.self, secret });
  const evaluated = new Map(asked.map((source, index) => [source as ExportSource, answers[index]]));
  const valueFor = (source: ExportSource) => {
    if (source.from !== 'expression') return ownValue(source, values, secret);
    const result = evaluated.get(source);
    if (result && 'problem' in result) throw new AzimuthError('AZ_TERMINAL', result.problem);
    return result?.value;
  };
  const targets = new Map<string, TargetParts>();
  const problems: AzimuthError[] = [];
  const incomplete = new Set<string>();
  for (const item of items) {
    const { target, to, where, refused } = item;
    const id = `${target} ${to.name}`;
    const fresh = { values: withoutPrototype(), askedBy: withoutPrototype(), labels: {}, annotations: {} };
    const entry: TargetParts = targets.get(id) ?? { target, name: to.name, ...fresh };
    targets.set(id, entry);
    Object.assign(entry.labels, to.labels);
    Object.assign(entry.annotations, to.annotations);
    if (refused) entry.partial = true;
    const found = refused ? {} : tryValues(item, valueFor, problems);
    if (found === undefined) incomplete.add(id);
    for (const [key, value] of Object.entries(found ?? {})) {
      if (key in entry.values) throw twoValues(`${id}, key ${key}`, entry.askedBy[key] ?? '', where);
      entry.values[key] = value;
      entry.askedBy[key] = where;
    }
  }
  const complete = [...targets].filter(([id]) => !incomplete.has(id));
  return { targets: complete.map(([, { askedBy: _, ...target }]) => target), problems };
}

interface TargetParts
  extends Record<'values' | 'labels' | 'annotations' | 'askedBy', Record<string, string>>,
    Pick<ExportTarget, 'target' | 'name'> {
  partial?: boolean;
}

/** Whether the source needs the answer of an action that has none. */
function isRefused(source: ExportSource, plan: ExportPlan, answers: ReadonlyMap<string, unknown>): boolean {
  if (source.from === 'action') return !answers.has(source.action);
  if (source.from === 'resource') return false;
  const names = secretsIn(source.expression);
  const secrets = names === 'all' ? Object.values(plan.secrets) : names.map((name) => plan.secrets[name]);
  return secrets.some((secret) => secret?.from === 'action' && !answers.has(secret.action));
}

function tryValues(
  item: ExportItem,
  valueFor: (source: ExportSource) => unknown,
  problems: AzimuthError[],
): Record<string, string> | undefined {
  try {
    return valuesOf(item, valueFor(item.source));
  } catch (error) {
    if (!(error instanceof AzimuthError)) throw error;
    problems.push(error);
    return undefined;
  }
}

/** A key of a Secret may be named `constructor` or `__proto__`. */
const withoutPrototype = (): Record<string, string> => Object.create(null);

function valuesOf(item: ExportItem, value: unknown): Record<string, string> {
  const { source, to } = item;
  const place = `${item.target} ${to.name}${to.key === undefined ? '' : `, key ${to.key}`}`;
  // A key of v1 without a value for this object, such as the password of a server without one.
  if (source.from === 'output' && value === null) return {};
  if (to.key !== undefined) return { [to.key]: asText(value, place) };
  const map = value instanceof Map ? Object.fromEntries(value) : value;
  if (source.from === 'output' && map === undefined) throw absent(place);
  if (!isObject(map)) {
    throw new AzimuthError('AZ_TERMINAL', `${item.where}: the value for ${place} is no map: give it a key`);
  }
  return Object.fromEntries(Object.entries(map).map(([key, each]) => [key, asText(each, `${place}, key ${key}`)]));
}

/** The value of a source other than a user's expression. */
function ownValue(source: ExportSource, values: ExportValues, secret: JsonObject = {}): unknown {
  if (source.from === 'expression') return undefined;
  if (source.from === 'output') return evaluateOutput(source.expression, { ...values, secret });
  if (source.from === 'action') return read(source.value, values.answers.get(source.action));
  return fromResource(source.value, values);
}

function fromResource(value: ValueSource, { live, resourceId }: ExportValues): unknown {
  if (value.from !== 'resourceId') return value.armPath === undefined ? undefined : valueAt(live, value.armPath);
  const segments = resourceId.split('/');
  const wanted = value.segment?.toLowerCase();
  return segments[segments.findIndex((segment) => segment.toLowerCase() === wanted) + 1];
}

function read(value: ValueSource, answer: unknown): unknown {
  const found = valueAt(answer, value.path ?? '');
  return value.decode === 'base64' && typeof found === 'string' ? Buffer.from(found, 'base64').toString('utf8') : found;
}

function asText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw absent(place);
}

function absent(place: string): AzimuthError {
  return new AzimuthError('AZ_REFERENCE_MISSING', `Azure gave no value for ${place}, or one that is no text`);
}

/** The client and the owner of a write of an export. */
export interface ExportWriter {
  readonly client: KubeClient;
  /** The owner of the export, in the same namespace. */
  readonly owner: KubeObject;
  readonly signal: AbortSignal;
}

/** The field manager of an object's exports; equal for a later object of the same name. */
export function exportManager({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  return `${operatorName}-${jsonHash([apiVersion.split('/')[0], kind, namespace, name])}`;
}

/**
 * Creates or updates one Secret or ConfigMap, and writes only keys that differ. Removes keys of an earlier plan of
 * this owner, which it recognises by their field manager; the keys of others stay. Creates no object without values.
 * Returns the object if it wrote one. Throws AZ_CONFLICT_OWNED for an object that the owner does not own.
 */
export async function writeExport(wanted: ExportTarget, writer: ExportWriter): Promise<KubeObject | undefined> {
  const { client, owner, signal } = writer;
  const fieldManager = exportManager(owner);
  const type: ResourceType = wanted.target === 'Secret' ? secretsType : configMapsType;
  const key = { namespace: owner.metadata.namespace ?? '', name: wanted.name };
  const encode = (value: string) => (wanted.target === 'Secret' ? Buffer.from(value).toString('base64') : value);
  const data = Object.fromEntries(Object.entries(wanted.values).map(([name, value]) => [name, encode(value)]));
  const { labels, annotations } = wanted;
  const existing = await client.tryGet(type, key, signal);
  const isNothing = Object.keys(data).length === 0;
  if (!existing && isNothing) return undefined;
  if (!existing) {
    return client.create<KubeObject>(
      type,
      {
        apiVersion: apiVersionOf(type),
        kind: type.kind,
        metadata: { ...key, labels, annotations, ownerReferences: [ownerReference(owner)] },
        ...(wanted.target === 'Secret' && { type: 'Opaque' }),
        data,
      },
      { fieldManager, signal },
    );
  }
  const { mine, inherited, ownerReferences } = ownership(existing, owner);
  if (!mine && isNothing) return undefined;
  if (!mine && !inherited) {
    throw new AzimuthError(
      'AZ_CONFLICT_OWNED',
      `${type.kind} ${wanted.name} exists and does not belong to this ${owner.kind}: it is left as it is. Delete it or choose another name`,
    );
  }
  const have = (existing['data'] ?? {}) as Record<string, string>;
  const overtaken = Object.entries(wanted.unchanged ?? {}).some(
    ([name, value]) => (have[name] || undefined) !== (value === undefined ? undefined : encode(value)),
  );
  if (overtaken) return undefined;
  const changed = (want: Readonly<Record<string, string>>, have: unknown) =>
    Object.entries(want).some(([name, value]) => (have as Record<string, string> | undefined)?.[name] !== value);
  const { metadata } = existing;
  const notAsked = wanted.partial ? [] : ownKeys(existing, fieldManager).filter((name) => !(name in data));
  const unwanted = (wanted.drop ?? []).filter((name) => name in ((existing['data'] ?? {}) as object));
  const dropped = [...notAsked, ...unwanted];
  const same =
    mine &&
    dropped.length === 0 &&
    !changed(data, existing['data']) &&
    !changed(labels, metadata.labels) &&
    !changed(annotations, metadata.annotations);
  if (same) return undefined;
  const changes = { ...data, ...Object.fromEntries(dropped.map((name) => [name, null])) };
  const { uid, resourceVersion } = metadata;
  const body = {
    metadata: { uid, resourceVersion, labels, annotations, ...(!mine && { ownerReferences }) },
    data: changes,
  };
  return client.patch(type, key, { type: 'merge', body }, { fieldManager, signal });
}

/** The keys of `data` that this field manager set last, by the server's record. */
export function ownKeys({ metadata, data }: KubeObject, fieldManager: string): string[] {
  const entries = (metadata.managedFields ?? []) as readonly { manager?: string; fieldsV1?: Record<string, object> }[];
  const own = entries.filter(({ manager }) => manager === fieldManager);
  const names = own.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1?.['f:data'] ?? {}));
  return names.map((name) => name.slice('f:'.length)).filter((name) => name in (data ?? {}));
}
