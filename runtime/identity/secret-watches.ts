import type { Runtime } from '../kube/cache-types.ts';
import { Reflector } from '../kube/reflector.ts';
import type { KubeObject, ObjectKey } from '../kube/types.ts';
import { secretsType } from './objects.ts';

/** Pending: the first answer is on its way; unknown: it does not come, as where reading is not allowed. */
export type SecretPresence = 'present' | 'absent' | 'pending' | { readonly unknown: string };

/** How long the first answer may take before its lack is told. */
const pendingMs = 5000;

interface Watched {
  readonly reflector: Reflector;
  readonly stop: AbortController;
  readonly users: Set<string>;
  readonly since: number;
}

/**
 * Whether the Secrets that identities name exist: one watch for each, of its metadata only, while somebody names it. The
 * content of a Secret never comes here. A watch that is refused says so and disturbs nothing else.
 */
export class SecretWatches {
  readonly #runtime: Runtime;
  readonly #wake: (users: ReadonlySet<string>) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #byUser = new Map<string, string>();

  constructor(runtime: Runtime, wake: (users: ReadonlySet<string>) => void) {
    this.#runtime = runtime;
    this.#wake = wake;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Says that `user` needs this Secret and no other; undefined: none any more. */
  use(user: string, secret: (ObjectKey & { readonly namespace: string }) | undefined): SecretPresence | undefined {
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
    return watched.reflector.get(secret) ? 'present' : 'absent';
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop.abort();
    this.#watched.clear();
    this.#byUser.clear();
  }

  #start(id: string, { namespace, name }: ObjectKey & { readonly namespace: string }): Watched {
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
    };
    this.#watched.set(id, watched);
    reflector.onChange((change) => {
      if (change.type !== 'updated') this.#wake(watched.users);
    });
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
