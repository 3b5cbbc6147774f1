import { type SelectionTexts, selectionProblem } from '../../api/volumes/object-selections.ts';
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

const memberOf = { pattern: 'objectNamePattern', tag: 'objectTag', file: 'objectAlias' } as const;

/** The selection of an entry. Throws AZ_CONFIG_INVALID. */
export function objectSelection(texts: SelectionTexts): ObjectSelection {
  const problem = selectionProblem(texts);
  if (problem) throw new AzimuthError('AZ_CONFIG_INVALID', `${memberOf[problem.text]} ${problem.mustBe}`);
  const { pattern, tag } = texts;
  const [name = '', ...value] = tag.split('=');
  const nameAndValue = { name, ...(value.length > 0 && { value: value.join('=') }) };
  return { pattern: pattern === '' ? '*' : pattern.toLowerCase(), ...(tag !== '' && { tag: nameAndValue }) };
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
export function selectionLabel(type: string, { pattern, tag }: Omit<SelectionTexts, 'file'>): string {
  const members = { objectNamePattern: pattern, objectTag: tag };
  const shown = Object.entries(members).flatMap(([name, text]) =>
    text === '' ? [] : [`${name}:${text.slice(0, 130)}`],
  );
  return [`objectType:${type.slice(0, 40)}`, ...shown].join(', ');
}
