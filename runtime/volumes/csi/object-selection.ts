import { AzimuthError } from '../../base/errors.ts';
import { fitsPattern } from '../../base/text/wildcard.ts';
import type { ListedObject } from '../vault/fetch.ts';

/** Which objects of a vault an entry of a SecretProviderClass means. */
export interface ObjectSelection {
  /** In lower case; `*` stands for any characters and `?` for one. */
  readonly pattern: string;
  /** Without a value, each value fits. */
  readonly tag?: { readonly name: string; readonly value?: string };
}

/** Stands in `objectAlias` for the name of each object. */
export const namePlaceholder = '{name}';
const patternForm = /^[0-9a-zA-Z*?-]{1,127}$/;
/** Characters of a tag: names have 512 at Azure and values 256. */
const longestTag = 800;

interface SelectionTexts {
  readonly pattern: string;
  readonly tag: string;
}

/** The selection of an entry with the alias `file`. Throws AZ_CONFIG_INVALID. */
export function objectSelection({ pattern, tag }: SelectionTexts, file: string): ObjectSelection {
  if (pattern !== '' && !patternForm.test(pattern)) {
    throw invalid('objectNamePattern must be 1 to 127 letters, digits, hyphens, * and ?');
  }
  const [name = '', ...value] = tag.split('=');
  if (tag !== '' && (name === '' || tag.length > longestTag)) {
    throw invalid(`objectTag must be <name>=<value> or <name>, of at most ${longestTag} characters`);
  }
  if (!file.includes(namePlaceholder)) {
    throw invalid(`objectAlias must have ${namePlaceholder}, which stands for the name of each object`);
  }
  const found = { name, ...(value.length > 0 && { value: value.join('=') }) };
  return { pattern: pattern === '' ? '*' : pattern.toLowerCase(), ...(tag !== '' && { tag: found }) };
}

/** Whether an object is selected. Disabled ones are not, nor the secrets and keys that belong to certificates. */
export function isSelected({ pattern, tag }: ObjectSelection, object: ListedObject): boolean {
  if (!object.enabled || object.managed || !fitsPattern(object.name.toLowerCase(), pattern)) return false;
  if (!tag) return true;
  return Object.hasOwn(object.tags, tag.name) && (tag.value === undefined || object.tags[tag.name] === tag.value);
}

/** An object in messages. */
export function labelOf(type: string, name: string, version: string): string {
  return `objectType:${type.slice(0, 40)}, objectName:${name.slice(0, 130)}, objectVersion:${version.slice(0, 70)}`;
}

/** An entry with a selection in messages. */
export function selectionLabel(type: string, { pattern, tag }: SelectionTexts): string {
  const members = { objectNamePattern: pattern, objectTag: tag };
  const shown = Object.entries(members).flatMap(([name, text]) =>
    text === '' ? [] : [`${name}:${text.slice(0, 130)}`],
  );
  return [`objectType:${type.slice(0, 40)}`, ...shown].join(', ');
}

function invalid(message: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', message);
}
