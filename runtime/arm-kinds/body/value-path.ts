import { isObject } from '../../base/json.ts';
import { memberOf } from '../values/json-object.ts';

/**
 * The value at a path of an answer: `member.member`, `list[0]`, `list[?member==value]`. Undefined where nothing is.
 */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const [, name, selector] of path.matchAll(/(?:^|\.)([^.[\]]+)|\[([^[\]]*)\]/g)) {
    if (name !== undefined) at = memberOf(at, name);
    else at = select(at, selector ?? '');
  }
  return at;
}

function select(list: unknown, selector: string): unknown {
  if (!Array.isArray(list)) return undefined;
  const match = /^\?([^=]+)==(.*)$/.exec(selector);
  if (!match) return list[Number(selector)];
  const [, member = '', wanted = ''] = match;
  const plain = wanted.replaceAll(/^['"]|['"]$/g, '');
  return list.find((item) => isObject(item) && String(item[member.trim()] ?? null) === plain.trim());
}
