import {
  actionOf,
  type DesiredGraph,
  type GraphAction,
  isInSync,
  isUnavailable,
  type NodeRecord,
} from './desired-graph.ts';
import type { Gate } from './gates.ts';
import type { Phase, Vertex } from './vertices.ts';

/** A limit on a number of objects. */
export class Places implements Gate {
  readonly id: string;
  readonly #limit: number;
  /** Objects that count. */
  taken = 0;
  /** Objects that count, and do so until somebody tries them again. */
  failed = 0;
  /** Lets one object more through. */
  spare = false;

  constructor(id: string, limit: number) {
    this.id = id;
    this.#limit = limit;
  }

  waitMs(): number {
    return this.taken < this.#limit || this.spare ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Counts nothing: the records do. */
  take(): void {}

  /** Whether failures hold all places, so that nothing passes any more. */
  get isClosed(): boolean {
    return this.failed >= this.#limit;
  }
}

/** The places of one group, or of the whole graph. */
interface Scope {
  readonly underWay: Places | undefined;
  readonly unavailable: Places | undefined;
}

const unlimited: Scope = { underWay: undefined, unavailable: undefined };

/** The counts for the limits of a graph: effects under way, objects out of service, failures. All from records. */
export class Usage {
  /** Objects at which this run failed. */
  failures = 0;
  readonly #runId: string;
  readonly #whole: Scope;
  readonly #groups = new Map<string, Scope>();

  constructor({ id, groups = [], maxUnavailable }: DesiredGraph) {
    const places = (name: string, limit: number | undefined) =>
      limit === undefined ? undefined : new Places(name, limit);
    this.#runId = id;
    this.#whole = { underWay: undefined, unavailable: places('unavailable', maxUnavailable) };
    for (const group of groups) {
      this.#groups.set(group.name, {
        underWay: places(`under way in ${group.name}`, group.parallelism),
        unavailable: places(`unavailable in ${group.name}`, group.maxUnavailable),
      });
    }
  }

  /** Whether this run failed at the object. */
  isFailure(record: NodeRecord | undefined): boolean {
    return record?.state === 'Failed' && record.runId === this.#runId;
  }

  /** Counts a record that replaces another. Returns whether failures closed or opened a limit by that. */
  replace(before: NodeRecord | undefined, after: NodeRecord | undefined): boolean {
    const was = this.#isClosed(before?.group) || this.#isClosed(after?.group);
    this.#count(before, -1);
    this.#count(after, 1);
    return was !== (this.#isClosed(before?.group) || this.#isClosed(after?.group));
  }

  /** The limits that the next effect on an object has to pass. */
  gates(group: string, action: GraphAction, record: NodeRecord | undefined): Places[] {
    const { underWay, unavailable } = this.#of(group);
    const counts = action !== 'Create' && !isUnavailable(record);
    return [underWay, ...(counts ? [unavailable, this.#whole.unavailable] : [])].filter((places) => !!places);
  }

  /** All limits of a group. */
  placesOf(group: string): Places[] {
    return [...Object.values(this.#of(group)), this.#whole.unavailable].filter((places) => !!places);
  }

  /** Every limit of objects that are out of service. */
  get unavailable(): Places[] {
    return [this.#whole, ...this.#groups.values()].flatMap(({ unavailable }) => unavailable ?? []);
  }

  #of(group: string): Scope {
    return this.#groups.get(group) ?? unlimited;
  }

  #isClosed(group: string | undefined): boolean {
    return group !== undefined && this.placesOf(group).some(({ isClosed }) => isClosed);
  }

  #count(record: NodeRecord | undefined, by: number): void {
    if (!record) return;
    const { underWay, unavailable } = this.#of(record.group);
    const failure = this.isFailure(record);
    if (failure) this.failures += by;
    if (underWay && record.state === 'Running') underWay.taken += by;
    if (!isUnavailable(record)) return;
    for (const places of [unavailable, this.#whole.unavailable]) {
      if (!places) continue;
      places.taken += by;
      if (failure) places.failed += by;
    }
  }
}

/** The phase of an object whose dependencies are done, from its record and the limits. */
export function objectPhase({ node, group, notBefore }: Vertex, record: NodeRecord | undefined, usage: Usage): Phase {
  if (record?.state === 'Running') return 'UnderWay';
  if (node ? isInSync(node, record) : !record) return 'Done';
  if (usage.isFailure(record)) return 'Dead';
  if (usage.gates(group, actionOf(node, record), record).some(({ isClosed }) => isClosed)) return 'Dead';
  return notBefore ? 'Waiting' : 'Ready';
}
