import { memberOf as ownMember } from '../values/json-object.ts';

/** The members and indexes of a problem's path: `spec.rules[0].name`, `spec.tags[team]`. */
export const problemSteps = (path: string): string[] =>
  [...path.matchAll(/\[([^[\]]*)\]|([^.[\]]+)/g)].map(([, index, name]) => index ?? name ?? '');

/** The member or item of a value at one step; undefined where there is none. */
export function stepInto(at: unknown, step: string): unknown {
  if (Array.isArray(at)) return at[Number(step)];
  return ownMember(at, step);
}
