import { AzimuthError } from '../../base/errors.ts';

export interface WorkLimits {
  /** Sum of the weights of what runs at a time. */
  readonly total: number;
  /** The same for one namespace, so that others find room beside it. An item that is heavier counts as this much. */
  readonly perNamespace: number;
  /** Items of one namespace that may wait. @default no bound */
  readonly waiting?: number;
}

interface Item {
  readonly weight: number;
  readonly start: () => void;
}

/** Bounds the work of the agent and shares it out by namespace: namespaces take turns, and each has a bound of its own. */
export class WorkLimiter {
  readonly #limits: WorkLimits;
  /** In the order of turns: a namespace that was served goes to the end. */
  readonly #waiting = new Map<string, Set<Item>>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when there is room. Throws AZ_VOLUME_AGENT where too much of the namespace waits already, or the signal's
   * reason.
   */
  async run<T>(namespace: string, weight: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const counted = Math.min(weight, this.#limits.perNamespace);
    await this.#enter(namespace, counted, signal);
    try {
      return await work();
    } finally {
      this.#occupy(namespace, -counted);
      this.#startNext();
    }
  }

  #enter(namespace: string, weight: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const items = this.#waiting.get(namespace) ?? new Set<Item>();
    const { waiting = Number.POSITIVE_INFINITY } = this.#limits;
    if (items.size >= waiting) throw tooMany(namespace, items.size);
    return new Promise((resolve, reject) => {
      const abort = () => {
        items.delete(item);
        if (items.size === 0) this.#waiting.delete(namespace);
        reject(signal.reason);
        this.#startNext();
      };
      const start = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const item: Item = { weight, start };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.set(namespace, items.add(item));
      this.#startNext();
    });
  }

  #startNext(): void {
    const { total, perNamespace } = this.#limits;
    for (const [namespace, items] of this.#waiting) {
      const [item] = items;
      if (!item || (this.#running.get(namespace) ?? 0) + item.weight > perNamespace) continue;
      // Lighter ones do not pass it, or it would wait for ever.
      if (this.#total + item.weight > total) return;
      items.delete(item);
      this.#waiting.delete(namespace);
      // The loop comes to it again, after the others.
      if (items.size > 0) this.#waiting.set(namespace, items);
      this.#occupy(namespace, item.weight);
      item.start();
    }
  }

  #occupy(namespace: string, weight: number): void {
    const sum = (this.#running.get(namespace) ?? 0) + weight;
    if (sum > 0) this.#running.set(namespace, sum);
    else this.#running.delete(namespace);
    this.#total += weight;
  }
}

function tooMany(namespace: string, waiting: number): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    `${waiting} volumes of the namespace ${namespace} wait for the node agent already; it is tried again`,
  );
}
