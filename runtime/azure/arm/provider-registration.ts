import { backoff } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { ArmErrorInfo, Authorizer, SharedArmClient } from '../types.ts';
import { subscriptionPath } from './resource-ids.ts';

const API_VERSION = '2021-04-01';

/** Registered, Registering, NotRegistered, Unregistering, Unregistered. */
export type RegistrationState = string;

/**
 * The resource provider that a refusal asks to register first (codes MissingSubscriptionRegistration and
 * SubscriptionNotRegistered), such as Microsoft.KeyVault; undefined for every other refusal.
 */
export function missingProvider(info: ArmErrorInfo): string | undefined {
  const codes = [info.topLevelCode, info.code, ...info.details.map(({ code }) => code)];
  const asks = codes.some((code) => code === 'MissingSubscriptionRegistration' || code === 'SubscriptionNotRegistered');
  if (!asks) return undefined;
  const named = /namespace '([^']+)'/i.exec(info.message)?.[1];
  return [...info.details.map(({ target }) => target), named, info.target].find((target) =>
    /^[A-Za-z0-9]+(\.[A-Za-z0-9]+)+$/.test(target ?? ''),
  );
}

/** A resource provider to register in a subscription. */
export interface ProviderRegistration {
  readonly client: Pick<SharedArmClient, 'send'>;
  readonly authorizer: Authorizer;
  readonly subscriptionId: string;
  /** Microsoft.KeyVault */
  readonly provider: string;
  /** @default a new one */
  readonly correlationId?: string;
  /** As in ArmRequest. @default '' */
  readonly share?: string;
  readonly signal?: AbortSignal;
}

/** Asks for registration; returns the state right after, usually Registering. Needs the provider's register action. */
export function requestRegistration(request: ProviderRegistration): Promise<RegistrationState> {
  return send(request, 'POST', '/register');
}

/** Reads the registration state once. */
export function registrationState(request: ProviderRegistration): Promise<RegistrationState> {
  return send(request, 'GET', '');
}

/** How long to wait for a registration. */
export interface AwaitRegistrationOptions {
  readonly clock?: Clock;
  /** @default 300000 */
  readonly timeoutMs?: number;
  readonly random?: () => number;
}

/**
 * Registers and waits until ARM reports Registered, for programs that may wait; a reconciler calls the two steps by itself.
 * Throws AZ_OPERATION_FAILED after the timeout; registration goes on in Azure, so it may be called again.
 */
export async function registerProvider(
  request: ProviderRegistration,
  options: AwaitRegistrationOptions = {},
): Promise<void> {
  const { clock = systemClock, timeoutMs = 300_000, random } = options;
  const deadline = clock.now() + timeoutMs;
  let state = await requestRegistration(request);
  for (let attempt = 0; state.toLowerCase() !== 'registered'; attempt++) {
    if (clock.now() >= deadline) {
      throw new AzimuthError(
        'AZ_OPERATION_FAILED',
        `The provider ${request.provider} is still ${state} in subscription ${request.subscriptionId}; try again later`,
      );
    }
    await clock.sleep(backoff(attempt, { initialMs: 2000, maxMs: 15_000 }, random), request.signal);
    state = await registrationState(request);
  }
}

async function send(request: ProviderRegistration, method: 'GET' | 'POST', action: string): Promise<RegistrationState> {
  const { client, authorizer, subscriptionId, provider, correlationId, share = '', signal } = request;
  const path = `${subscriptionPath(subscriptionId)}/providers/${provider}${action}`;
  const response = await client.send({
    method,
    path,
    apiVersion: API_VERSION,
    authorizer,
    share,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(signal === undefined ? {} : { signal }),
  });
  const state = (response.body as { registrationState?: unknown } | undefined)?.registrationState;
  return typeof state === 'string' ? state : 'Registering';
}
