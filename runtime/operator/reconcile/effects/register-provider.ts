import { eventReasons } from '../../../arm-kinds/names.ts';
import type { EffectResult } from '../../../engine/index.ts';
import { registrationNode } from '../../references/node-id.ts';
import type { PassState } from '../run-state.ts';

/** A request that a subscription refuses until the resource provider is registered in it, even for a look. */
export function registered(state: PassState, send: () => Promise<EffectResult>): Promise<EffectResult> {
  return state.orWait(() => sendRegistered(state, send));
}

async function sendRegistered(state: PassState, send: () => Promise<EffectResult>): Promise<EffectResult> {
  const { model, object, credential, correlationId, signal } = state.input;
  const { registrations } = state.context;
  const subscriptionId = credential?.subscriptionId ?? '';
  const registration = { subscriptionId, authorizer: state.requests.credential().authorizer, correlationId, signal };
  const namespace = model.armType(object).split('/')[0] ?? '';
  state.waitFor(registrationNode(subscriptionId, namespace));
  await registrations.settled(namespace, registration);
  try {
    return await send();
  } catch (error) {
    const provider = await registrations.begin(error, registration);
    if (provider !== undefined) {
      const note = `Registering ${provider} in the subscription ${subscriptionId}, which uses it for the first time`;
      state.event('Normal', eventReasons.registeringProvider, 'CreateOrUpdate', note);
    }
    throw error;
  }
}
