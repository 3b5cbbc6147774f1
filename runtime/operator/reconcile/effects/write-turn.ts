import { reasons } from '../../../arm-kinds/names.ts';
import { ArmError, isRefusal } from '../../../azure/arm/errors.ts';
import type { Journal } from '../../../engine/index.ts';
import type { EffectContext, EffectReport } from '../../effects/effect-context.ts';
import type { Turn } from '../../lifecycle/write-turns.ts';
import { turnNode } from '../../objects/node-id.ts';
import { isWriting } from '../../objects/unfinished-write.ts';

/** A run's turn to write to a resource that Azure writes one at a time: from its beginning to its end. */
export class WriteTurn {
  #waits = false;

  /** Returns the result of a write that must wait for its turn. The object runs again when it has it. */
  take(context: EffectContext): EffectReport | undefined {
    this.#waits = false;
    const turn = turnOf(context);
    if (!turn) return undefined;
    const node = turnNode(context.object.metadata.uid ?? '');
    // Before the question, so that no turn is missed.
    const isNext = () => context.shared.writeTurns.tryTake(turn);
    context.waitFor(node);
    if (isNext()) return undefined;
    this.#waits = true;
    const message = 'Azure takes one write at a time to the resource and those beside it; another one is not over';
    return { outcome: 'retry', failure: { code: reasons.reconciling, message } };
  }

  /** The run begins: a write of an earlier process that may not be over comes before others. */
  begin(context: EffectContext, journal: Journal | undefined): void {
    const { memory, shared } = context;
    const first = !memory.turnKnown;
    memory.turnKnown = true;
    const turn = turnOf(context);
    if (turn && first && isWriting(journal)) shared.writeTurns.keep(turn, shared.runtime.clock.now());
  }

  /** The run is over, and its operation, if any, goes on. `error` is the one of its last failed effect. */
  end(context: EffectContext, journal: Journal, error: unknown): void {
    const turn = turnOf(context);
    if (!turn || this.#waits) return;
    const { shared, memory, observed } = context;
    const refused = observed.wroteToAzure && isRefusal(error);
    const unanswered = observed.wroteToAzure && !refused && isWriting(journal);
    const { nextPollAt } = memory.operation ?? {};
    if (nextPollAt !== undefined) shared.writeTurns.keep(turn, nextPollAt);
    else if (unanswered) shared.writeTurns.keep(turn, shared.runtime.clock.now());
    else shared.writeTurns.release(turn, refused && error instanceof ArmError ? error.info.retryAfterMs : 0);
  }
}

function turnOf({ plan, object }: EffectContext): Turn | undefined {
  const { resourceId, usesOperatorCredential } = plan;
  return resourceId === undefined ? undefined : { object, resourceId, usesOperatorCredential };
}
