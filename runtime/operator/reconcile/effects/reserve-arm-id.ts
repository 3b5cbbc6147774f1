import { reasons } from '../../../arm-kinds/names.ts';
import type { EffectContext, EffectReport } from '../../effects/effect-context.ts';
import { describeConflict } from '../../lifecycle/arm-id-reservations.ts';
import { armNode } from '../../objects/node-id.ts';

/**
 * Reserves the ARM id for the object. Returns the result of a write that must not begin, because another object owns
 * or reserves the id; the object runs again when the id is free.
 */
export function reserveArmId(context: EffectContext): EffectReport | undefined {
  // In another cloud, the same id is another resource.
  if (context.plan.credentialOf === 'other-cloud') return undefined;
  const other = context.shared.armIds.tryReserve(context.id(), context.object);
  if (!other) return undefined;
  context.waitFor(armNode(context.id()));
  const message = `${describeConflict(other, context.object)} has just got the same ARM id`;
  return { outcome: 'retry', failure: { code: reasons.reconciling, message } };
}
