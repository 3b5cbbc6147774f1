import { ArmError } from '../../azure/arm/errors.ts';
import type { SharedArmRequest } from '../../azure/types.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import type { RollMemory } from '../machines/roll-memory.ts';

/** The state of the operation of a roll or a delivery. */
export type OperationState =
  | { readonly done: false; readonly afterMs: number }
  | { readonly done: true; readonly error: ArmError | undefined };

/** Sends a write of a delivery, and keeps the operation that it starts. */
export async function sendOperation(
  context: EffectContext,
  memory: RollMemory,
  request: SharedArmRequest,
  name: string,
): Promise<void> {
  const { arm } = context.shared;
  const response = await context.requests.count(name, () => arm.send(request));
  memory.operation = arm.operationOf(request, response);
}

/** Polls the operation of a delivery when it is due. A process that starts again has none, and sees it in the instances. */
export async function pollOperation(context: EffectContext, memory: RollMemory): Promise<OperationState> {
  const { operation } = memory;
  if (!operation) return { done: true, error: undefined };
  const { runtime } = context.shared;
  const now = runtime.clock.now();
  if (now < operation.nextPollAt) return { done: false, afterMs: operation.nextPollAt - now };
  const result = await context.requests.poll(operation);
  if (!result.done) {
    memory.operation = result.operation;
    return { done: false, afterMs: Math.max(1000, result.operation.nextPollAt - now) };
  }
  memory.operation = undefined;
  if (result.outcome === 'succeeded') return { done: true, error: undefined };
  return { done: true, error: new ArmError(operation.method, operation.resourcePath ?? context.id(), result.error) };
}
