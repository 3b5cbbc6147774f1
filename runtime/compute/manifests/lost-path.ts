import { memberOf } from '../../arm-kinds/values/json-object.ts';
import { isObject } from '../../base/json.ts';

/**
 * The first part of a body that another body does not have; undefined when it has all. Members that are null or empty
 * count as absent, as in ARM; lists have an order.
 */
export function lostPath(wanted: unknown, made: unknown, path = ''): string | undefined {
  if (Array.isArray(wanted) && wanted.length > 0) {
    if (!Array.isArray(made) || made.length !== wanted.length) return path;
    return first(wanted.entries(), ([index, item]) => lostPath(item, made[index], `${path}[${index}]`));
  }
  if (isObject(wanted) && Object.keys(wanted).length > 0) {
    return first(Object.entries(wanted), ([name, member]) => {
      return lostPath(member, memberOf(made, name), path === '' ? name : `${path}.${name}`);
    });
  }
  if (wanted === undefined || wanted === null) return made === undefined || made === null ? undefined : path;
  if (typeof wanted === 'object') return made === undefined || isEmpty(made) ? undefined : path;
  return wanted === made ? undefined : path;
}

const isEmpty = (value: unknown) => typeof value === 'object' && (value === null || Object.keys(value).length === 0);

function first<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
