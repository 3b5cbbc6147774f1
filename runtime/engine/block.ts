import type { EdgeKind } from './graph.ts';
import type { BlockEntry, Failure, Json } from './journal.ts';

/** A node that another node waits for; its host enqueues the waiting node when it changes. */
export interface Wait {
  readonly kind: EdgeKind;
  /** Id of the node waited for. */
  readonly node: string;
  /** A machine-readable reason such as WaitingForOwner. */
  readonly reason: string;
  readonly message: string;
  /** Whether it ends only when somebody edits an object. @default false */
  readonly needsEdit?: boolean;
  /** Whether a change in Azure ends it, which no watch shows. @default false */
  readonly endsInAzure?: boolean;
}

/** The decision of a block: at most one effect. */
export type Decision<E> =
  /** The block's part of the desired state is reached. */
  | { readonly next: 'done' }
  /** Other nodes must be ready first. */
  | { readonly next: 'wait'; readonly waits: readonly Wait[] }
  /** Nothing to do before that time (milliseconds since the epoch). */
  | { readonly next: 'pause'; readonly until: number }
  /** `repeatable` effects (reads, idempotent writes) are performed at once; others only after they are journaled. */
  | { readonly next: 'perform'; readonly effect: E; readonly repeatable: boolean; readonly memo?: Json }
  /** No retry can help for this desired state. */
  | { readonly next: 'fail'; readonly failure: Failure };

/** The input of a block's decision. */
export interface BlockContext<D, O> {
  readonly desired: D;
  /** The state that the host observes now. */
  readonly observed: O;
  readonly memo: Json | undefined;
  /** An operation that this block started is under way. */
  readonly polling: boolean;
  /** The journal announces an effect with unknown outcome: only the observed state shows whether it happened. */
  readonly interrupted: boolean;
}

/** A pure step of a pipeline: same context, same decision; no I/O, no clock. */
export interface Block<D, O, E> {
  readonly name: string;
  /** Blocks or barriers that must be done first. */
  readonly after?: readonly string[];
  decide(context: BlockContext<D, O>): Decision<E>;
}

/** The outcome of an effect. */
export type EffectResult =
  | { readonly outcome: 'succeeded'; readonly memo?: Json }
  /** The effect started an operation, or polled one that is still under way. */
  | { readonly outcome: 'polling'; readonly memo: Json }
  /**
   * The effect did not happen, or failed temporarily. The block decides again in a later run; `over` records that the
   * operation it polled, or the effect it announced, has ended.
   */
  | { readonly outcome: 'retry'; readonly failure: Failure; readonly over?: boolean }
  | { readonly outcome: 'failed'; readonly failure: Failure };

/** The decision of a block with nothing left to do. */
export const done = { next: 'done' } as const;

/** A block without effect that is done when all blocks it names are done; later blocks name only the barrier. */
export function barrier<D, O, E>(name: string, after: readonly string[]): Block<D, O, E> {
  return { name, after, decide: () => done };
}

/** The input of a block's decision, from the block's journal entry. */
export function contextOf<D, O>(desired: D, observed: O, entry: BlockEntry | undefined): BlockContext<D, O> {
  return {
    desired,
    observed,
    memo: entry?.memo,
    polling: entry?.state === 'Polling',
    interrupted: entry?.state === 'Running',
  };
}
