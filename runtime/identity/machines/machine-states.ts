import type { AttachmentState } from '../assignments/next-step.ts';
import type { AttachmentUsers } from '../attachments/attachment-index.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import { EmptyEntries } from './empty-entries.ts';
import type { MachineState } from './machine-writer.ts';
import type { MachinesDeps, MachinesOptions } from './machines-deps.ts';

/** An identity that ARM refused to attach or detach. */
interface Refused {
  readonly attempts: number;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** A long wait of the assignments of a machine, and the keys of the assignments that have reported it. */
export interface Wait {
  readonly report: (keys: ReadonlySet<string>) => void;
  readonly reported: Set<string>;
}

/** The state of a machine in this process; times are monotonic milliseconds. */
export interface KnownMachine {
  /** Undefined until the first read. */
  state: MachineState | undefined;
  /** Whether `state` is the result of a read, and no failed write has followed. */
  read: boolean;
  /** Identities in the PATCH in progress. */
  readonly moving: Set<string>;
  readonly refused: Map<string, Refused>;
  readonly entries: EmptyEntries;
  verifiedAt: number;
  busySince: number | undefined;
  /** Failed reconcile runs in a row, and the time of the next run. */
  failures: number;
  retryAt: number;
  /** Undefined while nothing takes long. */
  wait: Wait | undefined;
}

type MachineStatesDeps = Pick<
  MachinesDeps,
  'runtime' | 'index' | 'records' | 'protection' | 'identities' | 'isComplete'
>;
type MachineStatesOptions = Required<Pick<MachinesOptions, 'verifyMs' | 'busyMs' | 'confirmMs'>>;

/** The observed states of machines, and the changes that follow from them, the index and the records. */
export class MachineStates {
  readonly #deps: MachineStatesDeps;
  readonly #options: MachineStatesOptions;
  readonly #known = new Map<string, KnownMachine>();

  constructor(deps: MachineStatesDeps, options: MachineStatesOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** The entry of a machine; undefined before its first reconcile run. */
  get(machine: string): KnownMachine | undefined {
    return this.#known.get(machine);
  }

  /** The machines that were reconciled, with their entries. */
  all(): IterableIterator<[string, KnownMachine]> {
    return this.#known.entries();
  }

  /** Forgets a machine. */
  delete(machine: string): void {
    this.#known.delete(machine);
  }

  /** Forgets all machines. */
  clear(): void {
    this.#known.clear();
  }

  /** Stores the result of a GET. Returns the identities before; undefined where they were not known. */
  observe(knownMachine: KnownMachine, state: MachineState | undefined): ReadonlySet<string> | undefined {
    const now = this.#deps.runtime.clock.monotonic();
    const before = knownMachine.read && !knownMachine.state?.busy ? knownMachine.state?.ids : undefined;
    if (state?.busy) knownMachine.busySince ??= now;
    else knownMachine.busySince = undefined;
    const waitedEnough = knownMachine.busySince !== undefined && now - knownMachine.busySince >= this.#options.busyMs;
    knownMachine.state = state && { ...state, busy: state.busy && !waitedEnough };
    knownMachine.read = true;
    knownMachine.verifiedAt = now;
    knownMachine.entries.observe(state, now);
    return before;
  }

  /** The state of an identity on a machine now. */
  attachment({ machine, identity }: AttachmentReference): AttachmentState {
    const knownMachine = this.#known.get(machine);
    if (!knownMachine?.read || knownMachine.moving.has(identity)) return 'unknown';
    if (knownMachine.state?.busy) return knownMachine.state.ids.has(identity) ? 'unknown' : 'detached';
    return knownMachine.state?.ids.has(identity) ? 'attached' : 'detached';
  }

  /** The changes to make now, without refused ones before their retry. */
  changes(machine: string, knownMachine: KnownMachine): Map<string, boolean> {
    const now = this.#deps.runtime.clock.monotonic();
    const pending = this.pendingChanges(machine, knownMachine);
    return new Map([...pending].filter(([identity]) => (knownMachine.refused.get(identity)?.until ?? 0) <= now));
  }

  /**
   * The difference between the machine, the index and the records. A deleted machine has nothing to detach. A dead entry
   * is detached whoever needs the identity; the next run attaches it again.
   */
  pendingChanges(machine: string, knownMachine: KnownMachine): Map<string, boolean> {
    const { index, records, protection } = this.#deps;
    const present = (identity: string) => knownMachine.state?.ids.has(identity) ?? false;
    const users = index.of(machine);
    const changes = new Map<string, boolean>();
    for (const [identity, { attach }] of users) {
      if (attach.size > 0 && !present(identity)) changes.set(identity, true);
    }
    if (!this.#deps.isComplete()) return changes;
    for (const identity of records.of(machine)) {
      const unneeded = !users.has(identity) || knownMachine.entries.isDead(identity);
      if (unneeded && present(identity) && !protection.protects(identity)) changes.set(identity, false);
    }
    return changes;
  }

  /** Milliseconds until the second read that shows whether the entry is dead; undefined where none is needed. */
  secondReadMs(machine: string, identity: string): number | undefined {
    const { runtime, records, protection } = this.#deps;
    const waitMs = this.#known.get(machine)?.entries.secondReadMs(identity, runtime.clock.monotonic());
    if (waitMs === undefined || !records.of(machine).has(identity) || protection.protects(identity)) return undefined;
    return waitMs;
  }

  /** Whether a machine needs a reconcile run now: it has changes to make, or has to be read. */
  isDue(machine: string): boolean {
    const { index, records } = this.#deps;
    const knownMachine = this.#known.get(machine);
    if (index.of(machine).size === 0 && records.of(machine).size === 0) return knownMachine !== undefined;
    if (!knownMachine?.read) return true;
    if (this.changes(machine, knownMachine).size > 0) return true;
    return [...records.of(machine)].some((identity) => this.secondReadMs(machine, identity) === 0);
  }

  /** Milliseconds until the next read of a machine: for verification, or for the retry of a refused identity. */
  nextReadMs(machine: string, knownMachine: KnownMachine): number {
    const now = this.#deps.runtime.clock.monotonic();
    const verify = this.#options.verifyMs * (0.9 + 0.2 * Math.random());
    const pending = this.pendingChanges(machine, knownMachine);
    const retries: number[] = [];
    for (const [identity, { until }] of knownMachine.refused) {
      if (pending.has(identity)) retries.push(until - now);
      else if (until <= now) knownMachine.refused.delete(identity);
    }
    return Math.max(1, Math.min(verify, ...retries));
  }

  /** The assignments that need an identity on a machine. */
  users(machine: string, identity: string): AttachmentUsers {
    return this.#deps.index.of(machine).get(identity) ?? { attach: new Set(), keep: new Set() };
  }

  /** The entry of a machine, created where it is missing. */
  of(machine: string): KnownMachine {
    const existing = this.#known.get(machine);
    if (existing) return existing;
    const knownMachine: KnownMachine = {
      state: undefined,
      read: false,
      moving: new Set(),
      refused: new Map(),
      entries: new EmptyEntries(this.#deps.identities, this.#options.confirmMs),
      verifiedAt: Number.NEGATIVE_INFINITY,
      busySince: undefined,
      failures: 0,
      retryAt: 0,
      wait: undefined,
    };
    this.#known.set(machine, knownMachine);
    return knownMachine;
  }
}
