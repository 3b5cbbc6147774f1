import { isObject } from '../../runtime/base/json.ts';

/** Maps whose keys users choose: their members count as one. */
const chosenKeys = /(^|\.)(tags|userassignedidentities)$/;

/** The paths of the members of a JSON value that are not null, in lower case, with `[]` for the places of a list. */
export function membersOf(value: unknown, path = '', members = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) membersOf(item, `${path}[]`, members);
  if (!isObject(value)) return members;
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const below = chosenKeys.test(path) ? `${path}.*` : [path, name.toLowerCase()].filter(Boolean).join('.');
    members.add(below);
    membersOf(member, below, members);
  }
  return members;
}

/** The leaves of a JSON value by their paths, the places of lists by number. */
export function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      leavesOf(item, `${path}[${index}]`, leaves);
    });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      leavesOf(member, [path, name.toLowerCase()].filter(Boolean).join('.'), leaves);
    }
  } else if (path !== '' && value !== null && value !== undefined) leaves.set(path, value);
  return leaves;
}

/** Members that name, place or time something, or tell its state: their values are no defaults. */
const noDefault = /(name|id|time|date|created\w*|updated\w*|host|fqdn|state|status|location|etag|key|uri|url)$/;
const isDefault = (value: unknown) =>
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  (typeof value === 'string' && /^[A-Z][A-Za-z]*$/.test(value));

/** A default that Azure sets, with the value of the sandbox. */
export interface DefaultValue {
  readonly path: string;
  readonly azure: unknown;
  readonly here: unknown;
}

/** The members of Azure's answer that no request of the resource had, and whose values are defaults. */
export function defaultsOf(azure: unknown, here: unknown, requested: ReadonlySet<string>): DefaultValue[] {
  const values = leavesOf(here);
  return [...leavesOf(azure)].flatMap(([path, value]) => {
    const plain = path.replaceAll(/\[\d+\]/g, '[]');
    const leaf = plain.split('.').at(-1)?.replaceAll('[]', '') ?? '';
    if (!isDefault(value) || requested.has(plain) || /^tags\./.test(path)) return [];
    if (noDefault.test(leaf)) return [];
    return [{ path: plain, azure: value, here: values.get(path) }];
  });
}

/** Status, headers of an operation (A, L, R) and body of a write's answer, such as `201 AR body`. */
export function shapeOf(status: number, headers: Readonly<Record<string, unknown>>, body: unknown): string {
  const has = (name: string) => headers[name] !== undefined;
  const letters = [
    has('azure-asyncoperation') ? 'A' : '',
    has('location') ? 'L' : '',
    has('retry-after') ? 'R' : '',
  ].join('');
  const empty =
    body === undefined || body === null || body === '' || (isObject(body) && Object.keys(body).length === 0);
  return [status, letters || '-', empty ? 'empty' : 'body'].join(' ');
}
