import { isObject } from '../../base/json.ts';
import { expectDiscovery } from '../client/expected.ts';
import { isNotFound } from '../client/status-error.ts';
import type { ResourceType } from '../client/types.ts';
import type { Runtime } from './types.ts';

/** Names that the API server answered with, and when it was asked, monotonic milliseconds. */
interface Answer {
  readonly asked: number;
  readonly names: Promise<ReadonlySet<string>>;
}

/**
 * Which types the API server has, by its discovery. All watches of one client that wait for a definition share it: one
 * request for the groups, and one for each group that exists, in place of a LIST for each type.
 */
export class ServedTypes {
  static readonly #known = new WeakMap<object, ServedTypes>();
  readonly #runtime: Pick<Runtime, 'client' | 'clock'>;
  readonly #answers = new Map<string, Answer>();

  private constructor(runtime: Pick<Runtime, 'client' | 'clock'>) {
    this.#runtime = runtime;
  }

  static of({ client, clock }: Pick<Runtime, 'client' | 'clock'>): ServedTypes {
    const servedTypes = ServedTypes.#known.get(client) ?? new ServedTypes({ client, clock });
    ServedTypes.#known.set(client, servedTypes);
    return servedTypes;
  }

  /**
   * False where the API server certainly has no such type; true where it has, and where discovery fails, because then a
   * LIST decides. Takes answers that are at most `maxAgeMs` old.
   */
  async has({ group, version, plural }: ResourceType, maxAgeMs: number, signal: AbortSignal): Promise<boolean> {
    if (group === '') return true;
    try {
      const versions = await this.#names('/apis', maxAgeMs, groupVersions, signal);
      if (!versions.has(`${group}/${version}`)) return false;
      return (await this.#names(`/apis/${group}/${version}`, maxAgeMs, resourceNames, signal)).has(plural);
    } catch {
      return true;
    }
  }

  /** Waits while discovery shows that the API server has no such type, so that a kind nobody defines costs no LIST. */
  async whenServed(
    type: ResourceType,
    { delayMs, onDelay }: { readonly delayMs: () => number; readonly onDelay: () => void },
    signal: AbortSignal,
  ): Promise<void> {
    for (let ms = delayMs(); !signal.aborted; ms = delayMs()) {
      // A new definition is found within one and a half delays.
      if (await this.has(type, ms / 2, signal)) return;
      onDelay();
      await this.#runtime.clock.sleep(ms, signal).catch(() => undefined);
    }
  }

  async #names(
    path: string,
    maxAgeMs: number,
    read: (path: string, answer: unknown) => string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const now = this.#runtime.clock.monotonic();
    const last = this.#answers.get(path);
    if (last && now - last.asked <= maxAgeMs) return await last.names;
    const names = this.#runtime.client.raw<unknown>(path, signal).then(
      (answer) => new Set(read(path, answer)),
      (error: unknown) => {
        // The version went away in the meantime.
        if (isNotFound(error)) return new Set<string>();
        this.#answers.delete(path);
        throw error;
      },
    );
    this.#answers.set(path, { asked: now, names });
    return await names;
  }
}

function groupVersions(path: string, answer: unknown): string[] {
  const versions = expectDiscovery(path, 'APIGroupList', answer).flatMap(({ versions: all }): unknown[] =>
    Array.isArray(all) ? all : [],
  );
  return textsOf(versions, 'groupVersion');
}

function resourceNames(path: string, answer: unknown): string[] {
  return textsOf(expectDiscovery(path, 'APIResourceList', answer), 'name');
}

function textsOf(items: readonly unknown[], member: string): string[] {
  return items.flatMap((item) => (isObject(item) && typeof item[member] === 'string' ? [item[member]] : []));
}
