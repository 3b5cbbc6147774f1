import type { ObjectType } from '../../api/volumes/vault-objects.ts';
import type { VaultCollection } from '../../azure/key-vault-objects.ts';
import { AzimuthError } from '../../base/errors.ts';
import { type FetchOptions, readEach, type VaultReader } from '../fetch.ts';
import { keyContent } from '../formats.ts';
import { type ProviderFile, providerCertificate, providerSecretFiles } from '../provider-objects.ts';
import type { MountAnswer, MountFile, ObjectVersion } from './messages.ts';
import { failedToGet, type ProviderObject } from './provider-object.ts';

/** The driver takes messages up to 4 MiB; some of it is for names and framing. */
export const mostBytes = 4 * 1024 * 1024 - 64 * 1024;

const collections: Readonly<Record<ObjectType, VaultCollection>> = {
  secret: 'secrets',
  key: 'keys',
  cert: 'certificates',
};

interface Made {
  readonly version: ObjectVersion;
  readonly files: readonly MountFile[];
}

/**
 * Files and versions of a SecretProviderClass. `separate` adds `.crt` and `.key` beside each certificate. Throws as the
 * object that cannot be had does, with its name in front.
 */
export async function providerFiles(
  objects: readonly ProviderObject[],
  options: FetchOptions & { readonly separate: boolean },
): Promise<MountAnswer> {
  const make = (object: ProviderObject, reader: VaultReader): Promise<Made[]> =>
    makeObject(object, reader, options.separate).catch((error: unknown) => {
      if (!(error instanceof AzimuthError)) throw error;
      const { code, retryAfterMs } = error;
      throw new AzimuthError(code, failedToGet(object.told, error), {
        cause: error,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      });
    });
  const made = (await readEach(objects, make, options)).flat();
  const files = made.flatMap((each) => each.files);
  checkLayout(files);
  const versions = new Map(made.map(({ version }) => [`${version.id}/${version.version}`, version]));
  return { versions: [...versions.values()], files };
}

async function makeObject(object: ProviderObject, reader: VaultReader, separate: boolean): Promise<Made[]> {
  if (object.history <= 1) return [await makeVersion(object, object.file, reader, separate)];
  const all = await reader.versions(collections[object.type], object.name);
  const usable = all.filter(({ enabled, version }) => enabled && version !== undefined);
  const first = object.version === '' ? 0 : usable.findIndex(({ version }) => version === object.version);
  if (first < 0 || usable.length === 0) {
    throw new AzimuthError('AZ_VOLUME_CONTENT', 'the vault has no such version that is enabled; mend objectVersion');
  }
  const chosen = usable.slice(first, first + object.history);
  return Promise.all(
    chosen.map(async ({ version = '' }, index) => {
      const made = await makeVersion({ ...object, version }, `${object.file}/${index}`, reader, separate);
      return { ...made, version: { ...made.version, id: `${made.version.id}/${index}` } };
    }),
  );
}

async function makeVersion(
  object: ProviderObject,
  file: string,
  reader: VaultReader,
  separate: boolean,
): Promise<Made> {
  const { version, files } = await read(object, reader, separate);
  return {
    version: { id: `${object.type}/${object.name}`, version },
    files: files.map(({ suffix, content }) => ({ path: `${file}${suffix}`, mode: object.mode, contents: content })),
  };
}

async function read(
  object: ProviderObject,
  reader: VaultReader,
  separate: boolean,
): Promise<{ readonly version: string; readonly files: readonly ProviderFile[] }> {
  const { name, version, type } = object;
  switch (type) {
    case 'secret': {
      const secret = await reader.secret(name, version);
      const files = await providerSecretFiles(object, secret, object.format, separate);
      return { version: secret.version ?? '', files };
    }
    case 'key': {
      const key = await reader.key(name, version);
      return { version: key.version ?? '', files: [{ suffix: '', content: keyContent(object, key) }] };
    }
    case 'cert': {
      const certificate = await reader.certificate(name, version);
      return { version: certificate.version ?? '', files: [{ suffix: '', content: providerCertificate(certificate) }] };
    }
  }
}

/** Every path once, none of them also a directory of another, and all within what the driver takes. */
function checkLayout(files: readonly MountFile[]): void {
  const paths = new Set<string>();
  for (const { path } of files) {
    const key = path.normalize('NFC');
    if (paths.has(key)) throw collision(path);
    paths.add(key);
  }
  for (const path of paths) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (paths.has(path.slice(0, at))) throw collision(path.slice(0, at));
    }
  }
  const bytes = files.reduce((sum, { path, contents }) => sum + contents.length + Buffer.byteLength(path) + 32, 0);
  if (bytes <= mostBytes) return;
  throw new AzimuthError(
    'AZ_VOLUME_MOUNT',
    `The files take ${bytes} bytes and the CSI driver takes ${mostBytes} at once; spread the objects over several SecretProviderClasses`,
    { retryable: false },
  );
}

function collision(path: string): AzimuthError {
  return new AzimuthError(
    'AZ_CONFIG_INVALID',
    `two objects would both be the file "${path}"; give them different names in objectAlias`,
  );
}
