import type { Ids } from '../ids.ts';
import type { SandboxState } from '../state.ts';

/** The subscriptions that an embedded Azure has from its start. */
export class FirstSubscriptions {
  readonly #state: SandboxState;
  readonly #options: { readonly ids: Ids; readonly tenantId: string; readonly wanted: readonly string[] };
  #first: string | undefined;

  /** `wanted`: ids that it shall have; none: those of the state, or one with a generated id. */
  constructor(
    state: SandboxState,
    options: { readonly ids: Ids; readonly tenantId: string; readonly wanted: readonly string[] },
  ) {
    this.#state = state;
    this.#options = options;
  }

  /** Adds those that the state does not have, such as after a reset, and returns the id of the first one. */
  add(): string {
    const { ids, tenantId, wanted } = this.#options;
    const { subscriptions } = this.#state;
    const isEmpty = Object.keys(subscriptions).length === 0;
    const named = wanted.length === 0 && isEmpty ? [this.#first ?? ids.uuid()] : wanted;
    for (const subscriptionId of named) {
      const added = { subscriptionId, tenantId, displayName: 'Sandbox', registered: [] };
      subscriptions[subscriptionId.toLowerCase()] ??= added;
    }
    this.#first ??= wanted[0] ?? Object.values(subscriptions)[0]?.subscriptionId;
    return this.#first as string;
  }
}
