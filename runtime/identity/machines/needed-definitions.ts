import { userAssignedIdentitiesType } from '../../api/pod-identity/identity-reference.ts';
import { messageOf } from '../../base/errors.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { removedDefinition } from '../../kube/client/removed-definition.ts';
import { isForbidden } from '../../kube/client/status-error.ts';
import { bindingsType, identitiesType } from '../objects.ts';

/** Milliseconds between two lines of the log. */
const logEveryMs = 600_000;
/** How long the kinds of the operator may be away; afterwards somebody has removed them, and keeps pod identity. */
const referencedAwayMs = 3_600_000;

/**
 * The definitions from whose objects the needs of machines follow. When one goes, the API server deletes its objects
 * first, as if nobody needed an identity any more.
 */
export class NeededDefinitions {
  readonly #runtime: Pick<Runtime, 'client' | 'clock' | 'log'>;
  readonly #loggedAt = new Map<string, number>();
  /**
   * Until when a missing definition of UserAssignedIdentity counts: it was there in this process, as clusters without the
   * operator have none.
   */
  #referencedUntil = Number.NEGATIVE_INFINITY;

  constructor(runtime: Pick<Runtime, 'client' | 'clock' | 'log'>) {
    this.#runtime = runtime;
  }

  /**
   * Whether one of them is gone or going. Reads from the API server, as a cache may lag behind. Without the right to list
   * definitions none counts as gone. Rejects where the API server does not answer.
   */
  async areRemoved(signal: AbortSignal): Promise<boolean> {
    try {
      const [binding, identity, referenced] = await Promise.all(
        [bindingsType, identitiesType, userAssignedIdentitiesType].map((type) =>
          removedDefinition(this.#runtime.client, type, signal),
        ),
      );
      const name = binding ?? identity ?? (this.#counts(referenced) ? referenced : undefined);
      if (name) this.#warn({ definition: name }, 'a definition of pod identity is gone or going: nothing is detached');
      return name !== undefined;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.#warn(
        { error: messageOf(error) },
        'no right to list definitions: identities are detached also when one is removed',
      );
      return false;
    }
  }

  #counts(referenced: string | undefined): boolean {
    const now = this.#runtime.clock.monotonic();
    if (referenced === undefined) this.#referencedUntil = Number.POSITIVE_INFINITY;
    else this.#referencedUntil = Math.min(this.#referencedUntil, now + referencedAwayMs);
    return now < this.#referencedUntil;
  }

  #warn(fields: object, message: string): void {
    const { clock, log } = this.#runtime;
    const now = clock.monotonic();
    if (now - (this.#loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    this.#loggedAt.set(message, now);
    log.warn(fields, message);
  }
}
