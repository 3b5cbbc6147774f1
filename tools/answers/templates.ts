import { isObject } from '../../runtime/base/json.ts';

/** What a value of an answer may repeat: parts of the resource's own id, and the item of a list it is in. */
export interface Names {
  readonly id: string;
  readonly location: string;
  readonly item: string;
}

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g;
const publicAddress =
  /\b(?!10\.|0\.|127\.|168\.63\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.|255\.)\d{1,3}(?:\.\d{1,3}){3}\b(?!\/)/g;

/** The text with everything that belongs to one resource replaced by the name of its place, such as `{id}`. */
export function templateOf(text: string, { id, location, item }: Names): string {
  if (location !== '' && text.replaceAll(' ', '').toLowerCase() === location.replaceAll(' ', '').toLowerCase()) {
    return /[A-Z ]/.test(text) ? '{Location}' : '{location}';
  }
  const segments = id.split('/').filter(Boolean);
  const word = (at: number) => segments.at(at) ?? '';
  const parent = segments.length > 8 ? word(-3) : '';
  const group = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? '';
  const replacements: [string, string][] = [
    [id, '{id}'],
    [segments.length > 8 ? `/${segments.slice(0, -2).join('/')}` : '', '{parentId}'],
    [group, '{group}'],
    [item, '{item}'],
    [location.replaceAll(' ', '').toLowerCase(), '{location}'],
    [word(-1), '{name}'],
    [parent, '{parent}'],
    [group.split('/').at(-1) ?? '', '{groupName}'],
  ];
  let result = text;
  for (const [value, name] of replacements) if (value.length > 3) result = replaced(result, value, name);
  return result
    .replaceAll(guid, '{guid}')
    .replaceAll(time, '{time}')
    .replaceAll(publicAddress, '{publicAddress}')
    .replaceAll(random, '{random}');
}

/** Runs of letters and digits that no one chose: those of one case with a digit, or very long ones. */
const random =
  /(?<![A-Za-z0-9{])(?:(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12,}|[a-z]{22,}|(?=[A-F]*\d)(?=\d*[A-F])[A-F0-9]{14,})(?![A-Za-z0-9}])/g;

function replaced(text: string, value: string, name: string): string {
  const pattern = new RegExp(`(?<![a-z0-9{])${value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![a-z0-9}])`, 'gi');
  return text.replaceAll(pattern, name);
}

/** The same for every text of a JSON value; nulls are left out. */
export function templated(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return templateOf(value, names);
  if (Array.isArray(value)) {
    return value.map((each) => templated(each, itemNames(names, each)));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (member === null) return [];
      if (name === 'provisioningState') return [[name, 'Succeeded']];
      return [[name, templated(member, name === 'name' ? { ...names, item: '' } : names)]];
    }),
  );
}

/** The names within an item of a list. */
export function itemNames(names: Names, item: unknown): Names {
  return isObject(item) && typeof item['name'] === 'string' ? { ...names, item: item['name'] } : names;
}

const secretOrPerson = /redacted|cmVkYWN0ZWQ|example\.com|@|password/i;

/** Whether a text may stand in the data for every resource of the type: it belongs to nobody. */
export function isGeneral(text: string, sources: number): boolean {
  const plain = text.replaceAll(/\{\w+\}/g, '');
  if (secretOrPerson.test(plain) || plain.length > 80 || /\d{6}/.test(plain)) return false;
  if (/^\{(id|group)\}\/.*\{name\}_?[A-Za-z0-9_]*\{random\}$/.test(text)) return true;
  // A part of the resource by a name that one client chose.
  if (/^\{(id|group|parentId)\}\/.*[^}]$/.test(text)) return false;
  return sources > 1 || /^[A-Za-z_][A-Za-z0-9_.]{0,30}$/.test(plain) || plain === '' || text.startsWith('{id}/');
}

/** The kind of a text that no template covers; undefined where it can only be left out. */
export function kindOf(text: string): string | undefined {
  if (/^\{(guid|time|random)\}$/.test(text)) return text;
  if (text.includes('{publicAddress}')) return '{publicAddress}';
  if (/^W?\/?"?\{guid\}"?$/.test(text)) return '{etag}';
  return undefined;
}
