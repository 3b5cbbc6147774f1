import { LRUCache } from 'lru-cache';
import { attachmentRecordLabel } from '../../api/pod-identity/attachment-record.ts';
import { isWithinScope, type ScopeRule } from '../../azure/arm/scopes.ts';
import { tryParseRecord } from '../../azure/identity/attachment-record.ts';
import type { Clock } from '../../base/clock.ts';
import type { CacheChange, ReflectorOptions, WatchedCache } from '../../kube/cache/types.ts';
import { configMapsType } from '../../kube/client/core-types.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** A record of the identity controller: a ConfigMap. */
export type RecordObject = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** The watch of the records of the identity controller, which runs in this namespace. */
export function recordWatch(namespace: string): ReflectorOptions<RecordObject> {
  return {
    type: configMapsType,
    namespaces: [namespace],
    labelSelector: `${attachmentRecordLabel.name}=${attachmentRecordLabel.value}`,
  };
}

/** Dependencies of PodIdentities. */
export interface PodIdentitiesDeps {
  readonly records: Pick<WatchedCache<RecordObject>, 'onChange' | 'synced'>;
  /** Of `--identity-scopes`: the identities that pods of a namespace may have. */
  readonly scopes: readonly ScopeRule[];
  readonly clock: Clock;
}

/** Reads of Resource Manager may show the state before a write for so long, in milliseconds. */
const staleMs = 60_000;
const mostFormer = 10_000;

/**
 * Tells identities of pods from those of machines. An identity on a node may be there for pods, which get its tokens, so
 * such a token does not prove the machine. The controller records an identity before it attaches it, and removes the
 * record after it has detached it, in a namespace where no tenant may write.
 */
export class PodIdentities {
  readonly #deps: PodIdentitiesDeps;
  /** How many records have an identity. */
  readonly #recorded = new Map<string, number>();
  /** When an identity left its last record, milliseconds since the epoch. */
  readonly #former = new LRUCache<string, number>({ max: mostFormer });

  constructor(deps: PodIdentitiesDeps) {
    this.#deps = deps;
    deps.records.onChange((change) => this.#changed(change));
  }

  /**
   * Whether pods may have tokens of an identity (ARM id in lower case) that a read at this time, milliseconds since the
   * epoch, showed on a machine. Pods of the namespace itself count only where the controller attached the identity.
   */
  has(armId: string, namespace: string, readAt: number): boolean {
    const { records, scopes } = this.#deps;
    if (!records.synced || this.#recorded.has(armId)) return true;
    if (readAt <= (this.#former.get(armId) ?? Number.NEGATIVE_INFINITY) + staleMs) return true;
    return scopes.some((rule) => rule.namespace !== namespace && isWithinScope(armId, rule.scope));
  }

  #changed(change: CacheChange<RecordObject>): void {
    // The new ones first: an identity in both records stays.
    if (change.type !== 'deleted') for (const id of identitiesIn(change.object)) this.#add(id);
    if (change.type !== 'added') for (const id of identitiesIn(change.old)) this.#remove(id);
  }

  #add(id: string): void {
    this.#recorded.set(id, (this.#recorded.get(id) ?? 0) + 1);
  }

  #remove(id: string): void {
    const count = (this.#recorded.get(id) ?? 0) - 1;
    if (count > 0) {
      this.#recorded.set(id, count);
      return;
    }
    this.#recorded.delete(id);
    this.#former.set(id, this.#deps.clock.now());
  }
}

function identitiesIn({ metadata: { name }, data }: RecordObject): ReadonlySet<string> {
  return tryParseRecord(name, data)?.identities ?? new Set();
}
