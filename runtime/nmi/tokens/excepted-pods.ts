import type { PodByAddress } from '../pods/pod-by-address.ts';
import { httpErrors } from '../protocol/http-error.ts';
import type { Identities } from './identity-lookup.ts';

/** Pods that have the identities of the machine. */
export class ExceptedPods {
  readonly #pods: Pick<PodByAddress, 'find'>;
  readonly #identities: Pick<Identities, 'of' | 'synced'>;

  constructor(pods: Pick<PodByAddress, 'find'>, identities: Pick<Identities, 'of' | 'synced'>) {
    this.#pods = pods;
    this.#identities = identities;
  }

  /** Whether the pod with this source address is one. Throws an HTTP error. */
  async has(address: string, signal: AbortSignal): Promise<boolean> {
    const { value: pod } = await this.#pods.find(address, signal);
    if (this.#identities.of(pod).value.excepted) return true;
    if (!this.#identities.synced) throw httpErrors.starting();
    return false;
  }
}
