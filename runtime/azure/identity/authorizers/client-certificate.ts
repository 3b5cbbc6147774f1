import { readBoundedFile } from '../../../base/bounded-file.ts';
import { systemClock } from '../../../base/clock.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { type CertificateBundle, parseClientCertificate } from '../../certificates/certificate-bundle.ts';
import type { Authorizer } from '../../types.ts';
import { type EntraDeps, requestToken, tokenEndpoint } from '../entra-client.ts';
import { clientAssertion } from './client-assertion.ts';

/** Options of the authorizer for a service principal with a certificate. */
export interface ClientCertificateOptions {
  readonly tenantId: string;
  readonly clientId: string;
  /** PEM or PKCS#12 (see parseClientCertificate), or a file of either, which is read again for every token. */
  readonly certificate: Buffer | string | { readonly path: string };
  readonly password?: string | undefined;
  /** Where the certificate comes from, for messages. @default the path, or 'AZURE_CLIENT_CERTIFICATE' */
  readonly source?: string | undefined;
  /** Whether it is the program's own, and not that of a Secret in a namespace. @default false */
  readonly isProgramOwned?: boolean | undefined;
}

/** A service principal with a client certificate, as parseClientCertificate takes it. */
export function clientCertificateAuthorizer(options: ClientCertificateOptions, deps: EntraDeps): Authorizer {
  const { tenantId, clientId, certificate, password } = options;
  const file = typeof certificate === 'object' && 'path' in certificate ? certificate.path : undefined;
  const source = options.source ?? file ?? 'AZURE_CLIENT_CERTIFICATE';
  const description = `client certificate of client ${clientId} in tenant ${tenantId}`;

  const load = async (): Promise<CertificateBundle> => {
    const content = file === undefined ? (certificate as Buffer | string) : await read(file);
    return parseClientCertificate(content, password, source);
  };
  let parsed: Promise<CertificateBundle> | undefined;

  return {
    description,
    async getToken(request) {
      if (file === undefined) parsed ??= load();
      const bundle = await (parsed ?? load());
      const now = (deps.clock ?? systemClock).now();
      const [leaf] = bundle.chain;
      if (leaf) deps.certificates?.used(source, Date.parse(leaf.validTo), options.isProgramOwned ?? false);
      const audience = tokenEndpoint(deps.cloud, request.tenantId ?? tenantId);
      return requestToken(deps, { tenantId, clientId, description }, request, {
        client_assertion: await clientAssertion(bundle, clientId, audience, now),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
    },
  };
}

const maxCertificateBytes = 1_000_000;

async function read(path: string): Promise<Buffer> {
  try {
    return await readBoundedFile(path, { maxBytes: maxCertificateBytes });
  } catch (cause) {
    throw new AzimuthError('AZ_AUTH_FAILED', `The client certificate ${path} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}
