import { PriorityQueue } from '../../base/scheduling/priority-queue.ts';
import type { NodeRecord } from './desired-graph.ts';
import type { Vertex } from './vertices.ts';

/** Waits of a run for a time: objects that are tried again, and groups that pause. Milliseconds since the epoch. */
export class Timers {
  readonly #runId: string;
  readonly #queue = new PriorityQueue<{ readonly vertex: Vertex; readonly at: number }>((a, b) => a.at < b.at);
  /** By group: when the last effect of this run ended. */
  readonly #endedAt = new Map<string, number>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  get size(): number {
    return this.#queue.size;
  }

  /** The next time at which a wait ends. */
  get nextAt(): number | undefined {
    return this.#queue.peek()?.at;
  }

  /** Lets the vertex wait until a time. */
  sleep(vertex: Vertex, until: number): void {
    vertex.notBefore = until;
    this.#queue.push({ vertex, at: until });
  }

  /** The vertices whose wait has ended, or was replaced by another one. */
  *ended(now: number): Generator<Vertex> {
    for (let timer = this.#queue.peek(); timer && timer.at <= now; timer = this.#queue.peek()) {
      this.#queue.pop();
      if (timer.vertex.notBefore === timer.at) timer.vertex.notBefore = 0;
      yield timer.vertex;
    }
  }

  /** Whether a group pauses before its first effect. A pause is counted from the last effect of the groups before. */
  pauses(vertex: Vertex, pauseMs: number): boolean {
    if (vertex.notBefore === undefined) {
      const ends = [...vertex.after].flatMap(({ group }) => this.#endedAt.get(group) ?? []);
      if (pauseMs > 0 && ends.length > 0) this.sleep(vertex, Math.max(...ends) + pauseMs);
      else vertex.notBefore = 0;
    }
    return vertex.notBefore !== 0;
  }

  /** Remembers for pauses when a group had its last effect. */
  countEnd({ group, runId, state, action, at }: NodeRecord): void {
    if (runId !== this.#runId || action === 'Delete' || (state !== 'Succeeded' && state !== 'Failed')) return;
    this.#endedAt.set(group, Math.max(at, this.#endedAt.get(group) ?? at));
  }
}
