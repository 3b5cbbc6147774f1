import { resolve } from 'node:path';
import { readBoundedFile } from '../../../base/bounded-file.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { Authorizer } from '../../types.ts';
import type { EntraDeps } from '../entra-client.ts';
import { clientCertificateAuthorizer } from './client-certificate.ts';

/** Bytes. A certificate chain with its key takes a few thousand. */
const maxBytes = 256 * 1024;

/** The identity file that a Secret names, and the limits of its path. */
export interface IdentityFileOptions {
  /** As the Secret names it; the author of the Secret chooses it. */
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
export function identityFileAuthorizer(options: IdentityFileOptions, deps: EntraDeps): Authorizer {
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
        const content = (await readBoundedFile(path, { maxBytes, directories })).toString('utf8');
        certificate = (JSON.parse(content) as Record<string, unknown>)['client_secret'];
      } catch {
        // Without the cause: it would quote the file.
        throw failed('cannot be read as JSON');
      }
      if (typeof certificate !== 'string' || certificate === '') throw failed('has no client_secret');
      const source = `the identity file ${path}`;
      return clientCertificateAuthorizer({ tenantId, clientId, certificate, source }, deps).getToken(request);
    },
  };
}

function isWithin(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path.startsWith(`${resolve(directory)}/`));
}
