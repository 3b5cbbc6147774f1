import { jsonLength } from '../../base/json.ts';
import { normalizeTexts } from '../../base/text/normalize.ts';
import { beginningOf } from '../../base/text/text.ts';
import type { KubeObject } from '../client/types.ts';

/**
 * Drops `metadata.managedFields`, often a third of an object. The member is emptied rather than deleted, because
 * deleting would turn the metadata of every object into a slower and larger form in memory.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields !== undefined) object.metadata.managedFields = undefined;
  return object;
}

/** The object with the texts of its spec as every program reads them: people paste ids and names into it. */
export function withNormalizedSpec<T extends KubeObject>(object: T): T {
  return { ...withoutManagedFields(object), spec: normalizeTexts(object['spec']) };
}

/** Characters of an object, as JSON, from which on a cache keeps a bounded copy. Objects that programs need have fewer. */
const mostCharacters = 32_768;
/** Characters of annotations in a bounded copy. */
const annotationCharacters = 16_384;
/** Labels, owners, finalizers, and elements of each list of the status in a bounded copy. */
const mostElements = 100;
/** Characters of a text in the status of a bounded copy. */
const mostText = 4096;
/** Levels of an object that is too deep to be written as JSON; what lies below becomes null. */
const mostLevels = 100;

/**
 * A copy of a large object for a cache, without the parts that have no bound of their own: an object of 1.5 MB may
 * consist of labels, owners or conditions, and a few hundred of them fill the memory of a program. The spec stays, which
 * the kind's schema bounds. Smaller objects are returned as they are.
 */
export function bounded<T extends KubeObject>(received: T): T {
  const length = jsonLength(received);
  if (length <= mostCharacters) return received;
  const object = length === Number.POSITIVE_INFINITY ? (shallow(received, mostLevels) as T) : received;
  const { labels, annotations, ownerReferences, finalizers, ...metadata } = object.metadata;
  const status = 'status' in object && { status: boundedValue(object['status']) };
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(labels && { labels: first(labels) }),
      ...(annotations && { annotations: shortest(annotations) }),
      ...(ownerReferences && { ownerReferences: ownerReferences.slice(0, mostElements) }),
      ...(finalizers && { finalizers: finalizers.slice(0, mostElements) }),
    },
    ...status,
  };
}

function first<T>(members: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).slice(0, mostElements));
}

/** As many annotations as there is room for, the shortest first: records of our programs are short. */
function shortest(annotations: Readonly<Record<string, string>>): Record<string, string> {
  let left = annotationCharacters;
  const entries = Object.entries(annotations).sort(([, a], [, b]) => a.length - b.length);
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      left -= name.length + value.length;
      return left >= 0;
    }),
  );
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return beginningOf(value, mostText);
  if (Array.isArray(value)) return value.slice(0, mostElements).map(boundedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(first(value as Record<string, unknown>)).map(([name, each]) => [name, boundedValue(each)]),
  );
}

function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((each) => shallow(each, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shallow(each, levels - 1)]));
}
