import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import { Reflector } from '../../kube/cache/reflector.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { secretsType } from '../objects.ts';
import { type ContentState, SecretFinding } from './secret-finding.ts';
import { SecretPoller } from './secret-poller.ts';

/** As `ContentState`; absent: the Secret does not exist. */
export type SecretState = ContentState | 'absent';

/** A Secret, and the type of the identities that use it: 1 or 2. */
export interface SecretUse {
  readonly namespace: string;
  readonly name: string;
  readonly type: number | undefined;
}

/** Most watched Secrets, of one namespace and in total. The poller reads the others. */
export interface WatchLimits {
  readonly perNamespace: number;
  readonly total: number;
}

/** Default limits of watches. */
export const watchLimits: WatchLimits = { perNamespace: 16, total: 128 };

/** How long an answer may take before the state is unknown, milliseconds. */
const pendingMs = 5000;
/** Concurrent reads of Secrets. */
const reads = 4;

/** Where the version of a Secret comes from: a watch or the poller. */
interface Source {
  /** Why there is no version yet; undefined once it is known. */
  notSynced(): string | undefined;
  version(): string | undefined;
}

interface Used {
  readonly secret: SecretUse;
  readonly stop: AbortController;
  readonly users: Set<string>;
  readonly since: number;
  readonly watched: boolean;
  source: Source;
  /** By type of identity. */
  readonly findings: Map<number | undefined, SecretFinding>;
}

/**
 * Whether the Secrets that identities name exist and are usable. Watches the metadata of each named Secret, or polls
 * them beyond the limits of watches, and reads the content of each version once. A refused watch affects only its own
 * Secret.
 */
export class SecretWatches {
  readonly #runtime: Runtime;
  readonly #changed: (users: ReadonlySet<string>) => void;
  readonly #limits: WatchLimits;
  readonly #used = new Map<string, Used>();
  readonly #byUser = new Map<string, string>();
  readonly #semaphore = new FairSemaphore({ total: reads });
  readonly #poller: SecretPoller;
  /** Watches by namespace. */
  readonly #watches = new Map<string, number>();

  constructor(runtime: Runtime, changed: (users: ReadonlySet<string>) => void, limits = watchLimits) {
    this.#runtime = runtime;
    this.#changed = changed;
    this.#limits = limits;
    this.#poller = new SecretPoller(runtime, (id) => {
      const used = this.#used.get(id);
      if (used) changed(used.users);
    });
  }

  /** Secrets in use. */
  get size(): number {
    return this.#used.size;
  }

  /** Number of watched Secrets. */
  get watching(): number {
    return [...this.#watches.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Registers the one Secret that `user` needs, and returns its state; undefined: `user` needs none any more. */
  use(user: string, secret: SecretUse | undefined): SecretState | undefined {
    const id = secret && `${secret.namespace}/${secret.name}`;
    const before = this.#byUser.get(user);
    if (before !== undefined && before !== id) this.#leave(user, before);
    if (!secret || id === undefined) return undefined;
    this.#byUser.set(user, id);
    const used = this.#used.get(id) ?? this.#start(id, secret);
    used.users.add(user);
    const why = used.source.notSynced();
    if (why !== undefined) {
      const late = this.#runtime.clock.monotonic() - used.since >= pendingMs;
      return late ? { unknown: why } : 'pending';
    }
    const version = used.source.version();
    return version === undefined ? 'absent' : this.#findingOf(used, secret).of(version);
  }

  /** Ends every watch and read. */
  close(): void {
    for (const { stop } of this.#used.values()) stop.abort();
    this.#used.clear();
    this.#byUser.clear();
    this.#watches.clear();
    this.#poller.close();
  }

  #findingOf({ findings, stop, users }: Used, { namespace, name, type }: SecretUse): SecretFinding {
    const typeFinding = findings.get(type);
    if (typeFinding) return typeFinding;
    const finding = new SecretFinding({
      runtime: this.#runtime,
      secret: { namespace, name },
      type,
      semaphore: this.#semaphore,
      signal: stop.signal,
      changed: () => this.#changed(users),
      waitAtMostMs: pendingMs,
    });
    findings.set(type, finding);
    return finding;
  }

  #start(id: string, secret: SecretUse): Used {
    const { namespace } = secret;
    const watchCount = this.#watches.get(namespace) ?? 0;
    const watched = watchCount < this.#limits.perNamespace && this.watching < this.#limits.total;
    const stop = new AbortController();
    const users = new Set<string>();
    if (watched) this.#watches.set(namespace, watchCount + 1);
    const source = watched ? this.#watch(secret, users, stop.signal) : this.#poller.add(id, secret);
    const since = this.#runtime.clock.monotonic();
    const used = { secret, stop, users, since, watched, source, findings: new Map() };
    this.#used.set(id, used);
    this.#runtime.clock.sleep(pendingMs, stop.signal).then(
      () => this.#changed(users),
      () => undefined,
    );
    return used;
  }

  #watch({ namespace, name }: SecretUse, users: ReadonlySet<string>, signal: AbortSignal): Source {
    const reflector = new Reflector<KubeObject>(this.#runtime, {
      type: secretsType,
      namespaces: [namespace],
      fieldSelector: `metadata.name=${name}`,
      metadataOnly: true,
    });
    reflector.onChange(() => this.#changed(users));
    void reflector.run(signal);
    reflector.whenSynced(signal).then(
      () => this.#changed(users),
      () => undefined,
    );
    return {
      notSynced: () => reflector.notSynced(),
      version: () => reflector.get({ namespace, name })?.metadata.resourceVersion,
    };
  }

  #leave(user: string, id: string): void {
    this.#byUser.delete(user);
    const used = this.#used.get(id);
    used?.users.delete(user);
    if (!used || used.users.size > 0) return;
    used.stop.abort();
    this.#used.delete(id);
    const { namespace } = used.secret;
    if (!used.watched) this.#poller.drop(id);
    else this.#watches.set(namespace, (this.#watches.get(namespace) ?? 1) - 1);
    if (this.#watches.get(namespace) === 0) this.#watches.delete(namespace);
  }
}
