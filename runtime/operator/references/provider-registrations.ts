import { LRUCache } from 'lru-cache';
import { ArmError } from '../../azure/arm/errors.ts';
import { missingProvider, registrationState, requestRegistration } from '../../azure/arm/provider-registration.ts';
import type { Authorizer, SharedArmClient } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';

interface Pending {
  /** The refusal that started the registration. */
  readonly refusal: ArmError;
  /** The next poll is not before this time, in milliseconds since the epoch. */
  nextPollAt: number;
}

/** The run that needs the registration, and its subscription. */
export interface Registration {
  readonly subscriptionId: string;
  readonly authorizer: Authorizer;
  /** The correlation id of that run. */
  readonly correlationId: string;
  /** Namespace of the object. */
  readonly share: string;
  readonly signal: AbortSignal;
}

/** Milliseconds between two polls of a registration, which takes a minute or two. */
const pollEveryMs = 5000;
/** Registrations in memory. A service that a tenant runs may ask for any number; one that is forgotten is asked for again. */
const mostPending = 1000;

/**
 * Registers resource providers on their first use in a subscription. During a registration, the operator sends no
 * request that Azure would refuse, and one poll serves all waiting objects of a namespace.
 */
export class Registrations {
  readonly #arm: SharedArmClient;
  readonly #clock: Clock;
  readonly #done: (subscriptionId: string, provider: string) => void;
  readonly #pending = new LRUCache<string, Pending>({ max: mostPending });

  /** `done` is called at the end of each registration. */
  constructor(arm: SharedArmClient, clock: Clock, done: (subscriptionId: string, provider: string) => void = () => {}) {
    this.#done = done;
    this.#arm = arm;
    this.#clock = clock;
  }

  /** Starts the registration that this refusal requires. Returns the provider; undefined for any other error. */
  async begin(error: unknown, registration: Registration): Promise<string | undefined> {
    const provider = error instanceof ArmError ? missingProvider(error.info) : undefined;
    if (provider === undefined) return undefined;
    const key = keyOf(registration, provider);
    if (!this.#pending.has(key)) {
      // Set first, so that concurrent refusals start no second registration.
      this.#pending.set(key, { refusal: error as ArmError, nextPollAt: this.#clock.now() });
      try {
        await requestRegistration({ client: this.#arm, provider, ...registration });
      } catch (failure) {
        this.#pending.delete(key);
        throw failure;
      }
    }
    return provider;
  }

  /** Resolves when the provider is not registering; throws the refusal while it is. */
  async throwWhilePending(provider: string, registration: Registration): Promise<void> {
    const key = keyOf(registration, provider);
    const pending = this.#pending.get(key);
    if (!pending) return;
    const now = this.#clock.now();
    if (now >= pending.nextPollAt) {
      pending.nextPollAt = now + pollEveryMs;
      const state = await registrationState({ client: this.#arm, provider, ...registration });
      // If somebody unregistered the provider, the wait ends too: the next refusal registers it again.
      if (/^(registered|notregistered|unregistered)$/i.test(state)) {
        this.#pending.delete(key);
        this.#done(registration.subscriptionId, provider);
        return;
      }
    }
    throw pending.refusal;
  }
}

/** Of one namespace and cloud: its refusal and its credential say nothing about another one. */
function keyOf({ share, subscriptionId, authorizer }: Registration, provider: string): string {
  return [share, authorizer.cloud?.resourceManagerEndpoint ?? '', subscriptionId, provider].join(' ').toLowerCase();
}
