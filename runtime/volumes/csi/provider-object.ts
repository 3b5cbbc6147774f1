import { checkRelativePath } from '../../api/volumes/file-names.ts';
import { jsonKeyProblem } from '../../api/volumes/json-keys.ts';
import { mostSelections, namePlaceholder } from '../../api/volumes/object-selections.ts';
import { mostObjects, objectNamePattern, objectTypes, versionPattern } from '../../api/volumes/vault-objects.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { filePermission } from '../mount/file-mode.ts';
import { type ReadYaml, readYaml } from '../options/bounded-yaml.ts';
import type { VolumeObject } from '../options/volume-spec.ts';
import { providerEncoding, providerFormat } from '../vault/provider-objects.ts';
import { labelOf, type ObjectSelection, objectSelection, selectionLabel } from './object-selection.ts';
import type { ProviderObjectMember } from './parameters.ts';

/** One object of a SecretProviderClass. */
export interface ProviderObject extends VolumeObject {
  readonly format: 'pem' | 'pfx';
  /** Type, name and version as in the class, for messages. */
  readonly label: string;
  /** Number of versions to read, newest first; more than 1 makes a directory. */
  readonly history: number;
  /** The objects of the vault to read in place of one with `name`; `file` has `{name}` for their names. */
  readonly select?: ObjectSelection;
  /** Permission bits. */
  readonly mode: number;
}

/** Most versions of one object; each takes a request to the vault. */
const mostVersions = 100;
/** Most versions of all objects together. */
const mostVersionsOfClass = 2000;
/** Most characters of `objects`: 500 objects with all their members have 100,000. */
const longestObjects = 128 * 1024;
const mostLines = 10_000;
/** Objects that are read without a pause for others: their texts take 2 ms. */
const objectsAtOnce = 25;

/**
 * Reads the parameter `objects`: YAML with a list `array` of texts, each of them YAML again. All values are texts,
 * also those that look like numbers. Objects without `filePermission` get `defaultMode`. `read` gets the texts, a few
 * at a time. Rejects with AZ_CONFIG_INVALID.
 */
export async function readProviderObjects(
  text: string,
  defaultMode: number,
  read: ReadYaml = async (job) => readYaml(job),
): Promise<ProviderObject[]> {
  if (text.length > longestObjects) throw invalid(`objects has more than ${longestObjects} characters`);
  if (text.split('\n', mostLines + 1).length > mostLines) throw invalid(`objects has more than ${mostLines} lines`);
  const { values, parts, problem } = await read({ texts: [text], parts: 0 });
  if (problem !== undefined) throw invalid(`failed to yaml unmarshal objects: ${problem}`);
  const [document] = values;
  // As upstream, `array:` without objects is a volume without files.
  const list = isObject(document) && 'array' in document ? (document['array'] ?? []) : undefined;
  if (!Array.isArray(list)) {
    const members = isObject(document) ? Object.keys(document).slice(0, 5) : [];
    const instead = members.length === 0 ? '' : `; it has ${members.map((name) => name.slice(0, 40)).join(', ')}`;
    throw invalid(
      `failed to yaml unmarshal objects: it must have a list \`array\` of objects, each of them after \`- |\`${instead}`,
    );
  }
  if (list.length > mostObjects) throw invalid(`objects has more than ${mostObjects} objects`);
  const objects: ProviderObject[] = [];
  for (let partsSoFar = parts; objects.length < list.length; ) {
    const first = objects.length;
    const items: unknown[] = list.slice(first, first + objectsAtOnce);
    const texts = items.map((item) => (typeof item === 'string' ? item : ''));
    const answer = await read({ texts, parts: partsSoFar });
    partsSoFar = answer.parts;
    for (const [index, item] of items.entries()) {
      const which = `failed to unmarshal the object at index ${first + index} of objects`;
      if (typeof item !== 'string') throw invalid(`${which}: it must be a text, written after \`- |\``);
      if (index >= answer.values.length) throw invalid(`${which}: ${answer.problem}`);
      objects.push(readObject(answer.values[index], which, defaultMode));
    }
  }
  const selections = objects.filter(({ select }) => select).length;
  if (selections > mostSelections) {
    throw invalid(`objects has ${selections} patterns and tags, ${mostSelections} is the most`);
  }
  const versions = objects.reduce((sum, { history }) => sum + history, 0);
  if (versions <= mostVersionsOfClass) return objects;
  throw invalid(`objects asks for ${versions} versions (objectVersionHistory), ${mostVersionsOfClass} is the most`);
}

/** Prefixes the reason with the object, as the Azure provider does. */
export function failedToGet(label: string, error: unknown): string {
  return `failed to get ${label}: ${messageOf(error)}`;
}

/** Prefixes the reason of a failure with the object. */
export function withObjectName<T>({ label }: ProviderObject, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AzimuthError)) throw error;
    const { code, retryAfterMs } = error;
    throw new AzimuthError(code, failedToGet(label, error), {
      cause: error,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });
}

function readObject(members: unknown, which: string, defaultMode: number): ProviderObject {
  if (!isObject(members)) throw invalid(`${which}: it must have objectName and objectType`);
  const member = (name: ProviderObjectMember): string => {
    const value = members[name] ?? '';
    if (typeof value !== 'string') throw invalid(`${which}: ${name} must be a text`);
    return normalizeText(value);
  };
  const [name, typeName, given] = [member('objectName'), member('objectType'), member('objectVersion')];
  const selected = { pattern: member('objectNamePattern'), tag: member('objectTag') };
  const isSelection = selected.pattern !== '' || selected.tag !== '';
  const label = isSelection ? selectionLabel(typeName, selected) : labelOf(typeName, name, given);
  try {
    if (!isSelection && !objectNamePattern.test(name)) {
      throw invalid('objectName must be 1 to 127 letters, digits and hyphens');
    }
    const type = objectTypes.find((each) => each === typeName);
    if (type === undefined) throw invalid(`invalid objectType: ${typeName}, should be secret, key or cert`);
    const version = given === 'latest' ? '' : given;
    if (!versionPattern.test(version)) throw invalid('objectVersion is no version id');
    const file = member('objectAlias') || (isSelection ? namePlaceholder : name);
    checkRelativePath(file, 'objectAlias');
    const history = historyOf(member('objectVersionHistory'));
    if (isSelection && (name !== '' || version !== '' || history > 1)) {
      throw invalid('objectNamePattern and objectTag go without objectName, objectVersion and objectVersionHistory');
    }
    const select = isSelection ? objectSelection({ ...selected, file }) : undefined;
    const jsonKey = member('objectJsonKey');
    checkJsonKey(jsonKey, type, member('objectFormat'));
    return {
      name,
      type,
      version,
      file,
      label,
      format: providerFormat(member('objectFormat'), type),
      encoding: providerEncoding(member('objectEncoding'), type),
      ...(jsonKey !== '' && { jsonKey }),
      history,
      ...(select && { select }),
      mode: permissionOf(member('filePermission')) ?? defaultMode,
    };
  } catch (error) {
    throw invalid(failedToGet(label, error));
  }
}

function checkJsonKey(key: string, type: string, format: string): void {
  if (key === '') return;
  if (type !== 'secret' || format.toLowerCase() === 'pfx') {
    throw invalid('objectJsonKey is for objectType: secret without objectFormat: pfx');
  }
  const problem = jsonKeyProblem(key);
  if (problem !== undefined) throw invalid(`objectJsonKey ${problem}`);
}

function historyOf(text: string): number {
  if (text === '') return 1;
  const history = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (history <= mostVersions) return Math.max(1, history);
  throw invalid(`objectVersionHistory must be a whole number up to ${mostVersions}`);
}

function permissionOf(text: string): number | undefined {
  try {
    return filePermission(text);
  } catch {
    throw invalid(`invalid filePermission: ${text.slice(0, 20)}, should be an octal mode up to 0777, such as "0440"`);
  }
}

function invalid(message: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', message);
}
