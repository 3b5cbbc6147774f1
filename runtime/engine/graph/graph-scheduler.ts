import { isDeepStrictEqual } from 'node:util';
import {
  type DesiredGraph,
  type GraphEffect,
  type GraphNode,
  type GraphOutcome,
  isInSync,
  type NodeRecord,
} from './desired-graph.ts';
import { EffectQueues } from './effect-queues.ts';
import { TokenBuckets } from './gates.ts';
import { type GraphSchedulerOptions, type GraphState, type GraphStep, type NodeView, nodeView } from './graph-step.ts';
import { effectOf, endedRecord, NodeRecords, startedRecord } from './node-records.ts';
import { Timers } from './timers.ts';
import { objectPhase, Usage } from './usage.ts';
import { buildVertices, type Phase, relink, type Vertex, type Vertices } from './vertices.ts';
import { Walk } from './walk.ts';

/**
 * Moves objects to a desired graph: dependencies first, groups behind barriers, as much at a time as the limits and
 * Azure's token buckets allow. It is pure: it has no clock, and performs nothing. Its records are all that must survive:
 * a run made from persisted records goes on where the former one was killed.
 *
 * A new desired graph takes over where effects end: no effect starts on an object that has one under way. Objects that
 * the graph does not have are deleted, after all that used them and after the nodes of their group. Barriers do not wait for that.
 *
 * @example
 * const scheduler = new GraphScheduler(desired, persisted, { buckets, bucketsOf });
 * while (run.state === 'Running') {
 *   const { records, effects, askAt } = run.next(clock.now());
 *   await persist(records); // where this fails: drop the run, and make one from the persisted records
 *   for (const { key, action, node } of effects) await (action === 'Delete' ? remove(key) : apply(key, node));
 *   await eventOrTime(askAt);
 *   for (const key of keysThatBecameReady()) run.ended(key, { outcome: 'Succeeded' }, clock.now());
 * }
 */
export class GraphScheduler {
  readonly #options: GraphSchedulerOptions;
  readonly #store: NodeRecords;
  #desired!: DesiredGraph;
  #vertices!: Vertices;
  #usage!: Usage;
  #walk!: Walk;
  #queues!: EffectQueues;
  #timers!: Timers;
  #suspended = false;
  /** The time of the last `next`. */
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Throws AZ_PIPELINE_INVALID for a duplicate or unknown name, AZ_GRAPH_CYCLE for a cycle. */
  constructor(desired: DesiredGraph, records: Iterable<NodeRecord>, options: GraphSchedulerOptions = {}) {
    this.#options = { buckets: new TokenBuckets(0), ...options };
    this.#store = new NodeRecords(records);
    this.setDesired(desired);
  }

  /** The records as they are now, those included that are not persisted yet. */
  get records(): ReadonlyMap<string, NodeRecord> {
    return this.#store.all;
  }

  /** Effects under way. */
  get underWay(): number {
    return this.#walk.counts.UnderWay;
  }

  get state(): GraphState {
    const { UnderWay, Done, Ready } = this.#walk.counts;
    if (UnderWay > 0) return 'Running';
    if (Done === this.#vertices.order.length) return 'Succeeded';
    if (this.#stopped) return 'Failed';
    if (this.#suspended) return 'Suspended';
    return Ready > 0 || this.#timers.size > 0 || this.#isHeldBack ? 'Running' : 'Failed';
  }

  /** Replaces the desired graph. Throws like the constructor, and keeps the former graph then. */
  setDesired(desired: DesiredGraph): void {
    this.#vertices = buildVertices(desired, this.records);
    this.#desired = desired;
    this.#usage = new Usage(desired);
    this.#timers = new Timers(desired.id);
    this.#queues = new EffectQueues(this.#usage, this.#store, this.#options);
    for (const record of this.records.values()) {
      this.#usage.replace(undefined, record);
      this.#timers.countEnd(record);
    }
    const { order, objects } = this.#vertices;
    this.#walk = new Walk(
      order,
      (vertex) => this.#phaseAlone(vertex),
      (vertex) => this.#queues.enqueue(vertex),
    );
    for (const vertex of order) {
      this.#walk.refresh(vertex);
      this.#recordDependencies(vertex);
    }
    this.#queues.enqueueResumable(objects);
  }

  /**
   * Changes one node in the time that its dependants take. A new node, another group, or a dependency on a
   * node that comes later takes the time of a new graph. Throws like the constructor.
   */
  change(node: GraphNode): void {
    const { objects } = this.#vertices;
    const vertex = objects.get(node.key);
    if (vertex?.node?.group === node.group && relink(objects, vertex, node.after)) {
      vertex.node = node;
      this.#recordDependencies(vertex);
    } else {
      const others = this.#nodes().filter(({ key }) => key !== node.key);
      this.setDesired({ ...this.#desired, nodes: [...others, node] });
    }
    this.#retry(node.key);
  }

  /** Starts nothing more, or goes on. Effects that a former process started are returned nevertheless. */
  suspend(suspended: boolean): void {
    this.#suspended = suspended;
  }

  /** Retries the objects at which this run failed. */
  retry(): void {
    for (const [key, record] of this.records) if (this.#usage.isFailure(record)) this.#retry(key);
  }

  /** Returns the effects that start now. */
  next(now: number): GraphStep {
    // Where somebody sets the clock back, the times of waits are computed again.
    if (now < this.#askedAt) this.setDesired({ ...this.#desired, nodes: this.#nodes() });
    this.#askedAt = now;
    for (const vertex of this.#timers.ended(now)) this.#walk.refresh(vertex);
    const effects: GraphEffect[] = [];
    for (let vertex = this.#queues.takeResumed(now); vertex; vertex = this.#queues.takeResumed(now)) {
      const record = this.records.get(vertex.key);
      if (record) effects.push(effectOf(record, vertex.node, true));
    }
    while (this.#mayStart) {
      const vertex = this.#queues.takeReady(now);
      if (!vertex) break;
      effects.push(this.#start(vertex, now));
    }
    if (effects.length === 0) effects.push(...this.#startOneMore(now));
    return { records: this.#store.takeChanged(), effects, askAt: this.#askAt };
  }

  /** Reports the end of an effect. False, and no change, if the object has none under way. */
  ended(key: string, result: GraphOutcome, now: number): boolean {
    const vertex = this.#vertices.objects.get(key);
    const record = this.records.get(key);
    if (!vertex || record?.state !== 'Running') return false;
    this.#store.resumable.delete(key);
    const ended = endedRecord(vertex, record, result, now);
    this.#record(key, ended);
    if (ended) this.#timers.countEnd(ended);
    if (result.outcome === 'Retry' && result.at !== undefined && result.at > now) this.#timers.sleep(vertex, result.at);
    this.#walk.refresh(vertex);
    for (const places of this.#usage.placesOf(record.group)) this.#queues.opened(places, now);
    return true;
  }

  /**
   * Reports that an object has the state of its last effect no more: it is gone, or somebody has changed it. It is due
   * again. False, and no change, if it is due anyway, or to be deleted.
   */
  lost(key: string, isGone: boolean): boolean {
    const vertex = this.#vertices.objects.get(key);
    const record = this.records.get(key);
    if (!vertex?.node || record?.state !== 'Succeeded' || (!isGone && !isInSync(vertex.node, record))) return false;
    this.#record(key, isGone ? { ...record, state: 'Pending', action: 'Create' } : { ...record, hash: '' });
    this.#walk.refresh(vertex);
    return true;
  }

  /** An object as people see it; undefined for a key that is neither in the desired graph nor to be deleted. */
  view(key: string): NodeView | undefined {
    const vertex = this.#vertices.objects.get(key);
    const record = this.records.get(key);
    return vertex && nodeView(vertex, record, this.#usage.isFailure(record));
  }

  /** The nodes of the desired graph, in an order in which each comes after its dependencies. */
  #nodes(): GraphNode[] {
    return this.#vertices.order.flatMap(({ node }) => node ?? []);
  }

  get #stopped(): boolean {
    return this.#usage.failures > 0 && this.#desired.onFailure !== 'Continue';
  }

  /** Whether a closed group is all that the run waits for. */
  get #isHeldBack(): boolean {
    const { groups, order } = this.#vertices;
    const isHeld = ({ kind, group, missing, dead }: Vertex) =>
      kind === 'Open' && missing === 0 && dead === 0 && groups.get(group)?.closed === true;
    return order.some(isHeld);
  }

  get #mayStart(): boolean {
    const { parallelism = Number.POSITIVE_INFINITY } = this.#desired;
    return !this.#suspended && !this.#stopped && this.underWay < parallelism;
  }

  get #askAt(): number | undefined {
    const startTimes = this.#mayStart ? [this.#queues.readyAt, this.#timers.nextAt] : [];
    const times = [this.#queues.resumedAt, ...startTimes].filter((at) => at !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** The phase of a vertex whose dependencies are done. */
  #phaseAlone(vertex: Vertex): Phase {
    const { kind, key, group } = vertex;
    if (kind === 'Open') {
      const { pauseMs = 0, closed = false } = this.#vertices.groups.get(group) ?? {};
      return closed || this.#timers.pauses(vertex, pauseMs) ? 'Waiting' : 'Done';
    }
    if (kind !== 'Object') return 'Done';
    return objectPhase(vertex, this.records.get(key), this.#usage);
  }

  #start(vertex: Vertex, now: number): GraphEffect {
    const { key, node } = vertex;
    const record = startedRecord(vertex, this.records.get(key), this.#desired.id, now);
    this.#record(key, record);
    this.#walk.refresh(vertex);
    return effectOf(record, node, false);
  }

  /**
   * Objects of an earlier run may be out of service and wait for one that the limit keeps from starting. Where nothing
   * else goes on, one object more may be out of service.
   */
  #startOneMore(now: number): GraphEffect[] {
    const waits = this.underWay > 0 || this.#timers.size > 0 || this.#queues.readyAt !== undefined;
    if (waits || !this.#mayStart || this.#walk.counts.Ready === 0) return [];
    const vertex = this.#queues.takeSpare(now);
    return vertex ? [this.#start(vertex, now)] : [];
  }

  #retry(key: string): void {
    const [vertex, record] = [this.#vertices.objects.get(key), this.records.get(key)];
    if (record?.state === 'Failed') this.#record(key, { ...record, state: 'Pending' });
    if (vertex) this.#walk.refresh(vertex);
  }

  #record(key: string, record: NodeRecord | undefined): void {
    const closedOrOpened = this.#usage.replace(this.records.get(key), record);
    this.#store.set(key, record);
    if (closedOrOpened) for (const vertex of this.#vertices.order) this.#walk.refresh(vertex);
  }

  /** Dependencies may change where the desired state does not, such as an explicit order. */
  #recordDependencies({ key, node }: Vertex): void {
    const record = this.records.get(key);
    if (!node || !record || !isInSync(node, record) || isDeepStrictEqual(record.after, node.after)) return;
    this.#record(key, { ...record, after: node.after });
  }
}
