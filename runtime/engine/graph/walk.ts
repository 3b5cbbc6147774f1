import type { Phase, Vertex } from './vertices.ts';

/** The phases of all vertices. A change reaches the dependants of the changed vertex, and nothing else. */
export class Walk {
  readonly counts: Record<Phase, number> = { Waiting: 0, Ready: 0, UnderWay: 0, Done: 0, Dead: 0 };
  readonly #own: (vertex: Vertex) => Phase;
  readonly #ready: (vertex: Vertex) => void;

  /** `own` gives the phase that a vertex has once all that it needs is Done; `ready` hears of each that becomes Ready. */
  constructor(order: readonly Vertex[], own: (vertex: Vertex) => Phase, ready: (vertex: Vertex) => void) {
    this.#own = own;
    this.#ready = ready;
    this.counts.Waiting = order.length;
  }

  /** Brings a vertex and its dependants to their phases. */
  refresh(changed: Vertex): void {
    const pending = [changed];
    for (let vertex = pending.pop(); vertex; vertex = pending.pop()) {
      const before = vertex.phase;
      const phase = this.#phaseOf(vertex);
      if (phase === before) continue;
      vertex.phase = phase;
      this.counts[before]--;
      this.counts[phase]++;
      if (phase === 'Ready') this.#ready(vertex);
      const done = Number(phase === 'Done') - Number(before === 'Done');
      const dead = Number(phase === 'Dead') - Number(before === 'Dead');
      if (done === 0 && dead === 0) continue;
      for (const dependent of vertex.dependents) {
        dependent.missing -= done;
        dependent.dead += dead;
        pending.push(dependent);
      }
    }
  }

  #phaseOf(vertex: Vertex): Phase {
    const { kind, missing, dead } = vertex;
    if (kind === 'Ended') return missing === dead ? 'Done' : 'Waiting';
    const ownPhase = kind === 'Object' || (missing === 0 && dead === 0) ? this.#own(vertex) : 'Waiting';
    if (ownPhase === 'UnderWay' || ownPhase === 'Dead') return ownPhase;
    if (dead > 0) return 'Dead';
    return missing > 0 ? 'Waiting' : ownPhase;
  }
}
