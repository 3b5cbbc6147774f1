import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedCache } from '../../base/shared-cache.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { ByNamespace } from '../by-namespace.ts';
import { type Pod, serviceAccountsType } from '../objects.ts';

/** The audience that Entra requires of a service account token that it exchanges. */
export const exchangeAudience = 'api://AzureADTokenExchange';
const lifetimeSeconds = 3600;
/** Tokens are exchanged this long before their end, because clocks differ. */
const marginMs = 5 * 60_000;
/** Most tokens of one namespace. */
const maxTokens = 500;

interface ServiceAccountToken {
  readonly token: string;
  readonly expiresOn: number;
}

/** Tokens of pods' own service accounts (TokenRequest), bound to the pod: they end with it. */
export class ServiceAccountTokens {
  readonly #client: KubeClient;
  readonly #tokens: ByNamespace<SharedCache<ServiceAccountToken>>;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    const ttlMs = (lifetimeSeconds * 1000) / 2;
    this.#tokens = new ByNamespace(() => new SharedCache({ clock, ttlMs, maxEntries: maxTokens }));
  }

  /**
   * A token of the pod's service account. Throws AccountRefused where the daemon may not request it, or it does not exist.
   */
  async of(pod: Pod): Promise<string> {
    const { namespace, name } = accountOf(pod);
    const issued = await this.#tokens.of(namespace).get(
      `${name}/${pod.metadata.uid}`,
      () => this.#request(pod),
      ({ expiresOn }) => expiresOn - marginMs,
    );
    return issued.token;
  }

  async #request(pod: Pod): Promise<ServiceAccountToken> {
    const { name, uid } = pod.metadata;
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: [exchangeAudience],
        expirationSeconds: lifetimeSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    };
    const signal = AbortSignal.timeout(10_000);
    const answer = await this.#client
      .createSubresource<TokenAnswer>(serviceAccountsType, accountOf(pod), 'token', body, signal)
      .catch((error: unknown) => {
        throw refusalOf(error, accountOf(pod)) ?? error;
      });
    const { token, expirationTimestamp } = answer.status ?? {};
    const expiresOn = Date.parse(expirationTimestamp ?? '');
    if (!token || Number.isNaN(expiresOn)) {
      throw new AzimuthError('AZ_KUBE_ANSWER', 'The API server answered a TokenRequest without a token');
    }
    return { token, expiresOn };
  }
}

interface TokenAnswer {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

/** The API server refused a TokenRequest, and will until a role changes or the account exists. */
export class AccountRefused extends AzimuthError {}

function refusalOf(error: unknown, { namespace, name }: { namespace: string; name: string }): AzimuthError | undefined {
  if (!(error instanceof KubeStatusError)) return undefined;
  const account = `service account ${namespace}/${name}`;
  const refused = (text: string) => new AccountRefused('AZ_CONFIG_INVALID', text, { cause: error });
  if (error.status === 404) return refused(`the ${account} of the pod, or the pod, does not exist any more`);
  if (error.status !== 403) return undefined;
  return refused(
    `the node daemon may not request tokens of the ${account}; name it in federatedAccounts of the NodeIdentity construct`,
  );
}

/** The service account that a pod runs as. */
export function accountOf(pod: Pod): { namespace: string; name: string } {
  return { namespace: pod.metadata.namespace ?? '', name: pod.spec?.serviceAccountName || 'default' };
}
