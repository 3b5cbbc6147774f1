import type { ValueSource } from '../../api/types.ts';
import { valueAt } from '../../arm-kinds/body/value-path.ts';
import {
  type ExportItem,
  type ExportPlan,
  type ExportSource,
  expressionsIn,
  twoValues,
} from '../../arm-kinds/export/export-plan.ts';
import {
  evaluateOutput,
  type OutputVariables,
  secretsIn,
  type UserExpression,
} from '../../arm-kinds/export/expressions.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

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
  const asked = items.flatMap((item) => (item.refused ? [] : expressionsIn(item)));
  const answers = await evaluate(asked, { self: values.self, secret });
  const evaluated = new Map(asked.map((expression, index) => [expression as UserExpression, answers[index]]));
  const valueFor = (source: ExportSource | UserExpression) => {
    if ('from' in source && source.from !== 'expression') return ownValue(source, values, secret);
    const result = evaluated.get(source);
    if (result && 'problem' in result) throw new AzimuthError('AZ_TERMINAL', result.problem);
    return result?.value;
  };
  const targets = new Map<string, TargetData>();
  const problems: AzimuthError[] = [];
  const incomplete = new Set<string>();
  for (const item of items) {
    const { target, to, where, refused } = item;
    const id = `${target} ${to.name}`;
    const fresh = { values: withoutPrototype(), askedBy: withoutPrototype(), labels: {}, annotations: {} };
    const entry: TargetData = targets.get(id) ?? { target, name: to.name, ...fresh };
    targets.set(id, entry);
    if (refused) entry.partial = true;
    const itemValues = refused ? noValues : tryValues(item, valueFor, problems);
    if (itemValues === undefined) incomplete.add(id);
    Object.assign(entry.labels, to.labels, itemValues?.labels);
    Object.assign(entry.annotations, to.annotations, itemValues?.annotations);
    for (const [key, value] of Object.entries(itemValues?.values ?? {})) {
      if (key in entry.values) throw twoValues(`${id}, key ${key}`, entry.askedBy[key] ?? '', where);
      entry.values[key] = value;
      entry.askedBy[key] = where;
    }
  }
  const complete = [...targets].filter(([id]) => !incomplete.has(id));
  return { targets: complete.map(([, { askedBy: _, ...target }]) => target), problems };
}

interface TargetData
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

type ItemValues = Readonly<Record<'values' | 'labels' | 'annotations', Readonly<Record<string, string>>>>;

const noValues: ItemValues = { values: {}, labels: {}, annotations: {} };

/** The values of an item, and of the labels and annotations that expressions yield. */
function tryValues(
  item: ExportItem,
  valueFor: (source: ExportSource | UserExpression) => unknown,
  problems: AzimuthError[],
): ItemValues | undefined {
  const texts = (expressions: Readonly<Record<string, UserExpression>> = {}) =>
    Object.fromEntries(
      Object.entries(expressions).map(([name, expression]) => [name, onlyText(expression, valueFor(expression))]),
    );
  try {
    const { labels, annotations } = item.computed ?? {};
    return { values: valuesOf(item, valueFor(item.source)), labels: texts(labels), annotations: texts(annotations) };
  } catch (error) {
    if (!(error instanceof AzimuthError)) throw error;
    problems.push(error);
    return undefined;
  }
}

function onlyText({ where }: UserExpression, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new AzimuthError('AZ_TERMINAL', `${where}: the value of the expression is no text`);
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
  const segmentName = value.segment?.toLowerCase();
  return segments[segments.findIndex((segment) => segment.toLowerCase() === segmentName) + 1];
}

function read(value: ValueSource, answer: unknown): unknown {
  const exported = valueAt(answer, value.path ?? '');
  return value.decode === 'base64' && typeof exported === 'string'
    ? Buffer.from(exported, 'base64').toString('utf8')
    : exported;
}

function asText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw absent(place);
}

function absent(place: string): AzimuthError {
  return new AzimuthError('AZ_REFERENCE_MISSING', `Azure gave no value for ${place}, or one that is no text`);
}
