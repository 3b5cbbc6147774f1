import { reasons } from '../../../arm-kinds/names.ts';
import { policyOf } from '../../../arm-kinds/policy.ts';
import type { EffectResult } from '../../../engine/index.ts';
import { namespacesType } from '../../../kube/client/core-types.ts';
import { adoptPolicyOf } from '../../lifecycle/adoption.ts';
import { describeConflict } from '../../lifecycle/arm-id-reservations.ts';
import type { PassState } from '../run-state.ts';

/**
 * Does something to Azure unless the namespace now has other policies than this pass began with. The pass took them from
 * a cache, which may lag behind somebody who first forbids the deletion and then deletes. Nor does it write where another
 * object owns the ARM id: that is checked when the record of this one is written.
 */
export async function ifStillWanted(state: PassState, send: () => Promise<EffectResult>): Promise<EffectResult> {
  const { object, policy, adopt, deletion, signal } = state.input;
  const { runtime, armIds, defaultPolicy, defaultAdopt } = state.context;
  const name = object.metadata.namespace ?? '';
  const namespace = await runtime.client.tryGet(namespacesType, { name }, signal);
  const same =
    policyOf(object, namespace, defaultPolicy) === policy && adoptPolicyOf(object, namespace, defaultAdopt) === adopt;
  const message = `The policies of the namespace ${name} have just changed`;
  if (!same) return { outcome: 'retry', failure: { code: reasons.reconciling, message } };
  const other = deletion ? undefined : armIds.conflictingObject(state.id(), state.object);
  if (!other) return send();
  if (state.isNew) state.acquired = undefined;
  const taken = `${describeConflict(other, object)} has just got the same ARM id`;
  return { outcome: 'retry', failure: { code: reasons.reconciling, message: taken }, over: true };
}
