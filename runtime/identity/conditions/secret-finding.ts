import { identitySecretProblem, readIdentitySecret } from '../../azure/identity/identity-secret.ts';
import { backoff } from '../../base/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import type { Slots } from '../../base/http/slots.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { secretsType } from '../objects.ts';

/** Pending: the answer is on its way; unknown: it does not come; unusable: what is wrong with the content. */
export type ContentState = 'usable' | 'pending' | { readonly unknown: string } | { readonly unusable: string };

export interface SecretFindingOptions {
  readonly runtime: Runtime;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Type of the identities that use it: 1 or 2. */
  readonly type: number | undefined;
  /** Shared by all Secrets: so many are read at a time. */
  readonly slots: Slots;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** There is news. */
  readonly wake: () => void;
  /** How long failing may take before it is told, milliseconds. */
  readonly patienceMs: number;
}

/** Shortest time between two readings of one Secret, milliseconds: whoever writes it chooses how often it changes. */
const restMs = 1000;
/** The same as a multiple of the time that the last one took, and its longest. */
const restFactor = 5;
const maxRestMs = 15_000;

/**
 * Whether a Secret can serve identities of one type. Each version is read once, by a LIST of its name, which `list` allows
 * where `get` is not granted; what is found is kept, the content is not.
 */
export class SecretFinding {
  readonly #options: SecretFindingOptions;
  #found: { readonly versions: readonly string[]; readonly state: ContentState } | undefined;
  #failed: { readonly since: number; readonly why: string } | undefined;
  #wanted: string | undefined;
  #working = false;

  constructor(options: SecretFindingOptions) {
    this.#options = options;
  }

  /** What is known of the version that the watch shows, which is read unless that is known. */
  of(version: string): ContentState {
    this.#wanted = version;
    if (this.#found?.versions.includes(version)) return this.#found.state;
    if (!this.#working) {
      this.#working = true;
      // It ends by the signal alone.
      this.#work().catch(() => undefined);
    }
    const { runtime, patienceMs } = this.#options;
    const failed = this.#failed;
    const late = failed && runtime.clock.monotonic() - failed.since >= patienceMs;
    return late ? { unknown: failed.why } : 'pending';
  }

  async #work(): Promise<void> {
    const { slots, signal, wake, runtime } = this.#options;
    for (let tries = 0; this.#wanted !== undefined && !this.#found?.versions.includes(this.#wanted); ) {
      await slots.take([signal]);
      const began = runtime.clock.monotonic();
      try {
        await this.#read(this.#wanted);
        this.#failed = undefined;
        tries = 0;
      } catch (error) {
        this.#failed ??= { since: began, why: messageOf(error) };
        tries++;
      } finally {
        slots.give();
      }
      wake();
      const took = runtime.clock.monotonic() - began;
      const restedMs = Math.min(maxRestMs, Math.max(restMs, restFactor * took));
      await runtime.clock.sleep(tries > 0 ? backoff(tries - 1, { maxMs: maxRestMs }) : restedMs, signal);
    }
    this.#working = false;
  }

  async #read(wanted: string): Promise<void> {
    const { runtime, secret, type, signal } = this.#options;
    const { namespace, name } = secret;
    const {
      items: [object],
    } = await runtime.client.list<KubeObject>(secretsType, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    if (!object) {
      // Gone: the watch will say so.
      this.#wanted = undefined;
      return;
    }
    const state = await judge(object['data'] ?? {}, type, `${namespace}/${name}`);
    // It may be a later version than the one the watch has shown so far.
    this.#found = { versions: [wanted, object.metadata.resourceVersion ?? wanted], state };
  }
}

async function judge(data: Record<string, string>, type: number | undefined, id: string): Promise<ContentState> {
  try {
    const problem = await identitySecretProblem(readIdentitySecret(data, type, id), `the Secret ${id}`);
    return problem ? { unusable: problem.message } : 'usable';
  } catch (error) {
    // Whoever did not foresee this did not keep values out of its message either.
    throw new Error(`its content could not be judged (${Error.isError(error) ? error.name : typeof error})`);
  }
}
