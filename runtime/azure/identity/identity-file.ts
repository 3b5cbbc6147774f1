import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import type { Authorizer } from '../types.ts';
import { clientCertificateAuthorizer } from './client-certificate-authorizer.ts';
import type { AadContext } from './entra-client.ts';

/** Bytes. A certificate chain with its key takes a few thousand. */
const maxBytes = 256 * 1024;

export interface IdentityFileOptions {
  /** As the Secret names it: whoever writes the Secret chooses it. */
  readonly path: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Where such files may lie (`--identity-file-directories`). */
  readonly directories: readonly string[];
}

/**
 * A first-party identity file: client id, tenant and a PKCS#12 certificate in base64. Somebody rotates the file on disk, so
 * the authorizer reads it for every token.
 */
export function identityFileAuthorizer(options: IdentityFileOptions, context: AadContext): Authorizer {
  const { path, tenantId, clientId, directories } = options;
  const description = `identity file ${path} of client ${clientId} in tenant ${tenantId}`;
  const failed = (reason: string) => new AzimuthError('AZ_AUTH_FAILED', `The identity file ${path} ${reason}`);
  return {
    description,
    async getToken(request) {
      if (!isWithin(resolve(path), directories)) {
        throw failed(
          'lies in none of the directories of --identity-file-directories (AZURE_IDENTITY_FILE_DIRECTORIES)',
        );
      }
      let certificate: unknown;
      try {
        const real = await realpath(path);
        const roots = await Promise.all(directories.map((directory) => realpath(directory).catch(() => directory)));
        if (!isWithin(real, roots)) throw new Error('a link leads out of the directories');
        certificate = (JSON.parse(await readBounded(real)) as Record<string, unknown>)['client_secret'];
      } catch {
        // Without the cause: it would quote the file.
        throw failed('cannot be read as JSON');
      }
      if (typeof certificate !== 'string' || certificate === '') throw failed('has no client_secret');
      const source = `the identity file ${path}`;
      return clientCertificateAuthorizer({ tenantId, clientId, certificate, source }, context).getToken(request);
    },
  };
}

function isWithin(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path.startsWith(`${resolve(directory)}/`));
}

/** Reads a regular file of at most `maxBytes`, whatever size its metadata has: files of /proc say 0. */
async function readBounded(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('no regular file');
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (length > maxBytes) throw new Error('too long');
      if (bytesRead === 0) return buffer.toString('utf8', 0, length);
    }
  } finally {
    await handle.close();
  }
}
