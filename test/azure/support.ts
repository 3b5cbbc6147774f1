import type { AccessToken, Authorizer, CloudEnvironment, TokenParameters } from '../../runtime/azure/types.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';

/** A cloud whose Microsoft Entra ID and ARM have one address. */
export function cloudAt(url: string): CloudEnvironment {
  return {
    name: 'test',
    authorityHost: url,
    resourceManagerEndpoint: url,
    resourceManagerAudience: 'https://management.test',
    keyVaultDnsSuffix: 'vault.test',
    keyVaultAudience: 'https://vault.test',
  };
}

export function dispatcherFor(ca: string) {
  return createDispatcher({ proxy: 'none', ...(ca ? { ca } : {}) });
}

/** Gives token-1, token-2 and so on, and remembers what it was asked. */
export function countingAuthorizer(now: () => number = Date.now): Authorizer & { readonly asked: TokenParameters[] } {
  const asked: TokenParameters[] = [];
  return {
    description: 'counting authorizer',
    asked,
    getToken: async (request): Promise<AccessToken> => {
      asked.push(request);
      return { token: `token-${asked.length}`, expiresOn: now() + 3_600_000 };
    },
  };
}
