import type { EffectContext } from '../reconcile/effect-context.ts';
import type { DeliveryMemory } from './delivery-memory.ts';
import type { PlannedMachine } from './secret-plan.ts';

/** A machine of a run whose model is as declared, and the record of its delivery in this process. */
export interface Delivery {
  readonly run: EffectContext;
  readonly memory: DeliveryMemory;
  readonly machine: PlannedMachine;
}
