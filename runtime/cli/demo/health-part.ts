/** Milliseconds between two reads of instances: the embedded Azure has no limit for them, and people wait. */
export const instancesReadMs = 2000;
/** Milliseconds of a batch of instances in the embedded Azure. */
export const batchMs = 1000;
/** The operator adds up to a quarter, so that sets do not stay together. */
const longestReadMs = instancesReadMs * 1.25;

/** The scenes of the demonstration in which a bad version stops and is taken back: their batches and their time. */
export class HealthPart {
  /** Batches of instances that the scenes waited for, on the way out and back. */
  batches = 0;
  /** Time of the scenes on this machine. */
  seconds = 0;
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a scene; `work` returns the number of batches that it waited for. */
  async scene(work: () => Promise<number>): Promise<void> {
    const started = this.#now();
    this.batches += await work();
    this.seconds += (this.#now() - started) / 1000;
  }

  /** The time that the batches take with the read that shows each one's end, however busy the machine is. */
  get waitSeconds(): number {
    return (this.batches * (batchMs + longestReadMs)) / 1000;
  }

  toString(): string {
    return (
      `A bad certificate and a bad image stopped and were taken back in ${this.seconds.toFixed(1)} s: ` +
      `${this.batches} batches of instances, ${this.waitSeconds.toFixed(1)} s of waiting`
    );
  }
}
