import { actionOf, type GraphAction } from './desired-graph.ts';
import { TokenBuckets } from './gates.ts';
import type { GraphSchedulerOptions } from './graph-step.ts';
import type { NodeRecords } from './node-records.ts';
import { Scheduler } from './scheduler.ts';
import type { Places, Usage } from './usage.ts';
import type { Vertex } from './vertices.ts';

/** An object in a queue. It counts while the object has this ticket. */
interface Turn {
  readonly vertex: Vertex;
  readonly ticket: number;
}

/** Objects whose effect may start, and effects of a former process, each behind its limits and token buckets. */
export class EffectQueues {
  readonly #usage: Usage;
  readonly #records: NodeRecords;
  readonly #bucketsOf: NonNullable<GraphSchedulerOptions['bucketsOf']>;
  readonly #buckets: TokenBuckets;
  readonly #ready = new Scheduler<Turn>(({ vertex, ticket }) => vertex.phase === 'Ready' && vertex.ticket === ticket);
  readonly #resumed: Scheduler<Vertex>;

  constructor(usage: Usage, records: NodeRecords, { buckets, bucketsOf }: GraphSchedulerOptions) {
    this.#usage = usage;
    this.#records = records;
    this.#buckets = buckets ?? new TokenBuckets(0);
    this.#bucketsOf = bucketsOf ?? (() => []);
    this.#resumed = new Scheduler(({ key }) => records.resumable.has(key));
  }

  /** When the next object may start at the earliest; undefined: when a limit opens. */
  get readyAt(): number | undefined {
    return this.#ready.wakeAt;
  }

  /** When the next effect of a former process may be returned at the earliest. */
  get resumedAt(): number | undefined {
    return this.#resumed.wakeAt;
  }

  /** Adds an object that became ready. */
  enqueue(vertex: Vertex): void {
    const { key, node, group, height } = vertex;
    const record = this.#records.all.get(key);
    const action = actionOf(node, record);
    vertex.ticket++;
    const gates = [...this.#usage.gates(group, action, record), ...this.#bucketGates(key, action)];
    this.#ready.push({ vertex, ticket: vertex.ticket }, height, gates);
  }

  /** Adds the effects of a former process. */
  enqueueResumable(objects: ReadonlyMap<string, Vertex>): void {
    for (const key of this.#records.resumable) {
      const vertex = objects.get(key);
      const action = this.#records.all.get(key)?.action;
      if (vertex && action) this.#resumed.push(vertex, vertex.height, this.#bucketGates(key, action));
    }
  }

  /** The next object that may start now. */
  takeReady(now: number): Vertex | undefined {
    return this.#ready.take(now)?.vertex;
  }

  /** The next object whose effect a former process started. */
  takeResumed(now: number): Vertex | undefined {
    const vertex = this.#resumed.take(now);
    if (vertex) this.#records.resumable.delete(vertex.key);
    return vertex;
  }

  /** The next object that may start if one object more than the limits allow is out of service. */
  takeSpare(now: number): Vertex | undefined {
    const limits = this.#usage.unavailable;
    for (const places of limits) {
      places.spare = true;
      this.#ready.opened(places, now);
    }
    const vertex = this.takeReady(now);
    for (const places of limits) places.spare = false;
    return vertex;
  }

  /** Tries the objects that a limit stopped. */
  opened(places: Places, now: number): void {
    this.#ready.opened(places, now);
  }

  #bucketGates(key: string, action: GraphAction) {
    return this.#bucketsOf(key, action).map((use) => this.#buckets.gate(use));
  }
}
