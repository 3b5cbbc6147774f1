/** A scale set of Azure in simulated time, and the operator's side of its rolls with every read, kill and lost answer. */
import { batchSize, exceedsPercent, thresholdCodes } from '../../../runtime/compute/rolls/batches.ts';
import { countInstances, type RollInstance } from '../../../runtime/compute/rolls/instance-counts.ts';
import { nextRollStep, type RollingUpgradeState } from '../../../runtime/compute/rolls/roll-plan.ts';
import type { RollingPolicy, UpgradeMode } from '../../../runtime/compute/rolls/rolling-policy.ts';

/** The size and the settings of a simulated set; times in seconds. */
export interface SetSettings {
  readonly size: number;
  readonly mode: UpgradeMode;
  readonly policy: RollingPolicy;
  /** Duration of a batch. */
  readonly batchSeconds: number;
  /** Mode Rolling: whether a batch is of new instances, and the former ones go once these are well. */
  readonly surges: boolean;
  /** Maintenance windows: the time from one to the next, and how long each is open. */
  readonly windows?: { readonly every: number; readonly open: number };
}

interface Instance {
  readonly id: string;
  version: number;
  /** The version before that one. */
  former: number;
  illUntil: number;
  /** Whether its protection keeps models from it. */
  held: boolean;
  updating?: { readonly until: number; readonly version: number } | undefined;
}

/** Seconds between two reads of the operator. */
const readGap = 30;

/** Azure's part: instances, models, rolling upgrades. `broken` versions make an instance ill. */
export class SimulatedSet {
  now = 0;
  version = 1;
  readonly broken = new Set<number>();
  instances: Instance[];
  /** Instances that took the place of another one. */
  replaced = 0;
  /** Batches that no limit of the policy allows, in words. */
  readonly violations: string[] = [];
  readonly settings: SetSettings;
  #upgrade: (RollingUpgradeState & { code: string; nextAt: number }) | undefined;
  #lastBatchEnd = Number.NEGATIVE_INFINITY;
  #moving: readonly Instance[] = [];
  /** With surge: the new instances of the batch under way, and the old ones that it replaces. */
  #surge: { readonly batch: readonly Instance[]; readonly leaving: readonly Instance[] } | undefined;
  #nextId: number;

  constructor(settings: SetSettings) {
    this.settings = settings;
    this.#nextId = settings.size;
    this.instances = Array.from({ length: settings.size }, (_, id) => ({
      id: String(id),
      version: 1,
      former: 1,
      illUntil: 0,
      held: false,
    }));
  }

  /** A new model; mode Rolling starts an upgrade, after it ended the one before, and mode Automatic updates all. */
  put(version: number): void {
    const { mode } = this.settings;
    this.version = version;
    if (!this.isMoving) this.#lastBatchEnd = Number.NEGATIVE_INFINITY;
    if (mode === 'Rolling') this.#start();
    if (mode === 'Automatic') this.#begin(this.instances.filter(({ held }) => !held));
  }

  resume(): void {
    this.#checkWindow();
    this.#start();
  }

  #start(): void {
    this.#upgrade = { code: 'RollingForward', nextAt: this.now };
  }

  get upgrade(): RollingUpgradeState | undefined {
    return this.#upgrade;
  }

  view(): RollInstance[] {
    return this.instances.map((each) => ({
      id: each.id,
      latestModelApplied: each.version === this.version,
      healthy: this.#isHealthy(each),
      running: true,
      ...(each.held && { held: true }),
      ...(each.updating && { upgrading: true }),
    }));
  }

  /** Starts a batch of the operator's choice. */
  manualUpgrade(ids: readonly string[]): void {
    this.#checkWindow();
    const batch = this.instances.filter(({ id }) => ids.includes(id));
    this.#check(batch);
    this.#begin(batch);
  }

  advance(): void {
    this.now++;
    if (this.isMoving) {
      for (const each of this.#moving) {
        if (!each.updating || each.updating.until > this.now) continue;
        each.former = each.version;
        each.version = each.updating.version;
        each.updating = undefined;
        if (each.version === this.version) this.#lastBatchEnd = this.now;
      }
      this.#moving = this.#moving.filter(({ updating }) => updating);
    }
    this.#roll();
  }

  /** When the closed maintenance window opens; undefined while it is open, and without one. */
  get opensAt(): number | undefined {
    const { windows } = this.settings;
    if (!windows || this.now % windows.every < windows.open) return undefined;
    return (Math.floor(this.now / windows.every) + 1) * windows.every;
  }

  get isMoving(): boolean {
    return this.#moving.length > 0;
  }

  #isHealthy({ version, illUntil }: Instance): boolean {
    return !this.broken.has(version) && illUntil <= this.now;
  }

  #begin(batch: readonly Instance[]): void {
    const until = this.now + this.settings.batchSeconds;
    for (const each of batch) each.updating = { until, version: this.version };
    this.#moving = this.instances.filter(({ updating }) => updating);
  }

  /** A batch of new instances, as many as the others. */
  #beginSurge(leaving: readonly Instance[]): void {
    const { version } = this;
    const batch = leaving.map(() => ({
      id: String(this.#nextId++),
      version,
      former: version,
      illUntil: 0,
      held: false,
    }));
    this.instances.push(...batch);
    this.#surge = { batch, leaving };
    this.#begin(batch);
  }

  /** The others go where the new instances are well within the limit; both stay otherwise. */
  #endSurge(): void {
    if (!this.#surge) return;
    const { batch, leaving } = this.#surge;
    this.#surge = undefined;
    const ill = batch.filter((each) => !this.#isHealthy(each)).length;
    if (exceedsPercent(ill, batch.length, this.settings.policy.maxUnhealthyUpgradedInstancePercent)) return;
    this.instances = this.instances.filter((each) => each.held || !leaving.includes(each));
    this.replaced += batch.length;
    if (this.instances.length < this.settings.size) this.violations.push(`too few instances at ${this.now} s`);
  }

  /** Azure's own upgrade: its limits are compared before and after each batch. */
  #roll(): void {
    if (!this.isMoving) this.#endSurge();
    const upgrade = this.#upgrade;
    if (upgrade?.code !== 'RollingForward' || this.isMoving) return;
    const { policy, surges } = this.settings;
    // The limits are compared at the end of a batch, and after the pause.
    const isPause = this.now < this.#lastBatchEnd + policy.pauseSeconds;
    if (isPause && this.now > this.#lastBatchEnd) return;
    const counts = countInstances(this.view());
    if (exceedsPercent(counts.unhealthyUpgraded, counts.upgraded, policy.maxUnhealthyUpgradedInstancePercent)) {
      this.#upgrade = { ...upgrade, code: 'Faulted' };
      if (policy.rollsBack) this.#restore();
    } else if (counts.behind === 0) this.#upgrade = { ...upgrade, code: 'Completed' };
    else if (!isPause) {
      if (exceedsPercent(counts.unhealthy, counts.total, policy.maxUnhealthyInstancePercent)) {
        const code = counts.upgraded === 0 ? thresholdCodes.beforeFirstBatch : thresholdCodes.beforeBatch;
        this.#upgrade = { ...upgrade, code: 'Faulted', error: { code, message: '' } };
        return;
      }
      const behind = this.instances.filter(({ version, held }) => version !== this.version && !held);
      const batch = behind.slice(0, batchSize(this.instances.length, policy.maxBatchInstancePercent));
      if (surges) this.#beginSurge(batch);
      else this.#begin(batch);
    }
  }

  /** Azure gives the failed instances of a stopped upgrade their former model. */
  #restore(): void {
    for (const each of this.instances)
      if (each.version === this.version && !this.#isHealthy(each)) each.version = each.former;
  }

  #checkWindow(): void {
    if (this.opensAt !== undefined) this.violations.push(`outside of the window at ${this.now} s`);
  }

  #check(batch: readonly Instance[]): void {
    const { policy } = this.settings;
    const size = this.instances.length;
    const { upgraded, unhealthyUpgraded, total, unhealthy } = countInstances(this.view());
    const wrong = (what: string) => this.violations.push(`${what} at ${this.now} s: ${batch.length} of ${size}`);
    if (batch.length > batchSize(size, policy.maxBatchInstancePercent)) wrong('too many instances');
    if (this.isMoving || this.#upgrade?.code === 'RollingForward') wrong('a second batch');
    if (batch.some(({ version }) => version === this.version)) wrong('an instance that has the model');
    if (batch.some(({ held }) => held)) wrong('a protected instance');
    if (exceedsPercent(unhealthyUpgraded, upgraded, policy.maxUnhealthyUpgradedInstancePercent)) wrong('ill upgraded');
    const serves = batch.some((each) => this.#isHealthy(each));
    if (serves && exceedsPercent(unhealthy, total, policy.maxUnhealthyInstancePercent)) wrong('ill instances');
    if (this.now < this.#lastBatchEnd + policy.pauseSeconds) wrong('no pause');
  }
}

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
