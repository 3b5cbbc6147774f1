import { type Behaviour, genericBehaviour } from '../behaviour.ts';
import { authorizationBehaviours } from './authorization.ts';
import { catalogueBehaviours } from './catalogue.ts';
import { computeBehaviours } from './compute.ts';
import { keyVaultBehaviours } from './key-vault.ts';
import { managedIdentityBehaviours } from './managed-identity.ts';
import { networkBehaviours } from './network.ts';
import { resourceGroupBehaviours } from './resource-group.ts';
import { storageBehaviours } from './storage.ts';

/**
 * The table of behaviours: rows override what the catalogue has of a type; a type without either is generic. Rows can
 * be added, so that a new kind needs no code here.
 */
export class Behaviours {
  readonly #byType = new Map<string, Behaviour>();

  constructor(more: readonly Behaviour[] = []) {
    for (const behaviour of [
      ...catalogueBehaviours,
      ...resourceGroupBehaviours,
      ...storageBehaviours,
      ...keyVaultBehaviours,
      ...managedIdentityBehaviours,
      ...authorizationBehaviours,
      ...networkBehaviours,
      ...computeBehaviours,
      ...more,
    ]) {
      const key = behaviour.type.toLowerCase();
      this.#byType.set(key, { ...this.#byType.get(key), ...behaviour });
    }
  }

  of(type: string): Behaviour {
    return this.#byType.get(type.toLowerCase()) ?? genericBehaviour;
  }

  /** Rows of a namespace, for provider metadata. */
  ofNamespace(namespace: string): Behaviour[] {
    const prefix = `${namespace.toLowerCase()}/`;
    return [...this.#byType].filter(([type]) => type.startsWith(prefix)).map(([, behaviour]) => behaviour);
  }

  namespaces(): string[] {
    return [...new Set([...this.#byType.values()].map((behaviour) => behaviour.type.split('/')[0] as string))].sort();
  }
}
