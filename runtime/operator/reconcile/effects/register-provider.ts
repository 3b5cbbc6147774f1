import { eventReasons } from '../../../arm-kinds/names.ts';
import type { EffectContext, EffectReport } from '../../effects/effect-context.ts';
import { registrationNode } from '../../objects/node-id.ts';

/**
 * Sends a request. Any request, even a read, may be refused until the resource provider is registered in the
 * subscription.
 */
export function withRegisteredProvider(
  context: EffectContext,
  send: () => Promise<EffectReport>,
): Promise<EffectReport> {
  return context.orWait(() => sendRegistered(context, send));
}

async function sendRegistered(context: EffectContext, send: () => Promise<EffectReport>): Promise<EffectReport> {
  const { model, object, credential, correlationId, signal } = context.plan;
  const { registrations } = context.shared;
  const subscriptionId = credential?.subscriptionId ?? '';
  const { authorizer } = context.requests.credential();
  const share = object.metadata.namespace ?? '';
  const registration = { subscriptionId, authorizer, correlationId, share, signal };
  const namespace = model.armType(object).split('/')[0] ?? '';
  context.waitFor(registrationNode(subscriptionId, namespace));
  await registrations.throwWhilePending(namespace, registration);
  try {
    return await send();
  } catch (error) {
    const provider = await registrations.begin(error, registration);
    if (provider !== undefined) {
      const note = `Registering ${provider} in the subscription ${subscriptionId}, which uses it for the first time`;
      context.event('Normal', eventReasons.registeringProvider, 'CreateOrUpdate', note);
    }
    throw error;
  }
}
