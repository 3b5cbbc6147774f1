import { ArmError } from '../../azure/arm/errors.ts';
import type { Operation } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { EffectContext } from './effect-context.ts';

/** An action of Azure that may go on after its answer. */
export interface Action {
  readonly path: string;
  readonly apiVersion: string;
  readonly body?: unknown;
  /** The step that waits for the end of the action; it ends the message of AZ_ARM_BUSY. */
  readonly before: string;
}

/**
 * Starts an action, or polls the operation that it started in an earlier run. Returns the body of its end. Throws
 * AZ_ARM_BUSY until it ends, and ArmError where Azure refuses it or it fails.
 */
export async function completeAction(
  context: EffectContext,
  { path, apiVersion, body, before }: Action,
): Promise<unknown> {
  const { memory, requests, shared } = context;
  const { arm, runtime } = shared;
  const runningAction = memory.action?.path === path ? memory.action : undefined;
  let operation: Operation | undefined;
  let answer: unknown;
  if (!runningAction) {
    const post = requests.request('POST', path, { apiVersion, body });
    const name = path.split('/').at(-1) ?? 'POST';
    const response = await requests.count(name, () => arm.send(post));
    operation = arm.operationOf(post, response);
    answer = response.body;
    if (operation) memory.action = { path, operation, token: response.token };
  } else if (runningAction.operation.nextPollAt > runtime.clock.now()) {
    operation = runningAction.operation;
  } else {
    const result = await requests.poll(runningAction.operation, runningAction.token);
    if (result.done) delete memory.action;
    else {
      operation = result.operation;
      memory.action = { ...runningAction, operation };
    }
    if (result.done && result.outcome !== 'succeeded') throw new ArmError('POST', path, result.error);
    if (result.done && result.outcome === 'succeeded') answer = result.body;
  }
  if (!operation) return answer;
  const retryAfterMs = Math.max(0, operation.nextPollAt - runtime.clock.now());
  throw new AzimuthError('AZ_ARM_BUSY', `Azure works on ${path}, which must be over before ${before}`, {
    retryAfterMs,
  });
}
