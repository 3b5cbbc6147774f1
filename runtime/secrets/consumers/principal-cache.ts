import { isGone } from '../../azure/arm/not-found.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { MachineReader, Principals } from './machine-reader.ts';

/** Dependencies of PrincipalCache. */
export interface PrincipalCacheDeps {
  readonly reader: Pick<MachineReader, 'read'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds between two reads of one resource. @default 300000 */
  readonly refreshMs?: number;
  /** Resources in memory, shared out by namespace. @default 10000 */
  readonly most?: number;
}

/** Principals, and when they were read, milliseconds since the epoch. */
export type ReadPrincipals = Principals & { readonly asOf: number };

interface Entry {
  readonly principals: ReadPrincipals | undefined;
  readonly readAt: number;
  readonly instances: boolean;
}

/** A caller that is not known yet has its machine read again after this time at the earliest; milliseconds. */
const unknownMs = 30_000;
const readMs = 20_000;

/**
 * The principal ids of Azure resources by ARM id, from memory: no request waits for Resource Manager. An entry stays
 * while Resource Manager does not answer, and goes when the resource is gone.
 */
export class PrincipalCache {
  readonly #deps: PrincipalCacheDeps;
  readonly #entries: SharedLru<Entry>;
  readonly #running = new Set<string>();
  readonly #reads = new FairSemaphore({ total: 16, perKey: 4, waiting: 1000 });

  constructor(deps: PrincipalCacheDeps) {
    this.#deps = deps;
    this.#entries = new SharedLru(deps.most ?? 10_000);
  }

  /** The cached principals of a resource that a ManagedSecret of the namespace names. Namespaces share nothing. */
  of(namespace: string, armId: string): ReadPrincipals | undefined {
    return this.#entries.get(`${namespace} ${armId}`)?.principals;
  }

  /**
   * Reads a resource again if its time has come, sooner for a caller that is not `known`. `instances`: whether the ids of
   * a set's instances are needed. Never rejects.
   */
  async refresh(
    namespace: string,
    armId: string,
    instances: boolean,
    known: boolean,
    stop?: AbortSignal,
  ): Promise<void> {
    const { reader, clock, log, refreshMs = 300_000 } = this.#deps;
    const key = `${namespace} ${armId}`;
    const entry = this.#entries.get(key);
    const needs = instances || (entry?.instances ?? false);
    const wait = known ? refreshMs : unknownMs;
    if (this.#running.has(key) || (entry && clock.now() - entry.readAt < wait && entry.instances === needs)) return;
    this.#running.add(key);
    try {
      const timeout = AbortSignal.timeout(readMs);
      const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
      const read = () => reader.read(armId, needs, signal);
      const principals = await this.#reads.run(namespace, signal, async () => ({
        asOf: clock.now(),
        ...(await read()),
      }));
      this.#entries.set(key, { principals, readAt: clock.now(), instances: needs }, namespace);
    } catch (error) {
      if (stop?.aborted) return;
      const principals = isGone(error) ? undefined : entry?.principals;
      this.#entries.set(key, { principals, readAt: clock.now(), instances: needs }, namespace);
      log.warn({ namespace, armId, error: messageOf(error) }, 'a consumer cannot be read from Resource Manager');
    } finally {
      this.#running.delete(key);
    }
  }
}
