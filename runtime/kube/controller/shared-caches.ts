import { setMaxListeners } from 'node:events';
import { bounded, withoutManagedFields } from '../cache/projection.ts';
import { Reflector } from '../cache/reflector.ts';
import { resourceLabel } from '../cache/reflector-metrics.ts';
import type { ReflectorOptions, Runtime, WatchedCache } from '../cache/types.ts';
import type { KubeObject } from '../client/types.ts';

interface Shared {
  readonly key: string;
  readonly project: unknown;
  readonly reflector: Reflector;
}

/** The caches of a program. Equal selections share one watch. */
export class SharedCaches {
  readonly #runtime: Runtime;
  readonly #shared: Shared[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  #started = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    // Each watch adds a listener.
    setMaxListeners(0, this.#stop.signal);
  }

  /**
   * The cache of a resource type. Equal selections with the same projection share one watch, which gets the indexes of
   * all; a watch that is added after the start begins at once. Large objects are held as `bounded` leaves them.
   */
  watch<T extends KubeObject>(options: ReflectorOptions<T>): WatchedCache<T> {
    const { type, namespaces, labelSelector, fieldSelector, metadataOnly = false, project } = options;
    const selection = [type.group, type.version, type.plural, namespaces && [...namespaces].sort()];
    const key = JSON.stringify([...selection, labelSelector, fieldSelector, metadataOnly]);
    const shared = this.#shared.find((each) => each.key === key && each.project === project);
    if (shared) {
      const reflector = shared.reflector as unknown as Reflector<T>;
      for (const [name, index] of Object.entries(options.indexes ?? {})) reflector.addIndex(name, index);
      return reflector;
    }
    const kept = project ?? withoutManagedFields;
    const reflector = new Reflector<T>(this.#runtime, { ...options, project: (object) => bounded(kept(object)) });
    this.#shared.push({ key, project, reflector: reflector as unknown as Reflector });
    if (this.#started) this.#running.push(reflector.run(this.#stop.signal));
    return reflector;
  }

  /** Starts all watches. */
  start(): void {
    this.#started = true;
    for (const { reflector } of this.#shared) this.#running.push(reflector.run(this.#stop.signal));
  }

  /** Waits for the first state of all caches, its own included; false when `stop` aborts before. */
  async whenKnown(stop: AbortSignal): Promise<boolean> {
    try {
      for (const { reflector } of this.#shared) await reflector.whenKnown(stop);
      return true;
    } catch {
      return false;
    }
  }

  /** Ends all watches. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The program has ended'));
    await Promise.all(this.#running);
  }

  /** Readiness: names a cache without its first state. */
  notSynced(): string | undefined {
    return this.#first(({ reflector }) => reflector.notSynced());
  }

  /** Liveness: names a cache whose watch does nothing any more. */
  stuck(): string | undefined {
    return this.#started ? this.#first(({ reflector }) => reflector.stuck()) : undefined;
  }

  #first(check: (shared: Shared) => string | undefined): string | undefined {
    for (const shared of this.#shared) {
      const problem = check(shared);
      if (problem !== undefined) return `${resourceLabel(shared.reflector.type)}: ${problem}`;
    }
    return undefined;
  }
}
