import { reasons } from '../../../arm-kinds/names.ts';
import { policyOf } from '../../../arm-kinds/policy.ts';
import type { EffectResult } from '../../../engine/index.ts';
import { namespacesType } from '../../../kube/client/core-types.ts';
import { adoptPolicyOf } from '../../lifecycle/adoption.ts';
import type { PassState } from '../run-state.ts';

/**
 * Does something to Azure unless the namespace now has other policies than this pass began with. The pass took them from
 * a cache, which may lag behind somebody who first forbids the deletion and then deletes.
 */
export async function ifStillWanted(state: PassState, send: () => Promise<EffectResult>): Promise<EffectResult> {
  const { object, policy, adopt, signal } = state.input;
  const { runtime, defaultPolicy, defaultAdopt } = state.context;
  const name = object.metadata.namespace ?? '';
  const namespace = await runtime.client.tryGet(namespacesType, { name }, signal);
  const same =
    policyOf(object, namespace, defaultPolicy) === policy && adoptPolicyOf(object, namespace, defaultAdopt) === adopt;
  if (same) return send();
  const message = `The policies of the namespace ${name} have just changed`;
  return { outcome: 'retry', failure: { code: reasons.reconciling, message } };
}
