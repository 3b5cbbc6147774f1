import { type Behaviour, genericBehaviour } from '../behaviour.ts';
import { authorizationBehaviours } from './authorization.ts';
import { catalogueBehaviour, catalogueTypes } from './catalogue.ts';
import { computeBehaviours } from './compute.ts';
import { keyVaultBehaviours } from './key-vault.ts';
import { managedIdentityBehaviours } from './managed-identity.ts';
import { networkBehaviours } from './network.ts';
import { resourceGroupBehaviours } from './resource-group.ts';
import { storageBehaviours } from './storage.ts';
import { subscriptionBehaviours } from './subscription.ts';

/**
 * The table of behaviours: rows override the catalogue's part of a type; a type without either is generic. Rows can
 * be added, so that a new kind needs no code here.
 */
export class Behaviours {
  /** Rows of the files here and of the caller; the catalogue's part is added when a type is first used. */
  readonly #rows = new Map<string, Partial<Behaviour>>();
  readonly #byType = new Map<string, Behaviour>();

  constructor(more: readonly Behaviour[] = []) {
    for (const behaviour of [
      ...resourceGroupBehaviours,
      ...storageBehaviours,
      ...keyVaultBehaviours,
      ...managedIdentityBehaviours,
      ...authorizationBehaviours,
      ...networkBehaviours,
      ...computeBehaviours,
      ...subscriptionBehaviours,
      ...more,
    ]) {
      const key = behaviour.type.toLowerCase();
      this.#rows.set(key, { ...this.#rows.get(key), ...behaviour });
    }
  }

  of(type: string): Behaviour {
    const key = type.toLowerCase();
    const known = this.#byType.get(key);
    if (known) return known;
    const rows = this.#rows.get(key);
    const catalogued = catalogueBehaviour(type);
    if (!rows && !catalogued) return genericBehaviour;
    const behaviour = { ...(catalogued ?? genericBehaviour), ...rows };
    this.#byType.set(key, behaviour);
    return behaviour;
  }

  /** Rows of a namespace, for provider metadata. */
  ofNamespace(namespace: string): Behaviour[] {
    const prefix = `${namespace.toLowerCase()}/`;
    return this.#types().flatMap((type) => (type.toLowerCase().startsWith(prefix) ? [this.of(type)] : []));
  }

  namespaces(): string[] {
    return [...new Set(this.#types().map((type) => type.split('/')[0] as string))].sort();
  }

  /** Every type with a row or a kind, once, as the catalogue or its row spells it. */
  #types(): string[] {
    const types = [...catalogueTypes, ...[...this.#rows.values()].map(({ type = '' }) => type)];
    return [...new Map(types.map((type) => [type.toLowerCase(), type])).values()];
  }
}
