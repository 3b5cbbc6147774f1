import { type Exchange, queryOf, refuse } from '../exchange.ts';
import { notFound } from './arm-errors.ts';
import type { BehaviourContext } from './behaviour.ts';

const versionForm = /^\d{4}-\d{2}-\d{2}(-[a-z]+(\.\d+)?)?$/i;

/** The api-version of a request. Throws Azure's error for one that is missing or malformed. */
export function requireVersion(exchange: Exchange): string {
  const version = queryOf(exchange, 'api-version');
  if (!version) {
    throw refuse(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  }
  if (!versionForm.test(version)) {
    throw refuse(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${version}' is invalid. It must have the form 'YYYY-MM-DD' or 'YYYY-MM-DD-preview'.`,
    );
  }
  return version;
}

/** Throws Azure's error for a subscription that is malformed or unknown. */
export function checkSubscription(subscriptionId: string, context: BehaviourContext): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(subscriptionId)) {
    throw refuse(
      400,
      'InvalidSubscriptionId',
      `The provided subscription identifier '${subscriptionId}' is malformed or invalid.`,
    );
  }
  if (!context.state.subscriptions[subscriptionId.toLowerCase()]) throw notFound.subscription(subscriptionId);
}
