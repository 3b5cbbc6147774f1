import { type AzimuthError, messageOf } from '../base/errors.ts';
import { type Block, contextOf, type Decision, type EffectResult, type Wait } from './block.ts';
import { type BlockEntry, type Failure, formatJournal, type Journal, newJournal } from './journal.ts';
import type { Limits } from './limits.ts';
import type { Pipeline } from './pipeline.ts';
import { type State, transition } from './states.ts';

/** The interface between the runner and the host of one node. */
export interface Host<O, E> {
  /** The observed state as it is now; read before every round of decisions. */
  observe(): O;
  /** Makes the journal durable before it resolves. A journal without entries may be forgotten. */
  save(journal: Journal): Promise<void>;
  /** Performs one effect. A thrown error counts as `retry`, or as `failed` if its `retryable` is false. */
  perform(effect: E, context: { readonly block: string; readonly journal: Journal }): Promise<EffectResult>;
  /** Keys whose limits the effect counts against, such as a subscription or a region. @default none */
  boundsOf?(effect: E): readonly string[];
}

/** The failure of one block. */
export interface BlockFailure extends Failure {
  readonly block: string;
  /** The thrown error, if the effect threw. */
  readonly error?: unknown;
}

/** The result of one run over a node's blocks. */
export interface RunResult {
  /** The state of the node as a whole; Succeeded if no block is unfinished. */
  readonly state: State;
  readonly journal: Journal;
  /** The states of the blocks that were reached, by name. */
  readonly blocks: Readonly<Record<string, State>>;
  /** The nodes that the node waits for, if it is Blocked. */
  readonly waits: readonly Wait[];
  /** Why the node is Failed, or Pending after a temporary failure. */
  readonly failure?: BlockFailure;
  /** Earliest useful next run, in milliseconds since the epoch, where a block asked for a pause. */
  readonly nextAt?: number;
}

/** Options of one run. */
export interface RunOptions {
  /** Limits for effects that name keys. @default no limits */
  readonly limits?: Limits;
  readonly signal?: AbortSignal;
}

/**
 * Drives one node as far as possible without waiting: asks every block whose predecessors are done, journals,
 * performs, and repeats until no block wants an effect. A new desired state (`hash` differs from the journal's) takes
 * over at the next block boundary. An operation under way is driven to its end first: its block gets the new desired
 * state with its own memo, and no other block starts. An interrupted effect stays marked as such, so that its block
 * reads before it writes.
 *
 * The caller must not run one node twice at the same time. Rejects if the journal cannot be saved or the signal
 * aborts: nothing is lost then, the next run continues from the saved journal.
 */
export async function run<G, O, E>(
  line: Pipeline<G, O, E>,
  goal: { readonly hash: string; readonly value: G },
  from: Journal | undefined,
  host: Host<O, E>,
  options: RunOptions = {},
): Promise<RunResult> {
  const node = new NodeRun(goal.hash, from, host);
  for (;;) {
    options.signal?.throwIfAborted();
    if (node.journal.goal !== goal.hash && node.pollingBlocks().length === 0) node.startOver(goal.hash);
    const preempted = node.journal.goal !== goal.hash;
    const decided = decideRound(line.blocks, goal.value, host.observe(), node, preempted);
    for (const { name, decision } of decided) node.decide(name, decision);
    const effects = decided.flatMap(({ name, decision }) => (decision.next === 'perform' ? [{ name, decision }] : []));
    if (effects.length === 0) {
      if (preempted && node.pollingBlocks().length === 0) continue;
      await node.save();
      return resultOf(decided, node);
    }
    if (effects.some(({ decision }) => !decision.repeatable)) await node.save();
    const ends = await Promise.allSettled(
      effects.map(async ({ name, decision }) => {
        const result = await attempt(host, name, decision, node.journal, options);
        node.end(name, decision, result);
        if (result.outcome === 'polling' || (!decision.repeatable && result.outcome !== 'retry')) await node.save();
      }),
    );
    const rejected = ends.find((end) => end.status === 'rejected');
    if (rejected) throw rejected.reason;
  }
}

type Perform<E> = Extract<Decision<E>, { next: 'perform' }>;

interface Decided<E> {
  readonly name: string;
  readonly decision: Decision<E>;
}

/**
 * Asks every block whose predecessors are all done; under a new desired state, only blocks that finish an operation.
 */
function decideRound<G, O, E>(
  blocks: readonly Block<G, O, E>[],
  goal: G,
  observed: O,
  node: NodeRun<O, E>,
  preempted: boolean,
): Decided<E>[] {
  const finished = new Set<string>();
  const decided: Decided<E>[] = [];
  for (const { name, after = [], decide } of blocks) {
    const entry = node.journal.blocks[name];
    const free = preempted ? entry?.state === 'Polling' : after.every((other) => finished.has(other));
    if (!free || node.failures.has(name)) continue;
    const decision: Decision<E> =
      entry?.state === 'Failed' && entry.failure
        ? { next: 'fail', failure: entry.failure }
        : decide(contextOf(goal, observed, entry));
    decided.push({ name, decision });
    if (decision.next === 'done') finished.add(name);
  }
  return decided;
}

/** The state of one run: the journal, its last saved text, and the block states that need not be saved. */
class NodeRun<O, E> {
  journal: Journal;
  readonly states = new Map<string, State>();
  /** Effects that failed in this run; the run does not ask their blocks again. */
  readonly failures = new Map<string, BlockFailure>();
  readonly #host: Host<O, E>;
  #saved: string;
  #saving: Promise<void> = Promise.resolve();

  constructor(goal: string, from: Journal | undefined, host: Host<O, E>) {
    this.journal = from ?? newJournal(goal);
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
    else if (!decision.repeatable && state !== 'Polling') this.#enter(name, 'Running', { memo: decision.memo });
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
      // The block itself decides whether it is done: it is asked again with the new observed state.
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

async function attempt<O, E>(
  host: Host<O, E>,
  block: string,
  { effect }: Perform<E>,
  journal: Journal,
  { limits, signal }: RunOptions,
): Promise<EffectResult & { readonly error?: unknown }> {
  const work = () => host.perform(effect, { block, journal });
  try {
    const bounds = host.boundsOf?.(effect) ?? [];
    return await (limits && bounds.length > 0 ? limits.run(bounds, work, signal) : work());
  } catch (error) {
    if (signal?.aborted) throw error;
    const { retryable = true, code = 'AZ_UNEXPECTED' } = error as Partial<AzimuthError>;
    return { outcome: retryable ? 'retry' : 'failed', failure: { code, message: messageOf(error) }, error };
  }
}

function resultOf<O, E>(decided: readonly Decided<E>[], node: NodeRun<O, E>): RunResult {
  const waits = decided.flatMap(({ decision }) => (decision.next === 'wait' ? decision.waits : []));
  const pauses = decided.flatMap(({ decision }) => (decision.next === 'pause' ? [decision.until] : []));
  const terminal = [
    ...[...node.failures.values()].filter(({ block }) => node.states.get(block) === 'Failed'),
    ...decided.flatMap(({ name, decision }) =>
      decision.next === 'fail' ? [{ ...decision.failure, block: name }] : [],
    ),
  ][0];
  const failure = terminal ?? [...node.failures.values()][0];
  let state: State = 'Succeeded';
  if (terminal) state = 'Failed';
  else if (node.pollingBlocks().length > 0) state = 'Polling';
  else if (failure || pauses.length > 0) state = 'Pending';
  else if (waits.length > 0) state = 'Blocked';
  return {
    state,
    journal: node.journal,
    blocks: Object.fromEntries(node.states),
    waits,
    ...(failure && { failure }),
    ...(pauses.length > 0 && { nextAt: Math.min(...pauses) }),
  };
}
