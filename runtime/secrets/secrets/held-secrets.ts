import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { ReconcileKey, ReconcileResult, WatchedCache } from '../../kube/cache/types.ts';
import { type EndpointSecret, isServed, keyOf } from './managed-secrets.ts';
import { type Reading, SecretProblem, type SecretReader } from './secret-reader.ts';

/** Dependencies of HeldSecrets. */
export interface HeldSecretsDeps {
  readonly objects: WatchedCache<EndpointSecret>;
  readonly reader: Pick<SecretReader, 'read'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds between two reads of one secret. @default 60000 */
  readonly refreshMs?: number;
  /** Bytes of all values in memory, shared out by namespace. @default 128 MiB */
  readonly mostBytes?: number;
  /** Longest time of one read, milliseconds. @default 20000 */
  readonly readMs?: number;
  readonly random?: () => number;
  /** Which objects to keep in memory. @default those with consumers and a vault */
  readonly isHeld?: (object: EndpointSecret) => boolean;
}

interface Entry {
  readonly uid: string;
  readonly reading: Reading | undefined;
  /** Why the last read failed. */
  readonly problem: string | undefined;
  /** Whether no vault or API server answered in this read. */
  readonly away: boolean;
  readonly readAt: number;
  readonly resourceVersion: string | undefined;
}

/** A change of a spec is read after this time at the earliest; milliseconds. */
const leastMs = 5000;

/**
 * The values of ManagedSecrets in memory, read again in the background. A value stays while its vault does not answer;
 * callers compare its age with `maxStaleness`. It goes when its object goes, or the vault says that it is not there.
 */
export class HeldSecrets {
  readonly #deps: HeldSecretsDeps;
  readonly #entries: SharedLru<Entry>;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #refreshMs: number;
  readonly #isHeld: (object: EndpointSecret) => boolean;
  /** Secrets that the first round has to read. */
  #first: Set<string> | undefined;
  #wasReady = false;

  constructor(deps: HeldSecretsDeps) {
    this.#deps = deps;
    this.#isHeld = deps.isHeld ?? isServed;
    this.#refreshMs = deps.refreshMs ?? 60_000;
    this.#entries = new SharedLru(deps.mostBytes ?? 128 * 1024 * 1024);
    deps.objects.onChange((change) => {
      if (change.type === 'deleted') this.#drop(keyOf(change.old));
    });
  }

  /** The reading in memory of this very object. */
  get(object: EndpointSecret): { readonly reading: Reading | undefined; readonly problem: string | undefined } {
    const entry = this.#entries.get(keyOf(object));
    if (entry !== undefined && entry.uid === object.metadata.uid) return entry;
    return { reading: undefined, problem: 'it was not read yet, or its namespace has too many values' };
  }

  /** Resolves when the reading in memory of the object changes, or with the signal. */
  async changed(object: EndpointSecret, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const key = keyOf(object);
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    await new Promise<void>((resolve) => {
      const done = () => {
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
        signal.removeEventListener('abort', done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Reconciles one object: reads it when its time has come. */
  readonly reconcile = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { objects, clock } = this.#deps;
    const object = objects.get(request);
    const key = `${request.namespace ?? ''}/${request.name}`;
    if (!object || !this.#isHeld(object)) {
      this.#drop(key);
      this.#first?.delete(key);
      return undefined;
    }
    const entry = this.#entries.get(key);
    const same = entry?.uid === object.metadata.uid && entry?.resourceVersion === object.metadata.resourceVersion;
    const dueAt = entry && entry.uid === object.metadata.uid ? entry.readAt + (same ? this.#refreshMs : leastMs) : 0;
    const early = dueAt - clock.now();
    if (early > 0) return { requeueAfterMs: early };
    await this.#read(object, entry, signal);
    const { random = Math.random } = this.#deps;
    return { requeueAfterMs: Math.round(this.#refreshMs * (1 + random() * 0.1)) };
  };

  async #read(object: EndpointSecret, entry: Entry | undefined, signal: AbortSignal): Promise<void> {
    const { reader, clock, log, readMs = 20_000 } = this.#deps;
    const { uid = '', namespace = '', resourceVersion } = object.metadata;
    const key = keyOf(object);
    const held = entry?.uid === uid ? entry.reading : undefined;
    const common = { uid, resourceVersion, readAt: clock.now() };
    let heldEntry: Entry;
    try {
      const reading = await reader.read(object, held, AbortSignal.any([signal, AbortSignal.timeout(readMs)]));
      heldEntry = { ...common, reading, problem: undefined, away: false };
    } catch (error) {
      if (signal.aborted) return;
      const gone = error instanceof SecretProblem && error.gone;
      heldEntry = { ...common, reading: gone ? undefined : held, problem: messageOf(error), away: !gone };
      if (entry?.problem !== heldEntry.problem)
        log.warn({ managedSecret: key, error: heldEntry.problem }, 'a managed secret cannot be read');
    }
    // The object may have gone meanwhile.
    if (this.#deps.objects.get({ namespace, name: object.metadata.name })?.metadata.uid !== uid) return;
    this.#entries.set(key, heldEntry, namespace, bytesOf(heldEntry));
    this.#first?.delete(key);
    if (fingerprint(entry) !== fingerprint(heldEntry)) this.#notify(key);
  }

  #drop(key: string): void {
    if (this.#entries.delete(key)) this.#notify(key);
  }

  #notify(key: string): void {
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  /**
   * Readiness: a replica that starts while vaults are away has no value to return. Each namespace counts once, so that
   * no tenant keeps a replica from service by vaults that do not exist. Once ready, it goes on from memory.
   */
  notReady(): string | undefined {
    const { objects } = this.#deps;
    if (this.#wasReady || !objects.synced) return undefined;
    const served = objects.list().filter(this.#isHeld);
    this.#first ??= new Set(served.map(keyOf).filter((key) => this.#entries.get(key) === undefined));
    const left = served.filter((object) => this.#first?.has(keyOf(object)));
    if (left.length > 0) return `${left.length} managed secrets were not read yet`;
    const namespaces = new Map<string, boolean>();
    let problem: string | undefined;
    for (const object of served) {
      const entry = this.#entries.get(keyOf(object));
      const { namespace = '' } = object.metadata;
      const lost = entry?.away === true && entry.reading === undefined;
      if (lost) problem ??= entry.problem;
      namespaces.set(namespace, (namespaces.get(namespace) ?? true) && lost);
    }
    const lost = [...namespaces.values()].filter(Boolean).length;
    if (lost * 2 > namespaces.size)
      return `no secret of ${lost} of ${namespaces.size} namespaces can be read: ${problem}`;
    this.#wasReady = true;
    return undefined;
  }

  /** Ages of all values in memory, milliseconds, for the metric. */
  ages(): number[] {
    const now = this.#deps.clock.now();
    return this.#deps.objects.list().flatMap((object) => {
      const { reading } = this.get(object);
      return reading ? [Math.max(0, now - reading.syncedAt)] : [];
    });
  }
}

/** Bytes that an entry may need: V8 has one or two for each character, and the rest of it is small. */
function bytesOf({ reading }: Entry): number {
  const values = [reading?.current, reading?.previous].map((each) => each?.value.length ?? 0);
  return values.reduce((sum, length) => sum + 2 * length, 1024);
}

function fingerprint(entry: Entry | undefined): string {
  const version = (each: Reading['current'] | undefined) => (each ? `${each.number} ${each.hash}` : '');
  return entry?.reading ? `${entry.uid} ${version(entry.reading.current)} ${version(entry.reading.previous)}` : '';
}
