import type { EdgeKind } from './graph.ts';
import type { BlockEntry, Failure, Json } from './journal.ts';

/** Something a node waits for; whoever watches `node` wakes the waiting one. */
export interface Wait {
  readonly kind: EdgeKind;
  /** Id of the node waited for. */
  readonly node: string;
  /** A machine-readable word such as WaitingForOwner. */
  readonly reason: string;
  readonly message: string;
}

/** What a block wants next: at most one effect. */
export type Decision<E> =
  /** Its part of the goal is reached. */
  | { readonly next: 'done' }
  /** Other nodes must come first. */
  | { readonly next: 'wait'; readonly waits: readonly Wait[] }
  /** Nothing to do before that time (milliseconds since the epoch). */
  | { readonly next: 'pause'; readonly until: number }
  /** `repeatable` effects (reads, idempotent writes) are performed at once; others only after they are journaled. */
  | { readonly next: 'perform'; readonly effect: E; readonly repeatable: boolean; readonly memo?: Json }
  /** No retry can help under this goal. */
  | { readonly next: 'fail'; readonly failure: Failure };

/** The input of a block's decision. */
export interface BlockContext<G, O> {
  readonly goal: G;
  /** The facts as the host sees them now. */
  readonly observed: O;
  readonly memo: Json | undefined;
  /** An operation that this block started goes on. */
  readonly polling: boolean;
  /** The journal announces an effect of which nothing more is known: only what is observed tells if it took place. */
  readonly interrupted: boolean;
}

/** A pure step of a pipeline: same context, same decision; no I/O, no clock. */
export interface Block<G, O, E> {
  readonly name: string;
  /** Blocks or barriers that must be done first. */
  readonly after?: readonly string[];
  decide(context: BlockContext<G, O>): Decision<E>;
}

/** What came of an effect. */
export type EffectResult =
  | { readonly outcome: 'succeeded'; readonly memo?: Json }
  /** It started an operation, or polled one that goes on. */
  | { readonly outcome: 'polling'; readonly memo: Json }
  /**
   * It did not take place, or failed in a way that passes. The block decides anew in a later run; with `over` it knows
   * then that the operation it polled, or the effect it announced, has come to its end.
   */
  | { readonly outcome: 'retry'; readonly failure: Failure; readonly over?: boolean }
  | { readonly outcome: 'failed'; readonly failure: Failure };

/** The decision of a block with nothing left to do. */
export const done = { next: 'done' } as const;

/** A block without effect that is done when all it names are done; later blocks name the barrier only. */
export function barrier<G, O, E>(name: string, after: readonly string[]): Block<G, O, E> {
  return { name, after, decide: () => done };
}

/** The input of a block's decision, from the block's journal entry. */
export function contextOf<G, O>(goal: G, observed: O, entry: BlockEntry | undefined): BlockContext<G, O> {
  return {
    goal,
    observed,
    memo: entry?.memo,
    polling: entry?.state === 'Polling',
    interrupted: entry?.state === 'Running',
  };
}
