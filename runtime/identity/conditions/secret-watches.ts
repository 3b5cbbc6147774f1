import { Slots } from '../../base/http/slots.ts';
import { Reflector } from '../../kube/cache/reflector.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { secretsType } from '../objects.ts';
import { type ContentState, SecretFinding } from './secret-finding.ts';

/** Pending: an answer is on its way; unknown: it does not come, as where reading is not allowed. */
export type SecretState = ContentState | 'absent';

/** A Secret, and the type of the identities that use it: 1 or 2. */
export interface SecretUse {
  readonly namespace: string;
  readonly name: string;
  readonly type: number | undefined;
}

/** How long an answer may take before its lack is told. */
const pendingMs = 5000;
/** Secrets that are read at a time. */
const readings = 4;

interface Watched {
  readonly reflector: Reflector;
  readonly stop: AbortController;
  readonly users: Set<string>;
  readonly since: number;
  /** By type of identity. */
  readonly findings: Map<number | undefined, SecretFinding>;
}

/**
 * Whether the Secrets that identities name exist and can serve: one watch for each, of its metadata only, while somebody
 * names it, and one reading of each version that it shows. A watch that is refused says so and disturbs nothing else.
 */
export class SecretWatches {
  readonly #runtime: Runtime;
  readonly #wake: (users: ReadonlySet<string>) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #byUser = new Map<string, string>();
  readonly #slots = new Slots(readings);

  constructor(runtime: Runtime, wake: (users: ReadonlySet<string>) => void) {
    this.#runtime = runtime;
    this.#wake = wake;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Says that `user` needs this Secret and no other; undefined: none any more. */
  use(user: string, secret: SecretUse | undefined): SecretState | undefined {
    const id = secret && `${secret.namespace}/${secret.name}`;
    const before = this.#byUser.get(user);
    if (before !== undefined && before !== id) this.#leave(user, before);
    if (!secret || id === undefined) return undefined;
    this.#byUser.set(user, id);
    const watched = this.#watched.get(id) ?? this.#start(id, secret);
    watched.users.add(user);
    const why = watched.reflector.notSynced();
    if (why !== undefined) {
      const late = this.#runtime.clock.monotonic() - watched.since >= pendingMs;
      return late ? { unknown: why } : 'pending';
    }
    const version = watched.reflector.get(secret)?.metadata.resourceVersion;
    return version === undefined ? 'absent' : this.#findingOf(watched, secret).of(version);
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop.abort();
    this.#watched.clear();
    this.#byUser.clear();
  }

  #findingOf({ findings, stop, users }: Watched, { namespace, name, type }: SecretUse): SecretFinding {
    const known = findings.get(type);
    if (known) return known;
    const finding = new SecretFinding({
      runtime: this.#runtime,
      secret: { namespace, name },
      type,
      slots: this.#slots,
      signal: stop.signal,
      wake: () => this.#wake(users),
      patienceMs: pendingMs,
    });
    findings.set(type, finding);
    return finding;
  }

  #start(id: string, { namespace, name }: SecretUse): Watched {
    const reflector = new Reflector<KubeObject>(this.#runtime, {
      type: secretsType,
      namespaces: [namespace],
      fieldSelector: `metadata.name=${name}`,
      metadataOnly: true,
    });
    const watched = {
      reflector,
      stop: new AbortController(),
      users: new Set<string>(),
      since: this.#runtime.clock.monotonic(),
      findings: new Map(),
    };
    this.#watched.set(id, watched);
    reflector.onChange(() => this.#wake(watched.users));
    void reflector.run(watched.stop.signal);
    const { signal } = watched.stop;
    for (const news of [reflector.whenSynced(signal), this.#runtime.clock.sleep(pendingMs, signal)]) {
      news.then(
        () => this.#wake(watched.users),
        () => undefined,
      );
    }
    return watched;
  }

  #leave(user: string, id: string): void {
    this.#byUser.delete(user);
    const watched = this.#watched.get(id);
    watched?.users.delete(user);
    if (!watched || watched.users.size > 0) return;
    watched.stop.abort();
    this.#watched.delete(id);
  }
}
