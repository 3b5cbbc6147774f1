import { AzimuthError } from '../../base/errors.ts';
import { convertInTurn, mostValueLength } from '../vault/conversion.ts';
import { type FetchOptions, readEach, type VaultReader } from '../vault/fetch.ts';
import { keyContent } from '../vault/formats.ts';
import {
  jsonMemberFiles,
  type ProviderFile,
  providerCertificate,
  providerSecretFiles,
} from '../vault/provider-objects.ts';
import type { MountAnswer, MountFile, ObjectVersion } from './messages.ts';
import { type ProviderObject, withObjectName } from './provider-object.ts';
import { collections, selectedObjects } from './selected-objects.ts';

/** Most bytes of all files together: the driver accepts messages of 4 MiB, some of it for names and framing. */
export const mostBytes = 4 * 1024 * 1024 - 64 * 1024;

/** One version to read, for one or more files. */
interface RequestedVersion {
  readonly object: ProviderObject;
  readonly file: string;
  /** `secret/name`, followed by `/index` in a version history. */
  readonly id: string;
}

interface ReadVersion {
  readonly version: ObjectVersion;
  readonly files: readonly MountFile[];
}

/**
 * Reads the files and versions of a SecretProviderClass. `separate` adds `.crt` and `.key` beside each certificate.
 * Throws AzimuthError with the name of the failed object in front, or without one where files collide or take more
 * than `mostBytes`.
 */
export async function providerFiles(objects: readonly ProviderObject[], options: ReadOptions): Promise<MountAnswer> {
  const wanted = await requestedVersions(await selectedObjects(objects, options), options);
  let bytes = 0;
  const make = async (want: RequestedVersion, reader: VaultReader): Promise<ReadVersion> => {
    const made = await withObjectName(want.object, readVersion(want, reader, options));
    for (const { path, contents } of made.files) bytes += contents.length + Buffer.byteLength(path) + 32;
    // Checked after each object, so that no class fills the memory of the provider, which serves all pods of the node.
    if (bytes > mostBytes) throw tooMuch();
    return made;
  };
  const made = await readEach(wanted, make, options);
  const files = made.flatMap((each) => each.files);
  checkLayout(files);
  const versions = new Map(made.map(({ version }) => [`${version.id}/${version.version}`, version]));
  return { versions: [...versions.values()], files };
}

async function requestedVersions(
  objects: readonly ProviderObject[],
  options: ReadOptions,
): Promise<readonly RequestedVersion[]> {
  // No list of versions to read.
  if (objects.every(({ history }) => history <= 1)) return objects.map(newestVersion);
  const each = (object: ProviderObject, reader: VaultReader) => withObjectName(object, versionsOf(object, reader));
  return (await readEach(objects, each, options)).flat();
}

function newestVersion(object: ProviderObject): RequestedVersion {
  return { object, file: object.file, id: `${object.type}/${object.name}` };
}

async function versionsOf(object: ProviderObject, reader: VaultReader): Promise<RequestedVersion[]> {
  if (object.history <= 1) return [newestVersion(object)];
  const id = `${object.type}/${object.name}`;
  const all = await reader.versions(collections[object.type], object.name);
  const usable = all.filter(({ enabled, version }) => enabled && version !== undefined);
  const first = object.version === '' ? 0 : usable.findIndex(({ version }) => version === object.version);
  if (first < 0 || usable.length === 0) {
    throw new AzimuthError('AZ_VOLUME_CONTENT', 'the vault has no such version that is enabled; fix objectVersion');
  }
  return usable.slice(first, first + object.history).map(({ version = '' }, index) => ({
    object: { ...object, version },
    file: `${object.file}/${index}`,
    id: `${id}/${index}`,
  }));
}

/** How to read the files of a class. `separate`: whether to add `.crt` and `.key` beside each certificate. */
type ReadOptions = FetchOptions & { readonly separate: boolean };

async function readVersion(
  { object, file, id }: RequestedVersion,
  reader: VaultReader,
  options: ReadOptions,
): Promise<ReadVersion> {
  const { version, files } = await read(object, reader, options);
  return {
    version: { id, version },
    files: files.map(({ suffix, content }) => ({ path: `${file}${suffix}`, mode: object.mode, contents: content })),
  };
}

async function read(
  object: ProviderObject,
  reader: VaultReader,
  { separate, convert = convertInTurn, readKeyAndChain }: ReadOptions,
): Promise<{ readonly version: string; readonly files: readonly ProviderFile[] }> {
  const { name, version, type } = object;
  switch (type) {
    case 'secret': {
      const secret = await reader.secret(name, version);
      const make = () =>
        object.jsonKey === undefined
          ? providerSecretFiles(object, secret, object.format, separate, readKeyAndChain)
          : jsonMemberFiles(object, secret, object.jsonKey);
      // A value that is no certificate is only decoded: a few microseconds.
      const isPlain =
        object.jsonKey === undefined && secret.keyId === undefined && secret.value.length <= mostValueLength;
      const files = await (isPlain ? make() : convert(make));
      return { version: secret.version ?? '', files };
    }
    case 'key': {
      const key = await reader.key(name, version);
      const content = await convert(() => keyContent(object, key));
      return { version: key.version ?? '', files: [{ suffix: '', content }] };
    }
    case 'cert': {
      const certificate = await reader.certificate(name, version);
      const content = await convert(() => providerCertificate(certificate));
      return { version: certificate.version ?? '', files: [{ suffix: '', content }] };
    }
  }
}

/** The directories of relative paths, each once. */
export function directoriesOf(paths: Iterable<string>): Set<string> {
  const directories = new Set<string>();
  for (const path of paths) {
    // Versions of an object share their directories: thousands of long paths would take seconds.
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}

/** Checks that each path occurs once, and that none is also a directory of another. */
function checkLayout(files: readonly MountFile[]): void {
  const paths = new Set<string>();
  for (const { path } of files) {
    const key = path.normalize('NFC');
    if (paths.has(key)) throw collision(path);
    paths.add(key);
  }
  for (const directory of directoriesOf(paths)) if (paths.has(directory)) throw collision(directory);
}

function tooMuch(): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_MOUNT',
    `The files take more than ${mostBytes} bytes, which is what the CSI driver takes at once; spread the objects over several SecretProviderClasses`,
    { retryable: false },
  );
}

function collision(path: string): AzimuthError {
  return new AzimuthError(
    'AZ_CONFIG_INVALID',
    `two objects would both be the file "${path}"; give them different names in objectAlias`,
  );
}
