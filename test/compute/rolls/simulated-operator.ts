/** The operator's side of the rolls of a simulated set, with every read, kill and lost answer. */
import { nextRollStep, rollReasons } from '../../../runtime/compute/rolls/roll-plan.ts';
import type { SimulatedSet } from './simulated-set.ts';

/** Seconds between two reads of the operator. */
const readGap = 30;

/** How a write of the operator is lost: before it arrives, or its answer. */
export type Loss = 'request' | 'answer' | undefined;

/** The operator's part: what `rollScaleSet` does with the steps, and what a kill makes it forget. */
export class SimulatedOperator {
  requests = 0;
  /** Reason of the last step. */
  reason = '';
  #nextReadAt = 0;
  #batchEndedAt: number | undefined;
  #behindSince: number | undefined;
  #resumed = { times: 0, nextAt: 0 };
  #sent = false;
  readonly #set: SimulatedSet;

  constructor(set: SimulatedSet) {
    this.#set = set;
  }

  /** A restart forgets everything. */
  kill(): void {
    this.#nextReadAt = 0;
    this.#batchEndedAt = undefined;
    this.#behindSince = undefined;
    this.#resumed = { times: 0, nextAt: 0 };
    this.#sent = false;
  }

  newModel(): void {
    this.reason = '';
    this.#behindSince = undefined;
    this.#resumed = { times: 0, nextAt: 0 };
  }

  /** One run; true once each instance has the model and is well. */
  run(loss?: Loss): boolean {
    const set = this.#set;
    const { policy, mode } = set.settings;
    if (this.#sent && !set.isMoving) {
      this.#sent = false;
      this.#batchEndedAt = set.now;
      this.#nextReadAt = Math.max(this.#nextReadAt, set.now + policy.pauseSeconds);
    }
    if (this.#sent || set.now < this.#nextReadAt) return false;
    this.#nextReadAt = set.now + readGap;
    const instances = set.view();
    const upgrade = mode === 'Rolling' ? set.upgrade : undefined;
    if (set.isMoving) this.#batchEndedAt = undefined;
    else if (instances.some(({ latestModelApplied }) => latestModelApplied)) this.#batchEndedAt ??= set.now;
    const { opensAt } = set;
    const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);
    const step = nextRollStep({
      now: set.now * 1000,
      mode,
      policy,
      driver: 'operator',
      serviceFabric: false,
      instances,
      upgrade,
      behindSince: ms(this.#behindSince),
      batchEndedAt: ms(this.#batchEndedAt),
      closed: opensAt === undefined ? undefined : { until: opensAt * 1000, opening: 'the window opens' },
    });
    if (!step.applied)
      this.#behindSince = upgrade?.code === 'RollingForward' ? undefined : (this.#behindSince ?? set.now);
    this.reason = step.reason;
    if (step.reason === rollReasons.window) set.counts.windowWaits++;
    if (step.do === 'Nothing' && step.until !== undefined) this.#nextReadAt = step.until / 1000;
    if (step.do === 'Upgrade') {
      this.requests++;
      this.#batchEndedAt = undefined;
      if (loss !== 'request') set.manualUpgrade(step.ids);
      this.#sent = loss === undefined;
    } else if (step.do === 'Resume' && set.now >= this.#resumed.nextAt) {
      this.requests++;
      this.#resumed = {
        times: this.#resumed.times + 1,
        nextAt: set.now + Math.min(3600, 60 * 2 ** this.#resumed.times),
      };
      if (loss !== 'request') set.resume();
    }
    return step.well;
  }
}
