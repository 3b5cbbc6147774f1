import type { Decision, EffectResult } from './block.ts';
import type { Host } from './host.ts';
import { type BlockEntry, type Failure, formatJournal, type Journal, newJournal } from './journal.ts';
import { type State, transition } from './states.ts';

/** The failure of one block. */
export interface BlockFailure extends Failure {
  readonly block: string;
  /** The thrown error, if the effect threw. */
  readonly error?: unknown;
}

/** The decision to perform an effect. */
export type Perform<E> = Extract<Decision<E>, { next: 'perform' }>;

/** The state of one run: the journal, its last saved text, and the block states that need not be saved. */
export class NodeProgress<O, E> {
  journal: Journal;
  readonly states = new Map<string, State>();
  /** Effects that failed in this run; the run does not ask their blocks again. */
  readonly failures = new Map<string, BlockFailure>();
  readonly #host: Host<O, E>;
  #saved: string;
  #saving: Promise<void> = Promise.resolve();

  constructor(desiredHash: string, from: Journal | undefined, host: Host<O, E>) {
    this.journal = from ?? newJournal(desiredHash);
    this.#host = host;
    this.#saved = durable(this.journal);
    for (const [name, { state }] of Object.entries(this.journal.blocks)) this.states.set(name, state);
  }

  pollingBlocks(): string[] {
    return [...this.states].filter(([, state]) => state === 'Polling').map(([name]) => name);
  }

  /** Starts over for another desired state; only the marks of interrupted effects stay. */
  startOver(hash: string): void {
    const interrupted = Object.entries(this.journal.blocks).filter(([, { state }]) => state === 'Running');
    this.journal = { ...newJournal(hash), blocks: Object.fromEntries(interrupted) };
    this.failures.clear();
    for (const [name, state] of this.states) {
      if (state === 'Running') continue;
      if (state !== 'Pending') transition(name, transition(name, state, 'Cancelled'), 'Pending');
      this.states.delete(name);
    }
  }

  /** Serializes the writes; writes nothing if no durable part changed. */
  save(): Promise<void> {
    const saving = this.#saving.then(async () => {
      const { journal } = this;
      if (durable(journal) === this.#saved) return;
      await this.#host.save(journal);
      this.#saved = durable(journal);
    });
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  decide(name: string, decision: Decision<E>): void {
    const state = this.states.get(name) ?? 'Pending';
    const { memo, failure } = this.journal.blocks[name] ?? {};
    // An interrupted effect, or an operation, still has to be finished after the wait.
    if (decision.next === 'pause' || (decision.next === 'wait' && (state === 'Running' || state === 'Polling'))) return;
    if (state === 'Blocked' || state === 'Succeeded' || state === 'Failed') this.#enter(name, 'Pending', { memo });
    if (decision.next === 'done') this.#enter(name, 'Succeeded');
    else if (decision.next === 'wait') this.#enter(name, 'Blocked', { memo });
    else if (decision.next === 'fail') this.#enter(name, 'Failed', { failure });
  }

  /** Enters an effect that is not repeatable into the journal. */
  announce(name: string, { memo }: Perform<E>): void {
    if (this.states.get(name) !== 'Polling') this.#enter(name, 'Running', { memo });
  }

  end(name: string, { repeatable }: Perform<E>, result: EffectResult & { readonly error?: unknown }): void {
    const state = this.states.get(name) ?? 'Pending';
    const failed = result.outcome === 'retry' || result.outcome === 'failed';
    if (failed) this.failures.set(name, { ...result.failure, block: name, error: result.error });
    if (result.outcome === 'polling') {
      if (state !== 'Polling') this.#enter(name, 'Running');
      this.#enter(name, 'Polling', { memo: result.memo });
    } else if (result.outcome === 'failed') {
      this.#enter(name, 'Failed', { failure: result.failure });
    } else if (result.outcome === 'succeeded' && (!repeatable || state === 'Polling' || result.memo !== undefined)) {
      // The next round asks the block again, with the new observed state.
      this.#enter(name, 'Pending', { memo: result.memo });
    } else if (result.outcome === 'retry' && result.over) {
      this.#enter(name, 'Pending');
    }
    // After a mere `retry` the effect stays announced: the next run reads whether it happened.
  }

  /** Adds an entry only if a later run needs it, so that the journal stays small. */
  #enter(name: string, state: State, rest: Omit<BlockEntry, 'state'> = {}): void {
    this.states.set(name, transition(name, this.states.get(name) ?? 'Pending', state));
    const { [name]: _, ...others } = this.journal.blocks;
    const keep = state === 'Running' || state === 'Polling' || rest.memo !== undefined || rest.failure !== undefined;
    const blocks = keep ? { ...others, [name]: { state, ...rest } } : others;
    this.journal = { ...this.journal, blocks };
  }
}

function durable(journal: Journal): string {
  return Object.keys(journal.blocks).length === 0 ? '' : formatJournal(journal);
}
