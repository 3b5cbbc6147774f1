import { AzimuthError } from '../../base/errors.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';

/** A volume with more objects is large: 500 objects of 25 KB take up to 80 MB in memory. */
const largeFrom = 100;

/** Limits the volumes in memory: one large volume, and small volumes beside it; namespaces are served in rotation. */
export class VolumeLimits {
  readonly #large = new FairSemaphore({ total: 1, waiting: 200, tooMany });
  readonly #small = new FairSemaphore({ total: 250, perKey: 125, waiting: 200, tooMany });

  /**
   * As FairSemaphore.run, for a volume of so many objects. Throws AZ_VOLUME_AGENT where too many volumes of the
   * namespace wait.
   */
  run<T>(namespace: string, objects: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (objects > largeFrom) return this.#large.run(namespace, signal, work);
    return this.#small.run(namespace, signal, work, Math.max(1, objects));
  }
}

function tooMany(namespace: string, waiting: number): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    `${waiting} volumes of the namespace ${namespace} wait for the node agent already; it is tried again`,
  );
}
