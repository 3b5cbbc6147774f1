import type { Clock } from '../../base/clock.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { jsonLength } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** Characters of an object as JSON that cost no credit; nearly every object has fewer. */
const freeCharacters = 16 * 1024;
/** Characters that count at most: etcd takes 1.5 MiB in a request, and an object may be nested too deep to be measured. */
const mostCharacters = 1.5 * 1024 * 1024;
/** Milliseconds of computing for 1,024 further characters: what a run takes that reads, compares and writes them. */
const runMs = 1;
/** The same for a run that only reads the object and then waits. */
const readMs = 0.05;

/** The computing time of runs of large objects: each namespace has a quarter of real time, and 5 s at once. */
export class ReconcileCredit {
  readonly #credit: TimeCredit;

  constructor(clock: Clock) {
    this.#credit = new TimeCredit(clock);
  }

  /** Spends credit of the object's namespace for a run. Milliseconds until the object may run; 0 if it may now. */
  spend(object: KubeObject): number {
    const units = (Math.min(jsonLength(object), mostCharacters) - freeCharacters) / 1024;
    if (units <= 0) return 0;
    const { namespace = '' } = object.metadata;
    const mayRun = this.#credit.waitMs(namespace) === 0;
    this.#credit.spend(namespace, units * (mayRun ? runMs : readMs));
    return mayRun ? 0 : this.#credit.waitMs(namespace);
  }
}
