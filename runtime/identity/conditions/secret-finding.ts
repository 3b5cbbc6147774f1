import { checkIdentitySecret, readIdentitySecret } from '../../azure/identity/identity-secret.ts';
import { backoff } from '../../base/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import type { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { secretsType } from '../objects.ts';

/** pending: a read is in progress; unknown: reads fail, with the reason; unusable: the problem of the content. */
export type ContentState =
  | 'usable'
  | { readonly certificateUntil: number }
  | 'pending'
  | { readonly unknown: string }
  | { readonly unusable: string };

/** The Secret to check, and the shared limits. */
export interface SecretFindingDeps {
  readonly runtime: Runtime;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Type of the identities that use it: 1 or 2. */
  readonly type: number | undefined;
  /** Limits the concurrent reads of all Secrets; namespaces share it fairly. */
  readonly semaphore: FairSemaphore;
  /** Ends all reads. */
  readonly signal: AbortSignal;
  /** Called when the state changed. */
  readonly changed: () => void;
  /** How long reads may fail before the state is unknown, milliseconds. */
  readonly waitAtMostMs: number;
}

/** Shortest time between two reads of one Secret, milliseconds: its author chooses how often it changes. */
const pauseMs = 1000;
/** The pause as a multiple of the time of the last read, and its maximum. */
const pauseFactor = 5;
const maxPauseMs = 15_000;

/**
 * Whether a Secret is usable for identities of one type. Reads each version once, by a LIST with a field selector,
 * because the controller may have `list` and not `get`; remembers the result, never the content.
 */
export class SecretFinding {
  readonly #deps: SecretFindingDeps;
  #found: { readonly versions: readonly string[]; readonly state: ContentState } | undefined;
  #failed: { readonly since: number; readonly why: string } | undefined;
  #wanted: string | undefined;
  #working = false;

  constructor(deps: SecretFindingDeps) {
    this.#deps = deps;
  }

  /** The state of this version. Starts a read where it is not known. */
  of(version: string): ContentState {
    this.#wanted = version;
    if (this.#found?.versions.includes(version)) return this.#found.state;
    if (!this.#working) {
      this.#working = true;
      // Only the signal ends it with an error.
      this.#work().catch(() => undefined);
    }
    const { runtime, waitAtMostMs } = this.#deps;
    const failed = this.#failed;
    const late = failed && runtime.clock.monotonic() - failed.since >= waitAtMostMs;
    return late ? { unknown: failed.why } : 'pending';
  }

  async #work(): Promise<void> {
    const { semaphore, secret, signal, changed, runtime } = this.#deps;
    for (let tries = 0; this.#wanted !== undefined && !this.#found?.versions.includes(this.#wanted); ) {
      const version = this.#wanted;
      let began = runtime.clock.monotonic();
      try {
        await semaphore.run(secret.namespace, signal, () => {
          began = runtime.clock.monotonic();
          return this.#read(version);
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

  async #read(version: string): Promise<void> {
    const { runtime, secret, type, signal } = this.#deps;
    const { namespace, name } = secret;
    const {
      items: [object],
    } = await runtime.client.list<KubeObject>(secretsType, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    if (!object) {
      // Deleted: the watch will report it.
      this.#wanted = undefined;
      return;
    }
    const state = await stateOf(object['data'] ?? {}, type, `${namespace}/${name}`);
    // The LIST may return a later version than the watch has so far.
    this.#found = { versions: [version, object.metadata.resourceVersion ?? version], state };
  }
}

async function stateOf(data: Record<string, string>, type: number | undefined, id: string): Promise<ContentState> {
  try {
    const check = await checkIdentitySecret(readIdentitySecret(data, type, id), `the Secret ${id}`);
    if (check.problem) return { unusable: check.problem.message };
    return check.expiresAt === undefined ? 'usable' : { certificateUntil: check.expiresAt };
  } catch (error) {
    // An unexpected message may contain a value of the Secret.
    throw new Error(`its content could not be checked (${Error.isError(error) ? error.name : typeof error})`);
  }
}
