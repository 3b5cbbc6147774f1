import { ArmError } from '../../azure/arm/errors.ts';
import { missingProvider, registrationState, requestRegistration } from '../../azure/arm/provider-registration.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';

interface Pending {
  /** Why it was asked for. */
  readonly refusal: ArmError;
  /** No look before this time. */
  lookAt: number;
}

/** Who asks, and for which provider. */
export interface Registration {
  readonly subscriptionId: string;
  readonly authorizer: Authorizer;
  /** Of the pass that asks. */
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/** Time between two looks at a registration, which takes a minute or two. */
const lookEveryMs = 5000;

/**
 * Registers resource providers on their first use in a subscription. While Azure works on one, nothing is sent that would
 * be refused, and however many objects wait for it, one look serves them all.
 */
export class Registrations {
  readonly #arm: ArmClient;
  readonly #clock: Clock;
  readonly #done: (subscriptionId: string, provider: string) => void;
  readonly #pending = new Map<string, Pending>();

  /** `done` is told of each registration that has come to its end, for those who wait for it. */
  constructor(arm: ArmClient, clock: Clock, done: (subscriptionId: string, provider: string) => void = () => {}) {
    this.#done = done;
    this.#arm = arm;
    this.#clock = clock;
  }

  /** Asks for the registration that this refusal is about. Returns the provider; undefined for any other error. */
  async begin(error: unknown, registration: Registration): Promise<string | undefined> {
    const provider = error instanceof ArmError ? missingProvider(error.facts) : undefined;
    if (provider === undefined) return undefined;
    const key = keyOf(registration, provider);
    if (!this.#pending.has(key)) {
      // Set first: others that were refused meanwhile need not ask again.
      this.#pending.set(key, { refusal: error as ArmError, lookAt: this.#clock.now() });
      try {
        await requestRegistration({ client: this.#arm, provider, ...registration });
      } catch (failure) {
        this.#pending.delete(key);
        throw failure;
      }
    }
    return provider;
  }

  /** Resolves when nothing is in the way of a request to this provider; throws the refusal while it is registering. */
  async settled(provider: string, registration: Registration): Promise<void> {
    const key = keyOf(registration, provider);
    const pending = this.#pending.get(key);
    if (!pending) return;
    const now = this.#clock.now();
    if (now >= pending.lookAt) {
      pending.lookAt = now + lookEveryMs;
      const state = await registrationState({ client: this.#arm, provider, ...registration });
      // Nor is there anything to wait for where somebody took it back: the next refusal asks anew.
      if (/^(registered|notregistered|unregistered)$/i.test(state)) {
        this.#pending.delete(key);
        this.#done(registration.subscriptionId, provider);
        return;
      }
    }
    throw pending.refusal;
  }
}

function keyOf({ subscriptionId }: Registration, provider: string): string {
  return `${subscriptionId} ${provider}`.toLowerCase();
}
