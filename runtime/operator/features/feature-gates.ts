import type { FeatureKey } from './feature-client.ts';

/** Whether something may be used in a subscription, and if not, the reason and how to fix it. */
export type Gate =
  | { readonly open: true }
  | { readonly open: false; readonly reason: string; readonly message: string };

/**
 * The gates of managed secrets, one for each subscription. The reconciler of FeatureRegistrations sets them from its
 * reads in this process: until then a gate is closed, so that a restart opens none by mistake.
 */
export class FeatureGates {
  /** The feature that opens managed secrets: `azimuth.dev/ManagedSecrets`, or one of Azure's. */
  readonly feature: string;
  readonly #gates = new Map<string, Gate>();
  readonly #changed: (subscription: string) => void;

  /** `changed` is called when the gate of a subscription opens or closes. */
  constructor(feature: string, changed: (subscription: string) => void) {
    this.feature = feature;
    this.#changed = changed;
  }

  /** The gate of a subscription. */
  of(subscription: string): Gate {
    const id = subscription.toLowerCase();
    return (
      this.#gates.get(id) ?? {
        open: false,
        reason: 'FeatureNotRegistered',
        message:
          `the subscription ${id} is not registered for ${this.feature}; somebody who may create cluster-scoped objects ` +
          'creates a FeatureRegistration and a FeatureApproval for it',
      }
    );
  }

  /** Whether the gates are of this feature, which is not case-sensitive. */
  isFor(feature: string): boolean {
    return feature.toLowerCase() === this.feature.toLowerCase();
  }

  /** Records a FeatureRegistration's gate; undefined when it is gone. Registrations of other features have no gate. */
  set({ subscription, feature }: FeatureKey, gate: Gate | undefined): void {
    if (!this.isFor(feature)) return;
    const id = subscription.toLowerCase();
    const wasOpen = this.of(id).open;
    if (gate) this.#gates.set(id, gate);
    else this.#gates.delete(id);
    if (this.of(id).open !== wasOpen) this.#changed(id);
  }
}
