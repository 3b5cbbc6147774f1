import type { EffectContext } from '../effects/effect-context.ts';
import type { DeliveryMemory } from '../machines/delivery-memory.ts';
import type { PlannedMachine } from '../machines/secret-plan.ts';

/** A machine of a run whose model is as declared, and the record of its delivery in this process. */
export interface Delivery {
  readonly context: EffectContext;
  readonly memory: DeliveryMemory;
  readonly machine: PlannedMachine;
}
