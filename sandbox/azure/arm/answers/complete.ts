import { isObject } from '../../../../runtime/base/json.ts';
import type { Json } from '../../json.ts';

/** The parts of a resource that templates of its members name. */
export interface TemplateNames {
  readonly id: string;
  readonly location: string;
  readonly etag: string;
  /** As Azure writes times. */
  readonly time: string;
  readonly uuid: () => string;
  readonly publicAddress: string;
  /** Letters and digits that are the same for the same resource. */
  readonly random: string;
  /** The argument in the path of a POST action. */
  readonly argument?: string;
}

/** Adds the members of `rules` that the object lacks. What Azure made before, in `before`, stays. */
export function complete(target: Json, rules: Json, names: TemplateNames, before?: unknown, item = ''): void {
  const byName = new Map(Object.keys(target).map((name) => [name.toLowerCase(), name]));
  const old = isObject(before) ? before : {};
  for (const [key, rule] of Object.entries(rules)) {
    const isWithin = key.endsWith('?');
    const name = byName.get((isWithin ? key.slice(0, -1) : key).toLowerCase()) ?? key;
    if (target[name] === undefined) {
      if (!isWithin) target[name] = made(rule, names, old[name], item);
    } else completeWithin(target[name], rule, names, old[name], item);
  }
}

function completeWithin(value: unknown, rule: unknown, names: TemplateNames, before: unknown, item: string): void {
  if (isObject(value) && isObject(rule)) complete(value, rule, names, before, item);
  if (!Array.isArray(value) || !Array.isArray(rule) || rule.length !== 1 || !isObject(rule[0])) return;
  for (const [index, each] of value.entries()) {
    if (!isObject(each)) continue;
    const old = Array.isArray(before)
      ? (before.find((one) => isObject(one) && one['name'] === each['name']) ?? before[index])
      : undefined;
    complete(each, rule[0], names, old, typeof each['name'] === 'string' ? each['name'] : item);
  }
}

function made(rule: unknown, names: TemplateNames, before: unknown, item: string): unknown {
  if (rule === '{epoch}') return Math.floor(Date.parse(names.time) / 1000);
  if (typeof rule === 'string')
    return /\{(guid|time)\}/.test(rule) && typeof before === 'string' ? before : text(rule, names, item);
  if (Array.isArray(rule)) {
    return rule.map((each, index) => made(each, names, Array.isArray(before) ? before[index] : undefined, item));
  }
  if (!isObject(rule)) return rule;
  const result: Json = {};
  const name = typeof rule['name'] === 'string' ? text(rule['name'], names, item) : item;
  if (typeof rule['name'] === 'string') result['name'] = name;
  complete(result, rule, names, before, name);
  return result;
}

function text(template: string, names: TemplateNames, item: string): string {
  const segments = names.id.split('/').filter(Boolean);
  const group = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(names.id)?.[0] ?? '';
  const parts: Readonly<Record<string, () => string>> = {
    id: () => names.id,
    parentId: () => `/${segments.slice(0, -2).join('/')}`,
    group: () => group,
    groupName: () => group.split('/').at(-1) ?? '',
    name: () => segments.at(-1) ?? '',
    parent: () => segments.at(-3) ?? '',
    item: () => item,
    location: () => names.location,
    Location: () => names.location,
    guid: names.uuid,
    time: () => names.time,
    etag: () => names.etag,
    publicAddress: () => names.publicAddress,
    random: () => names.random,
    argument: () => names.argument ?? '',
  };
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => parts[name]?.() ?? whole);
}
