import { reasons } from '../../arm-kinds/names.ts';
import { policyOf } from '../../arm-kinds/policy.ts';
import { namespacesType } from '../../kube/client/core-types.ts';
import { describeConflict } from '../lifecycle/arm-id-reservations.ts';
import { adoptPolicyOf } from '../objects/adoption.ts';
import type { EffectContext, EffectReport } from './effect-context.ts';

/**
 * Writes to Azure unless the policies of the namespace have changed since the run began. The request has the policies
 * from a cache, which may lag behind a user who first forbids the deletion and then deletes. It does not write either
 * if another object owns the ARM id: the write of this object's record checks that.
 */
export async function recheckBeforeWrite(
  context: EffectContext,
  send: () => Promise<EffectReport>,
): Promise<EffectReport> {
  const { object, policy, adopt, deletion, signal } = context.plan;
  const { runtime, armIds, defaultPolicy, defaultAdopt } = context.shared;
  const name = object.metadata.namespace ?? '';
  const namespace = await runtime.client.tryGet(namespacesType, { name }, signal);
  const same =
    policyOf(object, namespace, defaultPolicy) === policy && adoptPolicyOf(object, namespace, defaultAdopt) === adopt;
  const message = `The policies of the namespace ${name} have just changed`;
  if (!same) return { outcome: 'retry', failure: { code: reasons.reconciling, message } };
  const other = deletion ? undefined : armIds.conflictingObject(context.id(), context.object);
  if (!other) return send();
  const taken = `${describeConflict(other, object)} has just got the same ARM id`;
  const failure = { code: reasons.reconciling, message: taken };
  return { outcome: 'retry', failure, over: true, ...(context.isNew && { observed: { acquired: undefined } }) };
}
