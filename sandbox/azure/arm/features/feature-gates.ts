import { type Refusal, refuse } from '../../exchange.ts';
import { at, type Json } from '../../json.ts';
import type { Subscription } from '../../state.ts';
import type { ArmSettings } from '../behaviour.ts';
import { featureState, storedFeature } from './feature-state.ts';
import type { FeatureGate } from './feature-types.ts';

function refusalOf({ feature, path = '', refusal }: FeatureGate, { subscriptionId }: Subscription): Refusal {
  const texts = {
    SubscriptionNotRegisteredForFeature: `Subscription ${subscriptionId} is not registered for feature ${feature} required to carry out the requested operation.`,
    PreviewFeatureNotRegistered: `Preview feature ${feature} not registered.`,
    InvalidParameter: `The property '${path.replace(/^properties\./, '')}' is not valid because the '${feature}' feature is not enabled for this subscription.`,
  } as const;
  return refuse(400, refusal, texts[refusal]);
}

/** Refuses a write of a type that needs a feature which the subscription has not registered. */
export function checkGates(
  type: string,
  body: Json,
  subscription: Subscription | undefined,
  now: number,
  settings: ArmSettings,
): void {
  for (const gate of settings.featureGates) {
    if (!subscription || gate.type.toLowerCase() !== type.toLowerCase()) continue;
    const asked = gate.path === undefined ? true : at(body, gate.path);
    if (asked === undefined || asked === null || asked === false) continue;
    if (featureState(storedFeature(subscription, gate.feature), now, settings) === 'Registered') continue;
    throw refusalOf(gate, subscription);
  }
}
