import { refusesCredential } from '../../../azure/identity/entra-errors.ts';
import { messageOf } from '../../../base/errors.ts';
import { KubeStatusError } from '../../../kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../../../kube/client/types.ts';
import type { VolumeSpec } from '../../options/volume-spec.ts';
import type { Pod } from '../pods.ts';

/** Which Secrets the agent may read. */
export interface RenewalsDeps {
  readonly client: KubeClient;
  /** Secrets that the agent may read, as `namespace/name`. */
  readonly secrets: readonly string[];
}

/** The options of a volume with the current content of its Secret, `namespace/name`. */
export interface Renewed {
  readonly document: string;
  readonly secret: string;
}

/** The renewal of a credential that Entra refused; `advice`: how to fix it where there is none. */
export type Renewal = Renewed | { readonly advice: string };

const secretsType: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
/** The only type of Secret that kubelet accepts for this driver. */
const secretType = 'azure/kv';
const keyPrefix = 'kubernetes.io/secret/';
/** Whether Entra refused the service principal itself: its secret is wrong or expired, or the application is gone. */
export function refusesPrincipal({ identity }: VolumeSpec, error: unknown): boolean {
  return identity.mode === 'service-principal' && refusesCredential(error);
}

/**
 * Renews service principals. kubelet passes one only at the mount. When Entra refuses it later, the pod's Secret may
 * have a new one; the agent reads it only where it may read that very Secret.
 */
export class Renewals {
  readonly #deps: RenewalsDeps;

  constructor(deps: RenewalsDeps) {
    this.#deps = deps;
  }

  /** `volume` is its name in the pod. Throws transient errors. */
  async renewed(document: string, volume: string, pod: Pod | undefined, signal: AbortSignal): Promise<Renewal> {
    const restart = 'renew its Secret and restart the pod, which hands the new one over';
    const { namespace = '' } = pod?.metadata ?? {};
    const name = pod && secretOf(pod, volume);
    if (name === undefined) return { advice: restart };
    const secret = `${namespace}/${name}`;
    if (!this.#deps.secrets.includes(secret)) {
      return { advice: `renew the Secret ${secret} and restart the pod, or let the agents read it (renewableSecrets)` };
    }
    try {
      const { data, type } = await this.#deps.client.get(secretsType, { namespace, name }, signal);
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

/** The Secret of the pod's volume; undefined for a persistent volume, whose Secret the pod does not name. */
function secretOf(pod: Pod, volume: string): string | undefined {
  const volumes: readonly { readonly name: string; readonly secret: string }[] = pod['secrets'] ?? [];
  return volumes.find(({ name }) => name === volume)?.secret;
}

/** The options as kubelet would build them from the current Secret, whose data are base64 already. */
function withSecret(document: string, data: Readonly<Record<string, string>> = {}): string {
  const options = JSON.parse(document) as Record<string, string>;
  const kept = Object.entries(options).filter(([name]) => !name.startsWith(keyPrefix));
  const before = Object.entries(options).filter(([name]) => name.startsWith(keyPrefix));
  const now = Object.entries(data).map(([name, value]): [string, string] => [keyPrefix + name, value]);
  const same = now.length === before.length && now.every(([name, value]) => options[name] === value);
  return same ? document : JSON.stringify(Object.fromEntries([...kept, ...now]));
}
