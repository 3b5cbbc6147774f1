/** A scale set of Azure in simulated time. It counts its own batches against the limits, and those of the operator. */
import { batchSize, exceedsPercent, thresholdCodes } from '../../../runtime/compute/rolls/batches.ts';
import type { RollInstance } from '../../../runtime/compute/rolls/instance-counts.ts';
import type { RollingUpgradeState } from '../../../runtime/compute/rolls/roll-plan.ts';
import type { RollingPolicy, UpgradeMode } from '../../../runtime/compute/rolls/rolling-policy.ts';
import { type RollCounts, rollCounts } from './roll-counts.ts';

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

/**
 * A rolling upgrade. Azure compares the limit of ill instances with the model among those of this upgrade only: an instance
 * of an earlier one that was well at the start stops no batch.
 */
interface Upgrade extends RollingUpgradeState {
  readonly upgraded: Set<Instance>;
  readonly wellAtStart: ReadonlySet<Instance>;
}

/** Azure's part: instances, models, rolling upgrades. `broken` versions make an instance ill. */
export class SimulatedSet {
  now = 0;
  version = 1;
  readonly broken = new Set<number>();
  instances: Instance[];
  readonly counts = Object.fromEntries(rollCounts.map((what) => [what, 0])) as RollCounts;
  /** Batches, of Azure or of the operator, that no limit of the policy allows, in words. */
  readonly violations: string[] = [];
  /** Writes of the operator that ask for what is under way or done, in words. */
  readonly duplicates: string[] = [];
  readonly settings: SetSettings;
  #upgrade: Upgrade | undefined;
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

  /** The operator starts the upgrade again. */
  resume(): void {
    this.counts.resumes++;
    this.#checkWindow();
    if (this.isMoving || this.#upgrade?.code === 'RollingForward') this.duplicates.push(`a resume at ${this.now} s`);
    if (this.instances.every(({ version, held }) => held || version === this.version)) {
      this.duplicates.push(`a resume with nothing to do at ${this.now} s`);
    }
    this.#checkIll('a resume', true);
    this.#start();
  }

  #start(): void {
    const wellAtStart = new Set(this.instances.filter((each) => this.#isHealthy(each)));
    this.#upgrade = { code: 'RollingForward', upgraded: new Set(), wellAtStart };
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
    this.counts.operatorBatches++;
    this.#checkWindow();
    const wanted = new Set(ids);
    const batch = this.instances.filter(({ id }) => wanted.has(id));
    if (this.isMoving || this.#upgrade?.code === 'RollingForward') this.duplicates.push(`a batch at ${this.now} s`);
    if (batch.some(({ version }) => version === this.version)) this.duplicates.push(`an instance at ${this.now} s`);
    this.#check(batch);
    this.#checkIll(
      `a batch of the operator`,
      batch.some((each) => this.#isHealthy(each)),
    );
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

  #begin(batch: readonly Instance[]): readonly Instance[] {
    const until = this.now + this.settings.batchSeconds;
    for (const each of batch) each.updating = { until, version: this.version };
    this.#moving = this.instances.filter(({ updating }) => updating);
    return batch;
  }

  /** A batch of new instances, as many as the others. */
  #beginSurge(leaving: readonly Instance[]): readonly Instance[] {
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
    return this.#begin(batch);
  }

  /** The others go where the new instances are well within the limit; both stay otherwise. */
  #endSurge(): void {
    if (!this.#surge) return;
    const { batch, leaving } = this.#surge;
    this.#surge = undefined;
    const ill = batch.filter((each) => !this.#isHealthy(each)).length;
    if (exceedsPercent(ill, batch.length, this.settings.policy.maxUnhealthyUpgradedInstancePercent)) return;
    this.instances = this.instances.filter((each) => each.held || !leaving.includes(each));
    this.counts.replaced += batch.length;
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
    const upgraded = this.instances.filter((each) => upgrade.upgraded.has(each));
    const behind = this.instances.filter(({ version, held }) => version !== this.version && !held);
    if (exceedsPercent(this.#ill(upgraded), upgraded.length, policy.maxUnhealthyUpgradedInstancePercent)) {
      this.#upgrade = { ...upgrade, code: 'Faulted' };
      if (policy.rollsBack) this.#restore(upgraded);
    } else if (behind.length === 0) this.#upgrade = { ...upgrade, code: 'Completed' };
    else if (!isPause) {
      if (exceedsPercent(this.#ill(this.instances), this.instances.length, policy.maxUnhealthyInstancePercent)) {
        const code = upgraded.length === 0 ? thresholdCodes.beforeFirstBatch : thresholdCodes.beforeBatch;
        this.#upgrade = { ...upgrade, code: 'Faulted', error: { code, message: '' } };
        return;
      }
      const batch = behind.slice(0, batchSize(this.instances.length, policy.maxBatchInstancePercent));
      this.counts.azureBatches++;
      this.#check(batch);
      const stopsNone = (each: Instance) => upgrade.wellAtStart.has(each) && !upgrade.upgraded.has(each);
      this.#checkIll('a batch of Azure', true, stopsNone);
      const begun = surges ? this.#beginSurge(batch) : this.#begin(batch);
      for (const each of begun) upgrade.upgraded.add(each);
    }
  }

  /** Azure gives the failed instances of a stopped upgrade their former model. */
  #restore(upgraded: readonly Instance[]): void {
    for (const each of upgraded) {
      if (each.version !== this.version || this.#isHealthy(each)) continue;
      each.version = each.former;
      this.counts.restored++;
    }
  }

  #checkWindow(): void {
    if (this.opensAt !== undefined) this.violations.push(`outside of the window at ${this.now} s`);
  }

  /** The limits of one batch, whoever starts it. */
  #check(batch: readonly Instance[]): void {
    const { policy } = this.settings;
    const size = this.instances.length;
    const wrong = (what: string) => this.violations.push(`${what} at ${this.now} s: ${batch.length} of ${size}`);
    if (batch.length > Math.max(1, (size * policy.maxBatchInstancePercent) / 100)) wrong('too many instances');
    if (batch.some(({ held }) => held)) wrong('a protected instance');
    if (this.now < this.#lastBatchEnd + policy.pauseSeconds) wrong('no pause');
  }

  /** The limits of unhealthy instances; that of all instances counts where a batch takes healthy ones out of service. */
  #checkIll(what: string, takesHealthy: boolean, stopsNone: (each: Instance) => boolean = () => false): void {
    const { maxUnhealthyInstancePercent, maxUnhealthyUpgradedInstancePercent } = this.settings.policy;
    const wrong = (text: string) => this.violations.push(`${what} while ${text} at ${this.now} s`);
    const withModel = this.instances.filter(({ version, updating }) => version === this.version && !updating);
    const counted = withModel.filter((each) => !stopsNone(each));
    if (exceedsPercent(this.#ill(counted), withModel.length, maxUnhealthyUpgradedInstancePercent)) {
      wrong('instances with the model are ill');
    }
    const ill = this.#ill(this.instances);
    if (takesHealthy && exceedsPercent(ill, this.instances.length, maxUnhealthyInstancePercent)) {
      wrong('instances are ill');
    }
  }

  #ill(instances: readonly Instance[]): number {
    return instances.filter((each) => !each.updating && !this.#isHealthy(each)).length;
  }
}
