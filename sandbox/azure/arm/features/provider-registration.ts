import { type Refusal, refuse } from '../../exchange.ts';
import type { Subscription } from '../../state.ts';
import type { ArmSettings } from '../behaviour.ts';
import { locations } from '../write-checks.ts';

/** Where a resource provider can be used by a subscription. */
export interface Registration {
  readonly state: 'NotRegistered' | 'Registering' | 'Registered';
  /** Locations that are done; all of them for a provider that nobody asked for. */
  readonly locations: readonly string[];
}

/** Starts a registration, or goes on with the one that runs. */
export function startRegistration(subscription: Subscription, namespace: string, now: number): void {
  const key = namespace.toLowerCase();
  if (!subscription.registered.includes(key)) subscription.registered.push(key);
  subscription.registeredAt = { ...subscription.registeredAt, [key]: subscription.registeredAt?.[key] ?? now };
}

/** Ends a subscription's registration of a provider. */
export function endRegistration(subscription: Subscription, namespace: string): void {
  const key = namespace.toLowerCase();
  subscription.registered = subscription.registered.filter((other) => other !== key);
  const { [key]: _, ...others } = subscription.registeredAt ?? {};
  subscription.registeredAt = others;
}

/** The registration at a time: with `registrationMs`, locations become usable one by one until it has passed. */
export function registrationOf(
  subscription: Subscription,
  namespace: string,
  now: number,
  { registrationMs }: ArmSettings,
): Registration {
  const key = namespace.toLowerCase();
  if (!subscription.registered.includes(key)) return { state: 'NotRegistered', locations };
  const since = subscription.registeredAt?.[key] ?? 0;
  const share = registrationMs === 0 ? 1 : (now - since) / registrationMs;
  if (share >= 1) return { state: 'Registered', locations };
  return { state: 'Registering', locations: locations.slice(0, Math.floor(share * locations.length)) };
}

/** Refuses a provider that is not registered, or not yet in the location of the write. */
export function checkRegistration(
  { state, locations: usable }: Registration,
  namespace: string,
  type: string,
  location: string | undefined,
): void {
  if (state === 'NotRegistered') throw notRegistered(namespace);
  if (state === 'Registered' || location === undefined || usable.includes(location)) return;
  throw refuse(
    409,
    'MissingRegistrationForLocation',
    `The subscription is not registered for the resource type '${type}' in the location '${location}'. Please re-register for this provider in order to have access to this location.`,
  );
}

function notRegistered(namespace: string): Refusal {
  const code = 'MissingSubscriptionRegistration';
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`;
  return refuse(409, code, message, { details: [{ code, target: namespace, message }] });
}
