import { WorkLimiter } from './work-limiter.ts';

/** Objects of a large volume. 500 objects of 25 KB take up to 80 MB while they are read, converted and sent. */
const largeFrom = 100;

/** Bounds the volumes that are in memory: one large one, and beside it small ones, each kind shared out by namespace. */
export class VolumeLimits {
  readonly #large = new WorkLimiter({ total: 1, perNamespace: 1, waiting: 200 });
  readonly #small = new WorkLimiter({ total: 250, perNamespace: 125, waiting: 200 });

  /** As WorkLimiter.run, for a volume of so many objects. */
  run<T>(namespace: string, objects: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (objects > largeFrom) return this.#large.run(namespace, 1, signal, work);
    return this.#small.run(namespace, Math.max(1, objects), signal, work);
  }
}
