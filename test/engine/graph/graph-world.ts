import { isDeepStrictEqual } from 'node:util';
import { TokenBucket } from '../../../runtime/base/scheduling/token-bucket.ts';
import {
  type BucketUse,
  type DesiredGraph,
  type GraphEffect,
  type GraphOutcome,
  GraphScheduler,
  type NodeRecord,
  TokenBuckets,
} from '../../../runtime/engine/graph/index.ts';

/** What befalls the next effect, or the process at the next step. Without faults left everything succeeds. */
export type Fault = 'none' | 'retry' | 'failed' | 'kill';

interface Resource {
  readonly hash: string;
  readonly after: readonly string[];
}

interface Operation {
  readonly effect: GraphEffect;
  readonly endsAt: number;
  readonly outcome: GraphOutcome['outcome'];
}

/** Parts of a GraphWorld. */
export interface WorldOptions {
  readonly desired: DesiredGraph;
  /** Used up one by one, by effects. */
  readonly faults: readonly Fault[];
  /** Steps of the process at which it is killed: a step is a record that is persisted, or an effect that is performed. */
  readonly kills: ReadonlySet<number>;
  /** Durations of operations in milliseconds, in turn. */
  readonly durations: readonly number[];
  /** Graphs that replace the first, with the times at which they do. */
  readonly changes: readonly { readonly at: number; readonly desired: DesiredGraph }[];
  /** What somebody else does to objects, sorted by time. */
  readonly drifts: readonly { readonly at: number; readonly key: string; readonly isGone: boolean }[];
}

class Killed extends Error {}

const sharedBucket: BucketUse = { key: 'subscription', size: { capacity: 4, refillPerSecond: 2 } };
const ownSize = { capacity: 2, refillPerSecond: 0.5 };

/** Azure and a store of records, and a process that may die at each step. Checks each effect against the rules. */
export class GraphWorld {
  readonly azure = new Map<string, Resource>();
  readonly persisted = new Map<string, NodeRecord>();
  readonly violations: string[] = [];
  performed = 0;
  killed = 0;
  now = 1_700_000_000_000;
  readonly #options: WorldOptions;
  readonly #operations = new Map<string, Operation>();
  /** Objects whose last modification or deletion failed. */
  readonly #broken = new Set<string>();
  /** Azure's own buckets, which no restart of ours empties or fills. */
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #began = this.now;
  #desired: DesiredGraph;
  #run: GraphScheduler;
  #steps = 0;
  #changed = 0;
  #drifted = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#desired = options.desired;
    this.#run = this.#newRun();
  }

  get state(): GraphScheduler['state'] {
    return this.#run.state;
  }

  /** Runs to the end, with a retry after each failure. Throws where nothing goes on. */
  settle(): void {
    for (let turn = 0; turn < 20_000; turn++) {
      const change = this.#options.changes[this.#changed];
      if (change && this.#began + change.at <= this.now) {
        this.#changed++;
        this.#desired = change.desired;
        this.#run.setDesired(change.desired);
      }
      for (let drift = this.#nextDrift(); drift && this.#began + drift.at <= this.now; drift = this.#nextDrift()) {
        this.#drifted++;
        const found = this.azure.get(drift.key);
        if (drift.isGone) this.azure.delete(drift.key);
        else if (found) this.azure.set(drift.key, { ...found, hash: 'of somebody else' });
      }
      const askAt = this.#turn();
      const next = this.#options.changes[this.#changed];
      const drift = this.#nextDrift();
      if (this.#run.state === 'Failed') this.#run.retry();
      else if (this.#run.state === 'Succeeded' && !next && !drift) {
        // One more step persists the last ends. A killed process has not seen everything.
        const { killed } = this;
        this.#turn();
        if (this.#run.state === 'Succeeded' && this.killed === killed) return;
      } else {
        const times = [...this.#operations.values()].map(({ endsAt }) => endsAt);
        if (askAt !== undefined) times.push(askAt);
        if (next) times.push(this.#began + next.at);
        if (drift) times.push(this.#began + drift.at);
        if (times.length === 0) throw new Error(`nothing goes on in state ${this.#run.state}`);
        this.now = Math.max(this.now, Math.min(...times));
      }
    }
    throw new Error('no convergence');
  }

  /** What a process does that starts now. */
  secondRun() {
    return this.#newRun().next(this.now + 3_600_000);
  }

  /** Whether Azure has what the desired graph says, and nothing else. */
  isThere(): boolean {
    const wanted = this.#desired.nodes.map(({ key, hash, after }) => [key, { hash, after }] as const);
    return isDeepStrictEqual(
      new Map([...this.azure].sort()),
      new Map([...wanted].sort(([a], [b]) => (a < b ? -1 : 1))),
    );
  }

  #nextDrift() {
    return this.#options.drifts[this.#drifted];
  }

  #newRun(): GraphScheduler {
    const bucketsOf = (key: string) => [sharedBucket, { key, size: ownSize }];
    return new GraphScheduler(this.#desired, this.persisted.values(), {
      buckets: new TokenBuckets(this.now),
      bucketsOf,
    });
  }

  /** One step of the process; a killed one starts again at once. */
  #turn(): number | undefined {
    try {
      for (const [key, { endsAt }] of [...this.#operations]) if (endsAt <= this.now) this.#end(key);
      for (const { key, state, hash } of this.#run.records.values()) {
        const found = this.azure.get(key);
        if (state === 'Succeeded' && found?.hash !== hash) this.#run.lost(key, !found);
      }
      const { records, effects, askAt } = this.#run.next(this.now);
      for (const [key, record] of records) {
        this.#step();
        if (record) this.persisted.set(key, record);
        else this.persisted.delete(key);
      }
      for (const effect of effects) {
        this.#step();
        this.#perform(effect);
      }
      return effects.length > 0 ? this.now : askAt;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.killed++;
      this.#run = this.#newRun();
      return this.now;
    }
  }

  #step(): void {
    if (this.#options.kills.has(this.#steps++)) throw new Killed();
  }

  #check(holds: boolean, rule: string, effect: GraphEffect): void {
    if (!holds) this.violations.push(`${rule}: ${effect.action} ${effect.key}`);
  }

  #perform(effect: GraphEffect): void {
    const { key, action, hash, node, resumed } = effect;
    this.performed++;
    for (const { key: bucket, size } of [sharedBucket, { key, size: ownSize }]) {
      const tokens = this.#buckets.get(bucket) ?? new TokenBucket(size, this.#began);
      this.#buckets.set(bucket, tokens);
      this.#check(tokens.waitMs(this.now) === 0, 'more requests than Azure takes', effect);
      tokens.take(this.now);
    }
    this.#check(this.persisted.get(key)?.state === 'Running', 'not persisted', effect);
    if (resumed && this.#operations.has(key)) return;
    this.#check(!this.#operations.has(key), 'two writers', effect);
    if (!resumed) this.#checkStart(effect);
    // A state that only an earlier run knows cannot be applied again: it is there, or it did not happen.
    if (action !== 'Delete' && !node) {
      const outcome = this.azure.get(key)?.hash === hash ? 'Succeeded' : 'Retry';
      this.#operations.set(key, { effect, endsAt: this.now, outcome });
      return;
    }
    const fault = this.#options.faults[this.performed - 1] ?? 'none';
    const outcome = fault === 'retry' ? 'Retry' : fault === 'failed' ? 'Failed' : 'Succeeded';
    const { durations } = this.#options;
    const endsAt = this.now + (durations[this.performed % durations.length] ?? 0);
    this.#operations.set(key, { effect, endsAt, outcome });
    const { parallelism = Number.POSITIVE_INFINITY, maxUnavailable = Number.POSITIVE_INFINITY } = this.#desired;
    if (resumed) return;
    this.#check(this.#operations.size <= parallelism, 'too many at a time', effect);
    const moving = [...this.#operations.values()].filter((each) => each.effect.action !== 'Create');
    const away = new Set([...moving.map((each) => each.effect.key), ...this.#broken]);
    // Alone, an effect may exceed the limit: broken objects may wait for it.
    const counts = action !== 'Create' && !this.#broken.has(key) && this.#operations.size > 1;
    this.#check(!counts || away.size <= maxUnavailable, 'too many out of service', effect);
  }

  #checkStart(effect: GraphEffect): void {
    const { key, action, node } = effect;
    const has = (each: { key: string; hash: string }) => this.azure.get(each.key)?.hash === each.hash;
    if (action === 'Delete') {
      const users = [...this.azure.values()].filter(({ after }) => after.includes(key));
      this.#check(users.length === 0, 'deleted before what uses it', effect);
      return;
    }
    const nodes = new Map(this.#desired.nodes.map((each) => [each.key, each]));
    const inputs = (node?.after ?? []).flatMap((input) => nodes.get(input) ?? []);
    this.#check(inputs.length === node?.after.length && inputs.every(has), 'used before it is ready', effect);
    this.#check((action === 'Modify') === this.azure.has(key) || this.#mayExist(key), 'wrong action', effect);
    const group = this.#desired.groups?.find(({ name }) => name === node?.group);
    for (const barrier of group?.after ?? []) {
      const before = this.#desired.nodes.filter((each) => each.group === barrier.group);
      if (barrier.until === 'Succeeded') this.#check(before.every(has), 'before its barrier', effect);
      else this.#check(!before.some((each) => this.#operations.has(each.key)), 'before its barrier', effect);
    }
  }

  /** Failed and interrupted effects leave it open whether the object exists. */
  #mayExist(key: string): boolean {
    return this.#broken.has(key) || this.#options.faults.length > 0 || this.#options.kills.size > 0;
  }

  #end(key: string): void {
    const operation = this.#operations.get(key);
    if (!operation) return;
    const { effect, outcome } = operation;
    if (outcome === 'Succeeded') {
      this.#broken.delete(key);
      if (effect.action === 'Delete') this.azure.delete(key);
      else if (effect.node) this.azure.set(key, { hash: effect.hash, after: effect.node.after });
    } else if (effect.action !== 'Create') this.#broken.add(key);
    this.#operations.delete(key);
    const result: GraphOutcome = outcome === 'Retry' ? { outcome, at: this.now + 500 } : { outcome };
    if (!this.#run.ended(key, result, this.now)) this.violations.push(`an end of ${key} that the run does not know`);
  }
}
