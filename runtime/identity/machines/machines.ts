import { setMaxListeners } from 'node:events';
import { stripVolatile } from '../../azure/arm/errors.ts';
import type { ArmErrorFacts } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import type { AttachmentState } from '../assignments/next-step.ts';
import type { AttachmentIndex, AttachmentUsers } from './attachment-index.ts';
import type { AttachmentRecords } from './attachment-records.ts';
import type { AttachmentReference } from './attachment-reference.ts';
import {
  isLasting,
  type MachineState,
  type MachineWriter,
  machineNotFound,
  notMade,
  refusalText,
} from './machine-writer.ts';
import type { ProtectedIdentities } from './protected-identities.ts';

export interface MachinesOptions {
  /** Time between two reads of a machine in sync, which attach again what somebody detached. @default 180000 */
  readonly verifyMs?: number;
  /** Machines that workers wait for at a time. @default 32 */
  readonly concurrency?: number;
  /**
   * How long a worker waits at most for one machine before it turns to the next, milliseconds. The reconcile run goes on by
   * itself: a machine that does not answer, an operation or a throttled region must not delay the others. @default 1000
   */
  readonly waitAtMostMs?: number;
  /** Gathers what comes within this time into one PATCH; the machine is read meanwhile. @default 25 */
  readonly gatherMs?: number;
  /** Delays before an identity that was refused is tried again. @default 15 s to 10 min */
  readonly refusedBackoff?: { readonly initialMs: number; readonly maxMs: number };
  /** A wait for Azure that is reported to the pods it concerns, milliseconds. @default 30000 */
  readonly reportMs?: number;
  /** Longest wait for somebody else's operation on a machine before its identities are believed. @default 60000 */
  readonly busyMs?: number;
}

export interface MachinesParts {
  readonly runtime: Runtime;
  readonly index: AttachmentIndex;
  readonly records: AttachmentRecords;
  readonly writer: MachineWriter;
  readonly protection: Pick<ProtectedIdentities, 'protects' | 'learn' | 'resolve'>;
  readonly regionOf: (machine: string) => string;
  /** Resolves once the index is complete: what no pod needs is detached. */
  readonly whenReady: (signal: AbortSignal) => Promise<void>;
  readonly enqueue: (keys: ReadonlySet<string>) => void;
  /** These assignments wait for an operation of Azure that takes long. */
  readonly waits: (machine: string, keys: ReadonlySet<string>) => void;
  /** These identities could not be detached. */
  readonly removeFailed: (machine: string, identities: Iterable<string>, why: string) => void;
  /** An identity, or (without one) the whole machine, could not be changed for these assignments. */
  readonly failed: (machine: string, identity: string | undefined, why: string, keys: ReadonlySet<string>) => void;
}

interface Refused {
  readonly attempts: number;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** What the assignments of a machine wait for, and to which of them it was reported. */
interface Wait {
  readonly report: (keys: ReadonlySet<string>) => void;
  readonly reported: Set<string>;
}

interface Known {
  /** Undefined until the first read. */
  state: MachineState | undefined;
  read: boolean;
  /** Identities in the PATCH that is under way. */
  readonly moving: Set<string>;
  readonly refused: Map<string, Refused>;
  verifiedAt: number;
  busySince: number | undefined;
  /** Rounds that failed in a row, and when the next one is. */
  failures: number;
  retryAt: number;
  /** Only while it takes long. */
  wait: Wait | undefined;
}

interface Signals {
  readonly stop: AbortSignal;
  readonly lost: AbortSignal;
  /** Either of them: ends what changes nothing. */
  readonly ended: AbortSignal;
}

/**
 * Attaches to virtual machines and scale sets what the index asks for, and detaches what the records say the controller
 * attached and no assignment needs. One worker at a time reconciles a machine, many machines go in parallel, and one that
 * takes long holds no worker. What Azure showed is kept in memory only; after a start each machine is read once.
 */
export class Machines {
  readonly #parts: MachinesParts;
  readonly #options: Required<MachinesOptions>;
  readonly #log: Logger;
  readonly #known = new Map<string, Known>();
  /** Rounds under way, those that no worker waits for included. */
  readonly #rounds = new Set<Promise<void>>();
  #queue: WorkQueue<string> | undefined;
  #signals: Signals | undefined;

  constructor(parts: MachinesParts, options: MachinesOptions = {}) {
    this.#parts = parts;
    this.#log = parts.runtime.log.child({ component: 'machines' });
    this.#options = {
      verifyMs: 180_000,
      concurrency: 32,
      waitAtMostMs: 1000,
      gatherMs: 25,
      refusedBackoff: { initialMs: 15_000, maxMs: 600_000 },
      reportMs: 30_000,
      busyMs: 60_000,
      ...options,
    };
  }

  /** The index of these machines may have changed. */
  indexChanged(machines: ReadonlySet<string>): void {
    for (const machine of machines) {
      if (this.#isDue(machine)) this.#enqueue(machine);
      this.#report(machine);
    }
  }

  /** What is known of an identity on a machine now. */
  attachment({ machine, identity }: AttachmentReference): AttachmentState {
    const known = this.#known.get(machine);
    if (!known?.read || known.moving.has(identity)) return 'unknown';
    if (known.state?.busy) return known.state.ids.has(identity) ? 'unknown' : 'detached';
    return known.state?.ids.has(identity) ? 'attached' : 'detached';
  }

  /** Works until `stop` aborts; it waits for the answers of writes under way. What it knows of machines ends with the lease. */
  async run(stop: AbortSignal, lost: AbortSignal = new AbortController().signal): Promise<void> {
    const { clock, metrics } = this.#parts.runtime;
    const ended = AbortSignal.any([stop, lost]);
    setMaxListeners(0, ended, stop, lost);
    this.#known.clear();
    this.#signals = { stop, lost, ended };
    if (!(await this.#prepared(ended))) return;
    const queue = new WorkQueue<string>({
      name: 'machines',
      clock,
      metrics,
      id: (machine) => machine,
      backoff: { initialMs: 1000, maxMs: 120_000 },
    });
    this.#queue = queue;
    const { index, records } = this.#parts;
    for (const machine of new Set([...index.machines(), ...records.machines()])) queue.add(machine);
    const workers = Array.from({ length: this.#options.concurrency }, () => this.#work(queue));
    await new Promise<void>((resolve) => {
      if (ended.aborted) resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
    });
    queue.close();
    await Promise.all(workers);
    await Promise.all(this.#rounds);
    this.#queue = undefined;
    this.#known.clear();
  }

  /** Waits for the index and reads the records; false when the program ends before. */
  async #prepared(signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#parts.whenReady(signal);
        await this.#parts.records.load(signal);
        return true;
      } catch (error) {
        if (signal.aborted) break;
        const retryInMs = backoff(attempt, { maxMs: 30_000 });
        this.#log.warn({ error: messageOf(error), retryInMs }, 'records of attached identities cannot be read');
        await this.#parts.runtime.clock.sleep(retryInMs, signal).catch(() => undefined);
      }
    }
    return false;
  }

  #enqueue(machine: string): void {
    // A change is no reason to shorten a wait that ARM asked for.
    const waitMs = (this.#known.get(machine)?.retryAt ?? 0) - this.#parts.runtime.clock.monotonic();
    this.#queue?.add(machine, { delayMs: Math.max(0, waitMs) });
  }

  async #work(queue: WorkQueue<string>): Promise<void> {
    for (let machine = await queue.take(); machine; machine = await queue.take()) {
      const taken = machine;
      const round = this.#reconcile(queue, taken).finally(() => {
        this.#rounds.delete(round);
        queue.done(taken);
      });
      this.#rounds.add(round);
      await this.#waitAtMost(round);
    }
  }

  async #waitAtMost(round: Promise<void>): Promise<void> {
    const over = new AbortController();
    const late = this.#parts.runtime.clock.sleep(this.#options.waitAtMostMs, over.signal).catch(() => undefined);
    await Promise.race([round, late]);
    over.abort();
  }

  async #reconcile(queue: WorkQueue<string>, machine: string): Promise<void> {
    const signals = this.#signals;
    if (!signals) return;
    try {
      const againMs = await this.#once(machine, signals);
      queue.forget(machine);
      const known = this.#known.get(machine);
      if (known) Object.assign(known, { failures: 0, retryAt: 0, wait: undefined });
      if (againMs !== undefined) queue.add(machine, { delayMs: againMs });
    } catch (error) {
      if (signals.stop.aborted || signals.lost.aborted) return;
      this.#failed(queue, machine, error);
    }
  }

  /** One reconcile run; gives the time until the next one, undefined when the machine is of no more interest. */
  async #once(machine: string, signals: Signals): Promise<number | undefined> {
    const { clock } = this.#parts.runtime;
    const { index, records, writer, protection, regionOf } = this.#parts;
    if (index.of(machine).size === 0 && records.of(machine).size === 0) {
      this.#known.delete(machine);
      return undefined;
    }
    const known = this.#knownOf(machine);
    if (!this.#isDue(machine) && clock.monotonic() - known.verifiedAt < this.#options.verifyMs)
      return this.#nextRead(machine, known);
    const begun = clock.monotonic();
    const state = await writer.read(machine, known.state?.region ?? regionOf(machine), signals.ended);
    for (const [identity, clientId] of state?.clientIds ?? []) protection.learn(identity, clientId);
    this.#learn(machine, known, state);
    if (records.of(machine).size > 0) await protection.resolve(machine, signals.ended);
    // What comes shortly after the first change shares its PATCH.
    const left = this.#options.gatherMs - (clock.monotonic() - begun);
    if (state && left > 0 && this.#isDue(machine)) await clock.sleep(left, signals.stop);
    const changes = this.#changes(machine, known);
    if (!state) return await this.#machineGone(machine, known, signals.ended);
    const ids = [...changes.keys()];
    for (const id of ids) known.moving.add(id);
    try {
      await this.#record(machine, state, changes, signals.ended);
      // From here to the PATCH nothing else runs: what was needed again meanwhile is not detached.
      for (const [id, attach] of changes) if (!attach && index.of(machine).has(id)) changes.delete(id);
      if (changes.size > 0) await this.#apply(machine, known, state, changes, signals);
    } finally {
      for (const id of ids) known.moving.delete(id);
    }
    if (ids.length === 0) return known.state?.busy ? 1000 : this.#nextRead(machine, known);
    this.#enqueueUsers(machine, ids);
    await this.#record(machine, { ids: known.state?.ids ?? new Set(), busy: false }, new Map(), signals.lost);
    // The index may have changed meanwhile.
    if (this.#isDue(machine)) this.#enqueue(machine);
    return this.#nextRead(machine, known);
  }

  /** Sends the changes and takes in how they ended. */
  async #apply(
    machine: string,
    known: Known,
    state: MachineState,
    changes: ReadonlyMap<string, boolean>,
    signals: Signals,
  ): Promise<void> {
    const { clock } = this.#parts.runtime;
    const over = new AbortController();
    void clock.sleep(this.#options.reportMs, over.signal).then(
      () => this.#waitsFor(machine, known, (keys) => this.#parts.waits(machine, keys)),
      () => undefined,
    );
    try {
      const { after, refused } = await this.#parts.writer.apply(machine, state, changes, signals);
      known.state = after;
      known.verifiedAt = clock.monotonic();
      for (const [id, attach] of changes) {
        const facts = refused.get(id) ?? (after.ids.has(id) === attach ? undefined : notMade(machine));
        if (facts) this.#refuse(machine, known, id, facts);
        else known.refused.delete(id);
      }
    } catch (error) {
      // Which part of it was done is unknown: the next run reads first.
      known.read = false;
      throw error;
    } finally {
      over.abort();
    }
  }

  /**
   * Records what is about to be attached, before the PATCH, and drops what is not on the machine. While an operation of
   * somebody runs nothing is dropped: it may be a PATCH of this program before a crash.
   */
  async #record(
    machine: string,
    { ids, busy }: Pick<MachineState, 'ids' | 'busy'>,
    changes: ReadonlyMap<string, boolean>,
    signal: AbortSignal,
  ): Promise<void> {
    const { records } = this.#parts;
    const recorded = [...records.of(machine)].filter((id) => busy || ids.has(id));
    const attached = [...changes].filter(([, attach]) => attach).map(([id]) => id);
    await records.replace(machine, new Set([...recorded, ...attached]), signal);
  }

  /** Takes in what a GET showed, and enqueues the assignments that it concerns. */
  #learn(machine: string, known: Known, state: MachineState | undefined): void {
    const now = this.#parts.runtime.clock.monotonic();
    const before = known.read && !known.state?.busy ? known.state?.ids : undefined;
    if (state?.busy) known.busySince ??= now;
    else known.busySince = undefined;
    const believed = known.busySince !== undefined && now - known.busySince >= this.#options.busyMs;
    known.state = state && { ...state, busy: state.busy && !believed };
    known.read = true;
    known.verifiedAt = now;
    const ids = [...this.#parts.index.of(machine).keys()];
    this.#enqueueUsers(machine, before ? ids.filter((id) => before.has(id) !== (state?.ids.has(id) ?? false)) : ids);
  }

  /** The changes to make now: refused ones wait for their time. */
  #changes(machine: string, known: Known): Map<string, boolean> {
    const now = this.#parts.runtime.clock.monotonic();
    const pending = this.#pendingChanges(machine, known);
    return new Map([...pending].filter(([identity]) => (known.refused.get(identity)?.until ?? 0) <= now));
  }

  /** The difference between the machine, the index and the records; there is nothing to detach from a machine that is gone. */
  #pendingChanges(machine: string, known: Known): Map<string, boolean> {
    const { index, records, protection } = this.#parts;
    const present = (identity: string) => known.state?.ids.has(identity) ?? false;
    const users = index.of(machine);
    const changes = new Map<string, boolean>();
    for (const [identity, { attach }] of users) {
      if (attach.size > 0 && !present(identity)) changes.set(identity, true);
    }
    for (const identity of records.of(machine)) {
      if (!users.has(identity) && present(identity) && !protection.protects(identity)) changes.set(identity, false);
    }
    return changes;
  }

  /** Whether something is to be done, or nothing is known of the machine. */
  #isDue(machine: string): boolean {
    const { index, records } = this.#parts;
    const known = this.#known.get(machine);
    if (index.of(machine).size === 0 && records.of(machine).size === 0) return known !== undefined;
    if (!known?.read) return true;
    return this.#changes(machine, known).size > 0;
  }

  async #machineGone(machine: string, known: Known, signal: AbortSignal): Promise<number> {
    for (const identity of this.#changes(machine, known).keys()) {
      this.#refuse(machine, known, identity, machineNotFound(machine));
    }
    await this.#parts.records.replace(machine, new Set(), signal);
    return this.#nextRead(machine, known);
  }

  #refuse(machine: string, known: Known, identity: string, facts: ArmErrorFacts): void {
    const attempts = known.refused.get(identity)?.attempts ?? 0;
    const until = this.#parts.runtime.clock.monotonic() + backoff(attempts, this.#options.refusedBackoff);
    known.refused.set(identity, { attempts: attempts + 1, until });
    const why = refusalText(identity, facts);
    this.#log.warn(
      { machine, identity, code: facts.code, error: facts.message, attempts: attempts + 1 },
      'identity refused',
    );
    const { attach } = this.#users(machine, identity);
    if (attach.size > 0) this.#parts.failed(machine, identity, why, new Set(attach));
    else this.#parts.removeFailed(machine, [identity], why);
  }

  #failed(queue: WorkQueue<string>, machine: string, error: unknown): void {
    const known = this.#knownOf(machine);
    const asked = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    const lasting = isLasting(error);
    const retryInMs = queue.retry(
      machine,
      asked ?? (lasting ? backoff(known.failures, this.#options.refusedBackoff) : undefined),
    );
    known.failures++;
    known.retryAt = this.#parts.runtime.clock.monotonic() + retryInMs;
    this.#log.warn({ machine, error: messageOf(error), retryInMs }, 'machine failed: will try again');
    // The second failure in a row is reported.
    if (!lasting && known.failures < 2 && retryInMs < this.#options.reportMs) return;
    const why = stripVolatile(messageOf(error));
    this.#waitsFor(machine, known, (keys) => this.#parts.failed(machine, undefined, why, keys));
    const removals = [...this.#pendingChanges(machine, known)].filter(([, attach]) => !attach).map(([id]) => id);
    this.#parts.removeFailed(machine, removals, why);
  }

  #waitsFor(machine: string, known: Known, report: Wait['report']): void {
    known.wait = { report, reported: new Set() };
    this.#report(machine);
  }

  /** Reports the wait to the assignments that it delays, once to each. */
  #report(machine: string): void {
    const known = this.#known.get(machine);
    if (!known?.wait) return;
    const { report, reported } = known.wait;
    const keys = new Set<string>();
    for (const identity of this.#pendingChanges(machine, known).keys()) {
      for (const key of this.#users(machine, identity).attach) if (!reported.has(key)) keys.add(key);
    }
    if (keys.size === 0) return;
    for (const key of keys) reported.add(key);
    report(keys);
  }

  #nextRead(machine: string, known: Known): number {
    const now = this.#parts.runtime.clock.monotonic();
    const verify = this.#options.verifyMs * (0.9 + 0.2 * Math.random());
    const pending = this.#pendingChanges(machine, known);
    const retries: number[] = [];
    for (const [identity, { until }] of known.refused) {
      if (pending.has(identity)) retries.push(until - now);
      else if (until <= now) known.refused.delete(identity);
    }
    return Math.max(1, Math.min(verify, ...retries));
  }

  #enqueueUsers(machine: string, identities: Iterable<string>): void {
    const keys = new Set<string>();
    for (const identity of identities) {
      const { attach, keep } = this.#users(machine, identity);
      for (const key of [...attach, ...keep]) keys.add(key);
    }
    if (keys.size > 0) this.#parts.enqueue(keys);
  }

  #users(machine: string, identity: string): AttachmentUsers {
    return this.#parts.index.of(machine).get(identity) ?? { attach: new Set(), keep: new Set() };
  }

  #knownOf(machine: string): Known {
    const existing = this.#known.get(machine);
    if (existing) return existing;
    const known: Known = {
      state: undefined,
      read: false,
      moving: new Set(),
      refused: new Map(),
      verifiedAt: Number.NEGATIVE_INFINITY,
      busySince: undefined,
      failures: 0,
      retryAt: 0,
      wait: undefined,
    };
    this.#known.set(machine, known);
    return known;
  }
}
