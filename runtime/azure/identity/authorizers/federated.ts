import { readBoundedFile } from '../../../base/bounded-file.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import type { Authorizer } from '../../types.ts';
import { type EntraDeps, requestToken } from '../entra-client.ts';

/** Options of the authorizer for a federated credential (workload identity). */
export interface FederatedOptions {
  readonly tenantId: string;
  readonly clientId: string;
  /** Gives the assertion, usually a service account token with audience api://AzureADTokenExchange; asked every time. */
  readonly assertion: (signal?: AbortSignal) => Promise<string>;
  /** Where the assertion comes from, for messages. @default 'workload identity' */
  readonly source?: string;
}

/** Workload identity federation: exchanges the token of another issuer for one of Microsoft Entra ID. */
export function federatedAuthorizer(options: FederatedOptions, deps: EntraDeps): Authorizer {
  const { tenantId, clientId, assertion, source = 'workload identity' } = options;
  const description = `${source} of client ${clientId} in tenant ${tenantId}`;
  return {
    description,
    getToken: async (request) =>
      requestToken(deps, { tenantId, clientId, description }, request, {
        client_assertion: await assertion(request.signal),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }),
  };
}

const maxTokenBytes = 65_536;

/** The assertion of a projected token file. Kubelet rewrites the file before the token ends, so it is read each time. */
export function assertionFromFile(path: string): (signal?: AbortSignal) => Promise<string> {
  return async (signal) => {
    let token: string;
    try {
      const content = await readBoundedFile(path, { maxBytes: maxTokenBytes, ...(signal && { signal }) });
      token = content.toString('utf8').trim();
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new AzimuthError('AZ_AUTH_FAILED', `The federated token file ${path} cannot be read: ${messageOf(cause)}`, {
        cause,
      });
    }
    if (token === '') throw new AzimuthError('AZ_AUTH_FAILED', `The federated token file ${path} is empty`);
    return token;
  };
}
