import { isGone, isMethodNotAllowed, isOwnerGone } from '../../../azure/arm/not-found.ts';
import { type EffectContext, type EffectReport, succeeded } from '../../effects/effect-context.ts';
import type { Live } from '../../effects/observation.ts';

/** Reads the resource from ARM; of a type without GET, only whether it exists. */
export async function readResource(context: EffectContext): Promise<EffectReport> {
  if (context.plan.model.definition.arm?.presence === 'HEAD') {
    const exists = await context.requests.exists(context.id());
    return succeeded({ live: exists ? { exists, body: context.observed.putAnswer ?? {}, hidden: true } : { exists } });
  }
  try {
    return succeeded({ live: { exists: true, body: await context.requests.resource(context.id()) } });
  } catch (error) {
    if (isGone(error)) return succeeded({ live: { exists: false, ownerGone: isOwnerGone(error) } });
    if (isMethodNotAllowed(error)) return succeeded({ live: await unreadable(context) });
    throw error;
  }
}

/** For a type without GET: uses the answer to the PUT, and the object's record of its PUT. */
async function unreadable(context: EffectContext): Promise<Live> {
  const { putAnswer } = context.observed;
  if (putAnswer) return { exists: true, body: putAnswer, hidden: true };
  if (!context.isNew) return { exists: true, body: {}, hidden: true };
  // A resource of another owner matters only where adoption is not allowed.
  if (context.plan.adopt === 'always' || context.plan.deletion) return { exists: false };
  const exists = await context.requests.exists(context.id());
  return exists ? { exists: true, body: {}, hidden: true } : { exists: false };
}
