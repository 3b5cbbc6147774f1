import { checkIdentitySecret, readIdentitySecret } from '../../azure/identity/identity-secret.ts';
import { backoff } from '../../base/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import type { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { secretsType } from '../objects.ts';

/** Pending: the answer is on its way; unknown: it does not come; unusable: what is wrong with the content. */
export type ContentState =
  | 'usable'
  | { readonly certificateUntil: number }
  | 'pending'
  | { readonly unknown: string }
  | { readonly unusable: string };

export interface SecretFindingOptions {
  readonly runtime: Runtime;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Type of the identities that use it: 1 or 2. */
  readonly type: number | undefined;
  /** Shared by all Secrets: so many are read at a time, in turns by namespace. */
  readonly semaphore: FairSemaphore;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** The state changed. */
  readonly changed: () => void;
  /** How long a failure is not reported, milliseconds. */
  readonly waitAtMostMs: number;
}

/** Shortest time between two reads of one Secret, milliseconds: its author chooses how often it changes. */
const pauseMs = 1000;
/** The same as a multiple of the time that the last one took, and its longest. */
const pauseFactor = 5;
const maxPauseMs = 15_000;

/**
 * Whether a Secret can serve identities of one type. Each version is read once, by a LIST of its name, which `list` allows
 * where `get` is not granted; the result is kept, the content is not.
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

  /** The state of this version, which is read unless it is known. */
  of(version: string): ContentState {
    this.#wanted = version;
    if (this.#found?.versions.includes(version)) return this.#found.state;
    if (!this.#working) {
      this.#working = true;
      // It ends by the signal alone.
      this.#work().catch(() => undefined);
    }
    const { runtime, waitAtMostMs } = this.#options;
    const failed = this.#failed;
    const late = failed && runtime.clock.monotonic() - failed.since >= waitAtMostMs;
    return late ? { unknown: failed.why } : 'pending';
  }

  async #work(): Promise<void> {
    const { semaphore, secret, signal, changed, runtime } = this.#options;
    for (let tries = 0; this.#wanted !== undefined && !this.#found?.versions.includes(this.#wanted); ) {
      const wanted = this.#wanted;
      let began = runtime.clock.monotonic();
      try {
        await semaphore.run(secret.namespace, signal, () => {
          began = runtime.clock.monotonic();
          return this.#read(wanted);
        });
        this.#failed = undefined;
        tries = 0;
      } catch (error) {
        signal.throwIfAborted();
        this.#failed ??= { since: began, why: messageOf(error) };
        tries++;
      }
      changed();
      const took = runtime.clock.monotonic() - began;
      const pausedMs = Math.min(maxPauseMs, Math.max(pauseMs, pauseFactor * took));
      await runtime.clock.sleep(tries > 0 ? backoff(tries - 1, { maxMs: maxPauseMs }) : pausedMs, signal);
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
    const state = await stateOf(object['data'] ?? {}, type, `${namespace}/${name}`);
    // It may be a later version than the one the watch has shown so far.
    this.#found = { versions: [wanted, object.metadata.resourceVersion ?? wanted], state };
  }
}

async function stateOf(data: Record<string, string>, type: number | undefined, id: string): Promise<ContentState> {
  try {
    const check = await checkIdentitySecret(readIdentitySecret(data, type, id), `the Secret ${id}`);
    if (check.problem) return { unusable: check.problem.message };
    return check.expiresAt === undefined ? 'usable' : { certificateUntil: check.expiresAt };
  } catch (error) {
    // An unexpected message may repeat a value.
    throw new Error(`its content could not be checked (${Error.isError(error) ? error.name : typeof error})`);
  }
}
