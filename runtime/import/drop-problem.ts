import { problemSteps, stepInto } from '../arm-kinds/body/problem-path.ts';
import { isObject } from '../base/json.ts';

/**
 * Removes from an object the target of a problem's path (`spec.rules[0].name`, `spec.tags[team]`): the member itself,
 * the object that misses it, or the whole list for one item, as a list with an item less would declare something else.
 *
 * @returns what was removed; undefined if there is nothing left to remove but the spec itself, or a member that
 *   identifies the resource
 */
export function dropProblem(object: object, path: string): { readonly dropped: unknown } | undefined {
  const steps = problemSteps(path);
  if (steps[0] !== 'spec' || identifying.has(steps[1] ?? '')) return undefined;
  for (let length = steps.length; length > 1; length--) {
    const parent = steps.slice(0, length - 1).reduce<unknown>(stepInto, object);
    const last = steps[length - 1] as string;
    if (!isObject(parent) || !Object.hasOwn(parent, last)) continue;
    const dropped = parent[last];
    delete parent[last];
    return { dropped };
  }
  return undefined;
}

const identifying = new Set(['azureName', 'owner', 'scope', 'type']);
