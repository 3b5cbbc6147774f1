import type { Clock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { FairSemaphore } from '../../../base/fairness/fair-semaphore.ts';

/** A volume with more objects is large: 500 objects of 25 KB take up to 80 MB in memory. */
const largeFrom = 100;
/** Milliseconds for which a large volume keeps its place while other namespaces wait. */
const placeMs = 10_000;
/** Milliseconds by which each object that was read extends that time. */
const objectMs = 50;
/** Milliseconds between two checks of that time. */
const checkMs = 1000;

/** A volume that is in memory. */
export interface VolumePlace {
  /** Aborts where the volume has to give its place to another namespace; also when the caller's signal aborts. */
  readonly signal: AbortSignal;
  /** Reports that an object was read. */
  readonly onRead: () => void;
}

/**
 * Limits the volumes in memory: one large volume, and small volumes beside it; namespaces are served in rotation. A
 * large volume that waits for its vault or a token, such as a throttled one, gives its place back after ten seconds
 * when other namespaces wait: it fails, which frees its memory, and kubelet tries again.
 */
export class VolumeLimits {
  readonly #clock: Clock;
  readonly #large = new FairSemaphore({ total: 1, waiting: 200, tooMany });
  readonly #small = new FairSemaphore({ total: 250, perKey: 125, waiting: 200, tooMany });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * As FairSemaphore.run, for a volume of so many objects. Throws AZ_VOLUME_AGENT where too many volumes of the
   * namespace wait; `work` throws the reason of its signal, AZ_VOLUME_AGENT where it gives its place back.
   */
  run<T>(
    namespace: string,
    objects: number,
    signal: AbortSignal,
    work: (place: VolumePlace) => Promise<T>,
  ): Promise<T> {
    if (objects > largeFrom) return this.#large.run(namespace, signal, () => this.#inPlace(namespace, signal, work));
    const place = { signal, onRead: () => undefined };
    return this.#small.run(namespace, signal, () => work(place), Math.max(1, objects));
  }

  async #inPlace<T>(namespace: string, signal: AbortSignal, work: (place: VolumePlace) => Promise<T>): Promise<T> {
    const [giveBack, done] = [new AbortController(), new AbortController()];
    let until = this.#clock.monotonic() + placeMs;
    const watch = async () => {
      for (;;) {
        const ended = await this.#clock.sleep(checkMs, done.signal).then(
          () => false,
          () => true,
        );
        if (ended) return;
        if (this.#clock.monotonic() >= until && this.#large.othersWait(namespace)) return giveBack.abort(tooSlow());
      }
    };
    void watch();
    const onRead = () => {
      until += objectMs;
    };
    try {
      return await work({ signal: AbortSignal.any([signal, giveBack.signal]), onRead });
    } finally {
      done.abort();
    }
  }
}

function tooMany(namespace: string, waiting: number): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    `${waiting} volumes of the namespace ${namespace} wait for the node agent already; it is tried again`,
  );
}

function tooSlow(): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    'The vault takes long, and large volumes of other namespaces wait for the node agent; it is tried again. ' +
      `Volumes of at most ${largeFrom} objects do not wait for large ones`,
  );
}
