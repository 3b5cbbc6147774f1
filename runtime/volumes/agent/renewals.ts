import { AuthError } from '../../azure/identity/entra-errors.ts';
import { messageOf } from '../../base/errors.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../../kube/client/types.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import type { Pod } from './pods.ts';

export interface RenewalsOptions {
  readonly client: KubeClient;
  /** Secrets that may be read, as `namespace/name`. */
  readonly secrets: readonly string[];
}

/** The options of a volume with what its Secret, `namespace/name`, has now. */
export interface Renewed {
  readonly document: string;
  readonly secret: string;
}

/** What becomes of a credential that AAD refused; `advice` is what somebody has to do. */
export type Renewal = Renewed | { readonly advice: string };

const secretsType: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
/** kubelet takes no Secret of another type for this driver. */
const secretType = 'azure/kv';
const keyPrefix = 'kubernetes.io/secret/';
/** The application is not in the tenant: it may have been replaced with its Secret. */
const unknownApplication = 'AADSTS700016';

/** Whether AAD refused the service principal itself: its secret is wrong or has run out, or the application is gone. */
export function refusesPrincipal({ identity }: VolumeRequest, error: unknown): boolean {
  if (identity.mode !== 'service-principal' || !(error instanceof AuthError)) return false;
  return error.facts.oauthError === 'invalid_client' || error.facts.entraCode === unknownApplication;
}

/**
 * kubelet hands a service principal over at the mount and never again. Where it is refused later, the pod's own Secret may
 * have been renewed; it is looked at only where the agents may read that very Secret.
 */
export class Renewals {
  readonly #options: RenewalsOptions;

  constructor(options: RenewalsOptions) {
    this.#options = options;
  }

  /** `volume` is its name in the pod. Throws what may pass by itself. */
  async renewed(document: string, volume: string, pod: Pod | undefined, signal: AbortSignal): Promise<Renewal> {
    const restart = 'renew its Secret and restart the pod, which hands the new one over';
    const { namespace = '' } = pod?.metadata ?? {};
    const name = pod && secretOf(pod, volume);
    if (name === undefined) return { advice: restart };
    const secret = `${namespace}/${name}`;
    if (!this.#options.secrets.includes(secret)) {
      return { advice: `renew the Secret ${secret} and restart the pod, or let the agents read it (renewableSecrets)` };
    }
    try {
      const { data, type } = await this.#options.client.get(secretsType, { namespace, name }, signal);
      if (type !== secretType) return { advice: `the Secret ${secret} is not of the type ${secretType}` };
      const renewed = withSecret(document, data as Readonly<Record<string, string>> | undefined);
      if (renewed === document) return { advice: `renew the Secret ${secret}: it has no other credential yet` };
      return { document: renewed, secret };
    } catch (error) {
      if (!(error instanceof KubeStatusError && [403, 404].includes(error.status))) throw error;
      return { advice: `the Secret ${secret} cannot be read (${messageOf(error)}); ${restart}` };
    }
  }
}

/** The Secret that a pod names for its volume. One of a persistent volume is named elsewhere. */
function secretOf(pod: Pod, volume: string): string | undefined {
  const volumes: readonly { readonly name: string; readonly secret: string }[] = pod['secrets'] ?? [];
  return volumes.find(({ name }) => name === volume)?.secret;
}

/** The options as kubelet would make them of the Secret now. Members of an API object's data are base64 already. */
function withSecret(document: string, data: Readonly<Record<string, string>> = {}): string {
  const options = JSON.parse(document) as Record<string, string>;
  const kept = Object.entries(options).filter(([name]) => !name.startsWith(keyPrefix));
  const before = Object.entries(options).filter(([name]) => name.startsWith(keyPrefix));
  const now = Object.entries(data).map(([name, value]): [string, string] => [keyPrefix + name, value]);
  const same = now.length === before.length && now.every(([name, value]) => options[name] === value);
  return same ? document : JSON.stringify(Object.fromEntries([...kept, ...now]));
}
