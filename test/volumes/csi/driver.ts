import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type ServiceError, status } from '@grpc/grpc-js';
import type { ProviderClient, ProviderFile } from './client.ts';

/**
 * What the Secrets Store CSI driver does with a provider's answer, up to the files in the volume (its provider client and
 * file writer, v1.0 to v1.6). A mount that it would fail rejects with the reason that it would give.
 */
export async function mountAsDriver(
  client: ProviderClient,
  target: string,
  ...[attributes, more]: Parameters<ProviderClient['mount']>
): Promise<Record<string, string>> {
  const answer = await mountWithRetries(client, [attributes, { ...more, targetPath: target }]);
  const { code = '' } = (answer.error ?? {}) as { readonly code?: string };
  if (code !== '') throw new Error(`mount request failed with provider error code ${code}`);
  if (answer.object_version.length === 0) throw new Error('missing object versions');
  // Without files, the driver believes that the provider has written them itself.
  if (answer.files.length > 0) writePayloads(target, answer.files);
  return Object.fromEntries(answer.object_version.map(({ id, version }) => [id, version]));
}

/** Three attempts, and only upon UNAVAILABLE; a message over 4 MiB is RESOURCE_EXHAUSTED, of the client's own. */
async function mountWithRetries(client: ProviderClient, request: Parameters<ProviderClient['mount']>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.mount(...request);
    } catch (error) {
      if ((error as ServiceError).code !== status.UNAVAILABLE || attempt === 3) throw error;
    }
  }
}

function writePayloads(target: string, files: readonly ProviderFile[]): void {
  for (const { path } of files) checkPath(path);
  const fresh = mkdtempSync(join(target, '..2026_01_02_03_04_05.'));
  chmodSync(fresh, 0o755);
  for (const { path, mode, contents } of files) {
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) throw new Error(`mode ${mode} of ${path} is none`);
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    // A directory is in its place where one path goes through another.
    writeFileSync(join(fresh, path), contents);
    chmodSync(join(fresh, path), mode);
  }
  for (const { path } of files) {
    const [name = ''] = path.split('/');
    if (tryReadLink(join(target, name)) === undefined) symlinkSync(join('..data', name), join(target, name));
  }
  const before = tryReadLink(join(target, '..data'));
  symlinkSync(fresh.slice(target.length + 1), join(target, '..data_tmp'));
  renameSync(join(target, '..data_tmp'), join(target, '..data'));
  if (before !== undefined) rmSync(join(target, before), { recursive: true });
}

/** Of the driver's atomic writer, with the check before it that the path is in its shortest form. */
function checkPath(path: string): void {
  const items = path.split('/');
  if (path === '') throw new Error('invalid path: must not be empty');
  if (path.startsWith('/')) throw new Error(`invalid path: must be relative path: ${path}`);
  if (Buffer.byteLength(path) > 4096) throw new Error('invalid path: must be less than or equal to 4096 characters');
  if (items.includes('..')) throw new Error(`invalid path: must not contain '..': ${path}`);
  if (items.some((item) => Buffer.byteLength(item) > 255)) throw new Error('invalid path: filenames are too long');
  if (items[0]?.startsWith('..')) throw new Error(`invalid path: must not start with '..': ${path}`);
  // Go's path.Clean drops a slash at the end, which this one keeps.
  if (posix.normalize(path).replace(/\/$/, '') !== path) throw new Error(`invalid filepath: ${path}`);
}

function tryReadLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
