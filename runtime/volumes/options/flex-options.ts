import { checkCollisions, checkFileName } from '../../api/volumes/file-names.ts';
import { jsonKeyProblem } from '../../api/volumes/json-keys.ts';
import {
  formatsOf,
  mostObjects,
  type ObjectFormat,
  type ObjectType,
  objectFormats,
  objectNamePattern,
  objectTypes,
  shortestRefresh,
  tenantPattern,
  vaultNamePattern,
  versionPattern,
} from '../../api/volumes/vault-objects.ts';
import { cloudByName } from '../../azure/clouds.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { filePermission } from '../mount/file-mode.ts';
import { tryBoolean } from './boolean.ts';
import { type OptionName, type OptionRow, volumeOptions } from './table.ts';
import type { VolumeIdentity, VolumeObject, VolumeSpec } from './volume-spec.ts';

/** kubelet's keys of the pod; one Kubernetes document writes `pod.UID`. */
const podKeys = { namespace: 'pod.namespace', name: 'pod.name', uid: 'pod.uid' } as const;

/**
 * Reads the options of a FlexVolume `mount`: a flat JSON object of texts that kubelet builds from the pod's options,
 * its own keys and the Secret. The first problem throws AZ_CONFIG_INVALID with upstream's wording.
 */
export function readFlexOptions(document: string): VolumeSpec {
  const options = parse(document);
  const option = (name: OptionName): string => {
    const row: OptionRow = volumeOptions[name];
    return options.get(name) || (row.formerly === undefined ? '' : options.get(row.formerly)) || '';
  };
  const required = (name: OptionName): string => {
    const value = option(name);
    if (value === '') throw invalid(`${name} is empty`);
    return value;
  };
  const tenantId = required('tenantid');
  if (!tenantPattern.test(tenantId)) throw invalid('tenantid is no GUID or domain name');
  const vault = required('keyvaultname');
  if (!vaultNamePattern.test(vault)) {
    throw invalid('keyvaultname must be 3 to 24 letters, digits and hyphens, the name of a vault and not its address');
  }
  required('keyvaultobjectnames');
  required('keyvaultobjecttypes');
  const objects = readObjects(option);
  const pod = {
    namespace: options.get(`kubernetes.io/${podKeys.namespace}`) ?? '',
    name: options.get(`kubernetes.io/${podKeys.name}`) ?? '',
    uid: options.get(`kubernetes.io/${podKeys.uid}`) ?? options.get('kubernetes.io/pod.UID') ?? '',
  };
  const identity = readIdentity(option, options, pod);
  const cloudName = option('cloudname');
  if (cloudName.toLowerCase() !== 'azurestackcloud') checkCloud(cloudName);
  return {
    vault,
    tenantId,
    cloudName,
    region: option('region') || undefined,
    objects,
    identity,
    pod,
    filePermission: filePermission(option('filepermission')),
    fsGroup: groupId(option('fsgroup') || options.get('kubernetes.io/mounterArgs.FsGroup') || ''),
    refreshSeconds: refresh(option('refresh')),
  };
}

function parse(document: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    // The parser's message quotes the document, which contains the Secret.
    throw invalid('the options are no JSON document');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('the options are no JSON object');
  }
  const options = new Map<string, string>();
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== 'string') throw invalid(`the option ${JSON.stringify(name.slice(0, 80))} is no text`);
    options.set(name, normalizeText(content));
  }
  return options;
}

function readObjects(option: (name: OptionName) => string): VolumeObject[] {
  const names = option('keyvaultobjectnames').split(';').map(normalizeText);
  if (names.length > mostObjects) throw invalid(`keyvaultobjectnames has more than ${mostObjects} objects`);
  const list = (name: OptionName): string[] | undefined => {
    const text = option(name);
    if (text === '') return undefined;
    const values = text.split(';').map(normalizeText);
    if (values.length === names.length) return values;
    throw invalid(
      `${name} has ${count(values.length, 'value')} for ${count(names.length, 'name')} in keyvaultobjectnames`,
    );
  };
  const types = list('keyvaultobjecttypes') ?? [];
  const versions = list('keyvaultobjectversions');
  const aliases = list('keyvaultobjectaliases');
  const jsonKeys = list('keyvaultobjectjsonkeys');
  const oneFormat = option('keyvaultobjectformats');
  const formats = oneFormat.includes(';') ? list('keyvaultobjectformats') : names.map(() => oneFormat);
  const objects = names.map((name, index): VolumeObject => {
    if (!objectNamePattern.test(name)) {
      throw invalid(
        `keyvaultobjectnames has ${JSON.stringify(name.slice(0, 130))}; a name is 1 to 127 letters, digits and hyphens`,
      );
    }
    const type = oneOf(objectTypes, types[index] ?? '');
    if (type === undefined) throw invalid(`the type of "${name}" in keyvaultobjecttypes must be secret, key or cert`);
    const format = oneOf(objectFormats, formats?.[index]?.toLowerCase() || 'raw');
    if (format === undefined) {
      throw invalid(`the format of "${name}" in keyvaultobjectformats must be one of ${objectFormats.join(', ')}`);
    }
    checkFormat(name, type, format);
    const version = versions?.[index] ?? '';
    if (!versionPattern.test(version)) {
      throw invalid(`the version of "${name}" in keyvaultobjectversions is no version id`);
    }
    const file = aliases?.[index] || name;
    checkFileName(file, `the alias of "${name}",`);
    const jsonKey = jsonKeys?.[index] ?? '';
    checkJsonKey(name, jsonKey, type, format);
    return { name, type, version, file, format, encoding: 'utf-8', ...(jsonKey !== '' && { jsonKey }) };
  });
  checkCollisions(objects);
  return objects;
}

function checkFormat(name: string, type: ObjectType, format: ObjectFormat): void {
  const fits = formatsOf[type];
  if (fits.includes(format)) return;
  throw invalid(`the format ${format} of "${name}" is not one of a ${type}, which are ${fits.join(', ')}`);
}

function checkJsonKey(name: string, key: string, type: ObjectType, format: ObjectFormat): void {
  if (key === '') return;
  const problem = type === 'secret' && format === 'raw' ? jsonKeyProblem(key) : 'is for a secret in the format raw';
  if (problem !== undefined) throw invalid(`the key of "${name}" in keyvaultobjectjsonkeys ${problem}`);
}

function readIdentity(
  option: (name: OptionName) => string,
  options: ReadonlyMap<string, string>,
  pod: { readonly namespace: string; readonly name: string },
): VolumeIdentity {
  checkPort(option('nmiport'));
  const machine = flag('usevmmanagedidentity', option('usevmmanagedidentity'));
  if (flag('usepodidentity', option('usepodidentity'))) {
    if (pod.namespace === '') throw invalid('pod.namespace is empty');
    if (pod.name === '') throw invalid('pod.name is empty');
    // Both become HTTP headers.
    if (!/^[a-z0-9.-]+$/.test(pod.namespace + pod.name)) throw invalid('pod.namespace or pod.name is malformed');
    return { mode: 'pod' };
  }
  if (machine) {
    const clientId = option('vmmanagedidentityclientid');
    return { mode: 'vm', ...(clientId !== '' && { clientId }) };
  }
  const credentials = new Map<string, string>();
  for (const [key, value] of options) {
    const name = /^kubernetes\.io\/secret\/(.+)$/.exec(key)?.[1]?.toLowerCase();
    if (name !== undefined) credentials.set(name, normalizeText(Buffer.from(value, 'base64').toString('utf8')));
  }
  const credential = (name: string): string => {
    const value = credentials.get(name);
    if (value) return value;
    throw invalid(
      `secret/${name} is empty; name a Secret with clientid and clientsecret in secretRef, ` +
        'or set usepodidentity or usevmmanagedidentity',
    );
  };
  return { mode: 'service-principal', clientId: credential('clientid'), clientSecret: credential('clientsecret') };
}

function checkCloud(name: string): void {
  try {
    cloudByName(name);
  } catch (error) {
    throw invalid(`cloudname: ${messageOf(error)}`);
  }
}

function flag(name: OptionName, text: string): boolean {
  const value = tryBoolean(text);
  if (value === undefined) throw invalid(`${name} must be true or false`);
  return value;
}

/** Checks `nmiport` as upstream does. The agent does not use it, because it has the socket of its node daemon. */
function checkPort(text: string): void {
  const value = text === '' ? 1 : /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > 65_535) throw invalid('nmiport must be a whole number from 1 to 65535');
}

function groupId(text: string): number | undefined {
  if (text === '') return undefined;
  // chown(2) takes the last 32-bit id for "unchanged".
  if (/^\d{1,10}$/.test(text) && Number(text) < 0xffff_ffff) return Number(text);
  throw invalid('fsgroup must be a group id');
}

function refresh(text: string): number | undefined {
  if (/^\d+$/.test(text) && text.length < 8 && Number(text) >= shortestRefresh) return Number(text);
  if (/^[0-9]+$/.test(text) && !/^[01]$/.test(text))
    throw invalid(`refresh must be at least ${shortestRefresh} seconds`);
  return flag('refresh', text) ? 0 : undefined;
}

function oneOf<T extends string>(values: readonly T[], text: string): T | undefined {
  return values.find((value) => value === text);
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

function invalid(message: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', `validation failed, ${message}`);
}
