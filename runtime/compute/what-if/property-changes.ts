import { armDiff } from '../../arm-kinds/comparison/arm-diff.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { WhatIfPropertyChange } from './what-if.ts';

/**
 * The values of `after` that differ in Azure. The operator's comparison decides: members that only Azure
 * has, the order of lists, and the spelling of ids and regions are no change. `compared` is the body for it.
 */
export function propertyChanges(
  before: JsonObject,
  after: JsonObject,
  compared: JsonObject = after,
): WhatIfPropertyChange[] {
  return armDiff(compared, before).map(({ path, live }) => valueChange(path, live, valueAt(after, path)));
}

function valueChange(path: string, before: unknown, after: unknown): WhatIfPropertyChange {
  if (before === undefined || before === null) return { path, propertyChangeType: 'Create', after };
  if (after === undefined || after === null) return { path, propertyChangeType: 'Delete', before };
  if (Array.isArray(before) && Array.isArray(after))
    return { path, propertyChangeType: 'Array', children: itemChanges(before, after) };
  return { path, propertyChangeType: 'Modify', before, after };
}

/** The changes of a list's items. Items with a name are the same item at any index. */
function itemChanges(before: readonly unknown[], after: readonly unknown[]): WhatIfPropertyChange[] {
  const names = [before, after].map((list) => list.map(nameOf));
  const areNamed = names.every((each) => !each.includes(undefined) && new Set(each).size === each.length);
  const keys = areNamed ? names : [[...before.keys()], [...after.keys()]];
  const [former = [], present = []] = keys as unknown[][];
  const left = new Map(former.map((key, index) => [key, index]));
  const changes = after.flatMap((item, index): WhatIfPropertyChange[] => {
    const at = left.get(present[index]);
    if (at === undefined) return [{ path: String(index), propertyChangeType: 'Create', after: item }];
    left.delete(present[index]);
    return itemChange(String(index), before[at], item);
  });
  const gone = [...left.values()].map(
    (index): WhatIfPropertyChange => ({ path: String(index), propertyChangeType: 'Delete', before: before[index] }),
  );
  return [...changes, ...gone];
}

function itemChange(path: string, before: unknown, after: unknown): WhatIfPropertyChange[] {
  if (isObject(before) && isObject(after)) {
    const children = propertyChanges(before, after);
    return children.length === 0 ? [] : [{ path, propertyChangeType: 'Modify', children }];
  }
  return armDiff(after, before).length === 0 ? [] : [valueChange(path, before, after)];
}

function nameOf(item: unknown): string | undefined {
  const name = isObject(item) ? item['name'] : undefined;
  return typeof name === 'string' ? name.toLowerCase() : undefined;
}

/** The value at a dotted path: names of members may have dots. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '' || !isObject(value)) return path === '' ? value : undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const name = Object.keys(value).find((each) => path.startsWith(`${each}.`));
  return name === undefined ? undefined : valueAt(value[name], path.slice(name.length + 1));
}
