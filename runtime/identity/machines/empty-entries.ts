import type { IdentityVerifier } from '../verification/identity-verifier.ts';
import type { MachineState } from './machine-writer.ts';

/** What reads of a machine showed of the entry of one identity; times are monotonic milliseconds. */
interface Entry {
  /** The last client id that the machine showed, or that the identity had when this process attached it. */
  clientId: string | undefined;
  /** The first of the reads in a row without a client id. */
  emptySince: number | undefined;
  /** Whether a later read, after `confirmMs`, showed none either. */
  confirmed: boolean;
}

/**
 * The entries of one machine. Azure keeps the entry of a deleted identity without a client id, also when the identity
 * is created again: no pod gets a token by it. An entry is dead when two reads of the idle machine show no client id,
 * and a read of the identity after the first of them shows that it is gone, or has another client id than before.
 */
export class EmptyEntries {
  readonly #identities: Pick<IdentityVerifier, 'answerOf'>;
  readonly #confirmMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor(identities: Pick<IdentityVerifier, 'answerOf'>, confirmMs: number) {
    this.#identities = identities;
    this.#confirmMs = confirmMs;
  }

  /** Stores the result of a read. While an operation runs, an entry may have no client id yet. */
  observe(state: MachineState | undefined, now: number): void {
    for (const id of this.#entries.keys()) if (!state?.ids.has(id)) this.#entries.delete(id);
    for (const [id, clientId] of state?.clientIds ?? []) {
      this.#entries.set(id, { clientId, emptySince: undefined, confirmed: false });
    }
    if (state?.busy) return;
    for (const id of state?.emptyIds ?? []) {
      const {
        clientId,
        emptySince = now,
        confirmed,
      } = this.#entries.get(id) ?? { clientId: undefined, confirmed: false };
      this.#entries.set(id, { clientId, emptySince, confirmed: confirmed || now - emptySince >= this.#confirmMs });
    }
  }

  /** Ends the reads in a row for identities that a PATCH changed. */
  changed(identities: Iterable<string>): void {
    for (const id of identities) {
      const clientId = this.#identities.answerOf(id)?.clientId;
      this.#entries.set(id, { clientId, emptySince: undefined, confirmed: false });
    }
  }

  /** Whether the entry is dead. */
  isDead(identity: string): boolean {
    return this.#entries.get(identity)?.confirmed === true && this.#isChanged(identity);
  }

  /** Milliseconds until the second read of an entry whose identity is gone or changed; undefined where none is needed. */
  secondReadMs(identity: string, now: number): number | undefined {
    const { emptySince, confirmed } = this.#entries.get(identity) ?? {};
    if (emptySince === undefined || confirmed || !this.#isChanged(identity)) return undefined;
    return Math.max(0, emptySince + this.#confirmMs - now);
  }

  #isChanged(identity: string): boolean {
    const { emptySince, clientId } = this.#entries.get(identity) ?? {};
    const answer = this.#identities.answerOf(identity);
    if (emptySince === undefined || !answer || answer.sentAt < emptySince) return false;
    return answer.clientId === undefined || answer.clientId !== clientId;
  }
}
