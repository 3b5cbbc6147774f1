import type { Json } from '../../../json.ts';
import type { BehaviourRow } from '../../behaviour.ts';
import table from './implied.json' with { type: 'json' };

interface Implied {
  /** Bodies by type and name in lower case. */
  readonly children: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Bodies by type and last segment of the path in lower case. */
  readonly documents: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const { children, documents }: Implied = table;

/** Settings that a resource has from its beginning: children with a name, and documents without one. */
export const impliedBehaviours: readonly BehaviourRow[] = [
  ...Object.entries(children).map(([type, bodies]) => ({
    type,
    implicit: ({ name }: { name: string }) => structuredClone(bodies[name.toLowerCase()]),
  })),
  ...Object.entries(documents).map(([type, bodies]) => ({ type, documents: bodies })),
];
