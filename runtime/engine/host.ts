import type { EffectResult } from './block.ts';
import type { Journal } from './journal.ts';

/** The interface between the runner and the host of one node. */
export interface Host<O, E> {
  /** The observed state as it is now; read before every round of decisions. */
  observe(): O;
  /** Makes the journal durable before it resolves. A journal without entries may be forgotten. */
  save(journal: Journal): Promise<void>;
  /** Performs one effect. A thrown error counts as `retry`, or as `failed` if its `retryable` is false. */
  perform(effect: E, context: { readonly block: string; readonly journal: Journal }): Promise<EffectResult>;
  /** Resolves when the effect may begin; called before the effect waits for its limits. Throws as `perform` does. */
  admit?(effect: E): Promise<void>;
  /**
   * Called right before an effect that is not repeatable is journaled, once there is room under its limits. Returns a
   * result where the effect must not begin: then nothing is journaled or performed.
   */
  reserve?(effect: E): EffectResult | undefined;
  /** Keys whose limits the effect counts against, such as a subscription or a region. @default none */
  limitKeysOf?(effect: E): readonly string[];
  /** Whose work the effects are, such as a namespace: work that waits for a limit is served in rotation. @default '' */
  readonly share?: string;
}
