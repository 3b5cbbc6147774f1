import { recordedEtag, recordedVersions, type WriteKind } from '../answers/recorded-answers.ts';
import { removeStyle, writeStyle } from '../answers/styles.ts';
import { type Behaviour, genericBehaviour, type RemoveStyle, type WriteStyle } from '../behaviour.ts';
import { authorizationBehaviours } from './authorization.ts';
import { catalogueBehaviour, catalogueTypes } from './catalogue.ts';
import { clusterBehaviours } from './companions/clusters.ts';
import { databaseBehaviours } from './companions/databases.ts';
import { diskBehaviours } from './companions/disks.ts';
import { dnsBehaviours } from './companions/dns.ts';
import { impliedBehaviours } from './companions/implied.ts';
import { webBehaviours } from './companions/web.ts';
import { computeBehaviours } from './compute.ts';
import { governanceBehaviours } from './governance.ts';
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
  /** Types of the caller's rows, which say all. */
  readonly #given: ReadonlySet<string>;

  constructor(more: readonly Behaviour[] = []) {
    this.#given = new Set(more.map(({ type }) => type.toLowerCase()));
    for (const behaviour of [
      ...resourceGroupBehaviours,
      ...storageBehaviours,
      ...keyVaultBehaviours,
      ...managedIdentityBehaviours,
      ...authorizationBehaviours,
      ...governanceBehaviours,
      ...networkBehaviours,
      ...computeBehaviours,
      ...subscriptionBehaviours,
      ...databaseBehaviours,
      ...webBehaviours,
      ...dnsBehaviours,
      ...diskBehaviours,
      ...clusterBehaviours,
      ...impliedBehaviours,
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
    const etag = recordedEtag(type);
    const recorded = etag === undefined ? {} : { etag: etag === 'plain' ? etag : true };
    const behaviour = { ...(catalogued ?? genericBehaviour), ...recorded, ...rows };
    const { apiVersions } = behaviour;
    const all = apiVersions && {
      ...behaviour,
      apiVersions: [...new Set([...recordedVersions(type), ...apiVersions])].sort(),
    };
    this.#byType.set(key, all ?? behaviour);
    return all ?? behaviour;
  }

  /** How a PUT or PATCH of this api-version is answered. */
  writeStyle(type: string, kind: Exclude<WriteKind, 'remove'>, apiVersion: string): WriteStyle {
    const behaviour = this.of(type);
    const row = kind === 'create' ? behaviour.create : behaviour.update;
    return this.#given.has(type.toLowerCase()) ? row : writeStyle(row, type, kind, apiVersion);
  }

  /** How a DELETE of this api-version is answered. */
  removeStyle(type: string, apiVersion: string): RemoveStyle {
    const { remove } = this.of(type);
    return this.#given.has(type.toLowerCase()) ? remove : removeStyle(remove, type, apiVersion);
  }

  /** Rows of a namespace, for provider metadata. */
  ofNamespace(namespace: string): Behaviour[] {
    const prefix = `${namespace.toLowerCase()}/`;
    return this.#types().flatMap((type) => (type.toLowerCase().startsWith(prefix) ? [this.of(type)] : []));
  }

  /** Every namespace once, in one of the spellings of its types. */
  namespaces(): string[] {
    const names = this.#types().map((type) => type.split('/')[0] as string);
    return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].sort();
  }

  /** Every type with a row or a kind, once, as the catalogue or its row spells it. */
  #types(): string[] {
    const types = [...catalogueTypes, ...[...this.#rows.values()].map(({ type = '' }) => type)];
    return [...new Map(types.map((type) => [type.toLowerCase(), type])).values()];
  }
}
