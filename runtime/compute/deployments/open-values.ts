/** Values of a goal that Azure's answers decide: they stand in its manifests as markers until the object is applied. */
import { isObject } from '../../base/json.ts';
import type { KnownAnswer } from '../templates/evaluation/scope.ts';
import { Unknown } from '../templates/values/value.ts';

/** An answer of Azure that a manifest or a name needs. */
export interface NeededAnswer {
  /** ARM id. */
  readonly id: string;
  /** Key of its node, which comes before; '' for a resource outside of the template, whose answer only names need. */
  readonly key: string;
  /** API version of the answer: that of the resource in the template, or of the expression that refers to it. */
  readonly apiVersion: string;
}

/** Answers by ARM id. */
export type Answers = Readonly<Record<string, KnownAnswer>>;

/** Placeholder in a manifest for a value that is known after apply. */
export interface KnownAfterApply {
  /** The expression, as the template has it. */
  readonly knownAfterApply: string;
}

/** Whether a value is known after apply alone. */
export function isKnownAfterApply(value: unknown): value is KnownAfterApply {
  return isObject(value) && typeof value['knownAfterApply'] === 'string' && Object.keys(value).length === 1;
}

/** Whether a part of a value is known after apply alone. */
export function hasOpenParts(value: unknown): boolean {
  if (isKnownAfterApply(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasOpenParts);
}

/** A copy with a marker for each value that is known after apply: plain JSON. */
export function withMarkers(value: unknown): unknown {
  if (value instanceof Unknown) return { knownAfterApply: value.expression } satisfies KnownAfterApply;
  if (Array.isArray(value)) return value.map(withMarkers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMarkers(member)]));
}
