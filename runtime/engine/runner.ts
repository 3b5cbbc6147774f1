import { type AzimuthError, messageOf } from '../base/errors.ts';
import { type Block, contextOf, type Decision, type EffectResult, type Wait } from './block.ts';
import type { Host } from './host.ts';
import type { Journal } from './journal.ts';
import type { Limits } from './limits.ts';
import { type BlockFailure, NodeProgress, type Perform } from './node-progress.ts';
import type { Pipeline } from './pipeline.ts';
import type { State } from './states.ts';

/** The result of one run over a node's blocks. */
export interface EngineResult {
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
export interface EngineOptions {
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
export async function run<D, O, E>(
  { blocks }: Pipeline<D, O, E>,
  desired: { readonly hash: string; readonly value: D },
  from: Journal | undefined,
  host: Host<O, E>,
  options: EngineOptions = {},
): Promise<EngineResult> {
  const node = new NodeProgress(desired.hash, from, host);
  for (;;) {
    options.signal?.throwIfAborted();
    if (node.journal.desiredHash !== desired.hash && node.pollingBlocks().length === 0) node.startOver(desired.hash);
    const preempted = node.journal.desiredHash !== desired.hash;
    const decided = decideRound(blocks, desired.value, host.observe(), node, preempted);
    for (const { name, decision } of decided) node.decide(name, decision);
    const effects = decided.flatMap(({ name, decision }) => (decision.next === 'perform' ? [{ name, decision }] : []));
    if (effects.length === 0) {
      if (preempted && node.pollingBlocks().length === 0) continue;
      await node.save();
      return resultOf(decided, node);
    }
    const ends = await Promise.allSettled(
      effects.map(async ({ name, decision }) => {
        const result = await attempt(host, node, { name, decision }, options);
        node.end(name, decision, result);
        if (result.outcome === 'polling' || (!decision.repeatable && result.outcome !== 'retry')) await node.save();
      }),
    );
    const rejected = ends.find((end) => end.status === 'rejected');
    if (rejected) throw rejected.reason;
  }
}

interface Decided<E> {
  readonly name: string;
  readonly decision: Decision<E>;
}

/**
 * Asks every block whose predecessors are all done; under a new desired state, only blocks that finish an operation.
 */
function decideRound<D, O, E>(
  blocks: readonly Block<D, O, E>[],
  desired: D,
  observed: O,
  node: NodeProgress<O, E>,
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
        : decide(contextOf(desired, observed, entry));
    decided.push({ name, decision });
    if (decision.next === 'done') finished.add(name);
  }
  return decided;
}

type Attempted = EffectResult & { readonly error?: unknown };

/** Performs one effect, and journals it before if it is not repeatable. Rejects if the journal cannot be saved. */
async function attempt<O, E>(
  host: Host<O, E>,
  node: NodeProgress<O, E>,
  { name, decision }: { readonly name: string; readonly decision: Perform<E> },
  { limits, signal }: EngineOptions,
): Promise<Attempted> {
  const { effect, repeatable } = decision;
  // Nobody waits for a place, or for what `reserve` takes, while this effect waits for something else.
  try {
    await host.admit?.(effect);
  } catch (error) {
    return resultOfError(error, signal);
  }
  const work = async (): Promise<Attempted> => {
    if (!repeatable) {
      const refusal = host.reserve?.(effect);
      if (refusal) return refusal;
      node.announce(name, decision);
      await node.save();
    }
    try {
      return await host.perform(effect, { block: name, journal: node.journal });
    } catch (error) {
      return resultOfError(error, signal);
    }
  };
  const keys = host.limitKeysOf?.(effect) ?? [];
  return limits && keys.length > 0 ? limits.run(keys, work, signal, host.share) : work();
}

function resultOfError(error: unknown, signal: AbortSignal | undefined): Attempted {
  if (signal?.aborted) throw error;
  const { retryable = true, code = 'AZ_UNEXPECTED' } = error as Partial<AzimuthError>;
  return { outcome: retryable ? 'retry' : 'failed', failure: { code, message: messageOf(error) }, error };
}

function resultOf<O, E>(decided: readonly Decided<E>[], node: NodeProgress<O, E>): EngineResult {
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
