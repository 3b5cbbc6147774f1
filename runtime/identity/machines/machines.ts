import { setMaxListeners } from 'node:events';
import { stripVolatile } from '../../azure/arm/errors.ts';
import type { ArmErrorFacts } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import type { Attachment } from '../assignments/next-step.ts';
import type { Holders, Ledger } from './attachment-index.ts';
import type { Claim } from './attachment-reference.ts';
import { isLasting, type MachineState, type MachineWriter, machineNotFound, notMade } from './machine-writer.ts';

export interface MachinesOptions {
  /** Time between two looks at a machine at rest, which bring back what somebody removed. @default 180000 */
  readonly verifyMs?: number;
  /** Machines that workers wait for at a time. @default 32 */
  readonly concurrency?: number;
  /**
   * How long a worker waits for one machine before it turns to the next, milliseconds. The round goes on by itself: a machine
   * that does not answer, an operation or a throttled region takes its time, and must not keep the others from theirs. @default 1000
   */
  readonly patienceMs?: number;
  /** Gathers what comes within this time into one PATCH; the machine is read meanwhile. @default 25 */
  readonly gatherMs?: number;
  /** Delays before an identity that was refused is tried again. @default 15 s to 10 min */
  readonly refusedBackoff?: { readonly initialMs: number; readonly maxMs: number };
  /** A wait for Azure that is told to the pods it concerns, milliseconds. @default 30000 */
  readonly tellMs?: number;
  /** Longest wait for somebody else's operation on a machine before its identities are believed. @default 60000 */
  readonly busyMs?: number;
}

export interface MachinesParts {
  readonly runtime: Runtime;
  readonly ledger: Ledger;
  readonly writer: MachineWriter;
  readonly immutable: (claim: Claim) => boolean;
  /** Whether any pod wants it, recorded or not: such an identity is not detached. */
  readonly wanted: (claim: Claim) => boolean;
  readonly regionOf: (machine: string) => string;
  /** Told which assignments to look at again. */
  readonly wake: (keys: ReadonlySet<string>) => void;
  /** These assignments wait for an operation of Azure that takes long. */
  readonly waits: (machine: string, keys: ReadonlySet<string>) => void;
  /** An identity, or (without one) the whole machine, could not be changed for these assignments. */
  readonly failed: (machine: string, identity: string | undefined, why: string, keys: ReadonlySet<string>) => void;
}

interface Refused {
  readonly attempts: number;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** What the assignments of a machine wait for, and which of them have been told. */
interface Wait {
  readonly tell: (keys: ReadonlySet<string>) => void;
  readonly told: Set<string>;
}

interface Known {
  /** Undefined until the first look. */
  state: MachineState | undefined;
  seen: boolean;
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
 * Brings the identities of virtual machines and scale sets in line with the ledger: one machine at a time has one worker,
 * many machines go in parallel, and one that takes long holds no worker. What is learnt is kept in memory only; after a start
 * each machine is read once.
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
      patienceMs: 1000,
      gatherMs: 25,
      refusedBackoff: { initialMs: 15_000, maxMs: 600_000 },
      tellMs: 30_000,
      busyMs: 60_000,
      ...options,
    };
    parts.ledger.onChange((machines) => {
      for (const machine of machines) {
        if (this.#isDue(machine)) this.#touch(machine);
        this.#tell(machine);
      }
    });
  }

  /** What is known of an identity on a machine now. */
  attachment({ machine, identity }: Claim): Attachment {
    const known = this.#known.get(machine);
    if (!known?.seen || known.moving.has(identity)) return 'unknown';
    if (known.state?.busy) return known.state.ids.has(identity) ? 'unknown' : 'detached';
    return known.state?.ids.has(identity) ? 'attached' : 'detached';
  }

  /** Works until `stop` aborts; what ARM was told is known by then. Nothing learnt survives, since others may work now. */
  async run(stop: AbortSignal, lost: AbortSignal = new AbortController().signal): Promise<void> {
    const { clock, metrics } = this.#parts.runtime;
    const ended = AbortSignal.any([stop, lost]);
    setMaxListeners(0, ended, stop, lost);
    this.#known.clear();
    this.#signals = { stop, lost, ended };
    const queue = new WorkQueue<string>({
      name: 'machines',
      clock,
      metrics,
      id: (machine) => machine,
      backoff: { initialMs: 1000, maxMs: 120_000 },
    });
    this.#queue = queue;
    for (const machine of this.#parts.ledger.machines()) queue.add(machine);
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

  #touch(machine: string): void {
    // News are no reason to cut a wait short that ARM asked for.
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
      await this.#patiently(round);
    }
  }

  async #patiently(round: Promise<void>): Promise<void> {
    const over = new AbortController();
    const late = this.#parts.runtime.clock.sleep(this.#options.patienceMs, over.signal).catch(() => undefined);
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

  /** One round; gives the time until the next one, undefined when nobody needs the machine any more. */
  async #once(machine: string, signals: Signals): Promise<number | undefined> {
    const { clock } = this.#parts.runtime;
    if (this.#parts.ledger.of(machine).size === 0) {
      this.#known.delete(machine);
      return undefined;
    }
    const known = this.#knownOf(machine);
    if (!this.#isDue(machine) && clock.monotonic() - known.verifiedAt < this.#options.verifyMs)
      return this.#nextLook(machine, known);
    const begun = clock.monotonic();
    const state = await this.#parts.writer.read(
      machine,
      known.state?.region ?? this.#parts.regionOf(machine),
      signals.ended,
    );
    this.#learn(machine, known, state);
    // What comes beside the first wish shares its PATCH.
    const left = this.#options.gatherMs - (clock.monotonic() - begun);
    if (state && left > 0 && this.#isDue(machine)) await clock.sleep(left, signals.stop);
    // From here to the write nothing else runs: the write is about the ledger as it is now.
    const holders = this.#parts.ledger.of(machine);
    const changes = this.#changes(machine, known, holders);
    if (!state) return this.#machineGone(machine, known, holders);
    if (changes.size === 0) return known.state?.busy ? 1000 : this.#nextLook(machine, known);

    for (const id of changes.keys()) known.moving.add(id);
    const over = new AbortController();
    void clock.sleep(this.#options.tellMs, over.signal).then(
      () => this.#waitsFor(machine, known, (keys) => this.#parts.waits(machine, keys)),
      () => undefined,
    );
    try {
      const { after, refused } = await this.#parts.writer.apply(machine, state, changes, signals);
      known.state = after;
      known.verifiedAt = clock.monotonic();
      for (const [id, attach] of changes) {
        const facts = refused.get(id) ?? (after.ids.has(id) === attach ? undefined : notMade(machine));
        if (facts) this.#refuse(machine, known, id, facts, holders.get(id));
        else known.refused.delete(id);
      }
    } catch (error) {
      // What of it was done is unknown: the next round looks first.
      known.seen = false;
      throw error;
    } finally {
      over.abort();
      for (const id of changes.keys()) known.moving.delete(id);
    }
    this.#wake(machine, changes.keys());
    // The ledger may have moved on meanwhile.
    if (this.#isDue(machine)) this.#touch(machine);
    return this.#nextLook(machine, known);
  }

  /** Takes in what a GET showed, and wakes whom it is news for. */
  #learn(machine: string, known: Known, state: MachineState | undefined): void {
    const now = this.#parts.runtime.clock.monotonic();
    const before = known.seen && !known.state?.busy ? known.state?.ids : undefined;
    if (state?.busy) known.busySince ??= now;
    else known.busySince = undefined;
    const believed = known.busySince !== undefined && now - known.busySince >= this.#options.busyMs;
    known.state = state && { ...state, busy: state.busy && !believed };
    known.seen = true;
    known.verifiedAt = now;
    const ids = [...this.#parts.ledger.of(machine).keys()];
    this.#wake(machine, before ? ids.filter((id) => before.has(id) !== (state?.ids.has(id) ?? false)) : ids);
  }

  /** What is to be done now: refusals have their time. */
  #changes(machine: string, known: Known, holders: ReadonlyMap<string, Holders>): Map<string, boolean> {
    const now = this.#parts.runtime.clock.monotonic();
    const wishes = this.#wishes(machine, known, holders);
    return new Map([...wishes].filter(([identity]) => (known.refused.get(identity)?.until ?? 0) <= now));
  }

  /** What the ledger asks for and the machine does not have; nothing is there to detach from one that is gone. */
  #wishes(machine: string, known: Known, holders: ReadonlyMap<string, Holders>): Map<string, boolean> {
    const changes = new Map<string, boolean>();
    for (const [identity, { attach, serving, release, clientId }] of holders) {
      const present = known.state?.ids.has(identity) ?? false;
      if (attach.size + serving.size > 0) {
        if (!present) changes.set(identity, true);
      } else if (release.size > 0 && present && this.#mayDetach({ machine, identity, clientId }))
        changes.set(identity, false);
    }
    return changes;
  }

  #mayDetach(claim: Claim): boolean {
    return !this.#parts.wanted(claim) && !this.#parts.immutable(claim);
  }

  /** Whether the ledger asks for something that is not known to be so. */
  #isDue(machine: string): boolean {
    const holders = this.#parts.ledger.of(machine);
    const known = this.#known.get(machine);
    if (holders.size === 0) return known !== undefined;
    if (!known?.seen) return true;
    return this.#changes(machine, known, holders).size > 0;
  }

  #machineGone(machine: string, known: Known, holders: ReadonlyMap<string, Holders>): number {
    for (const identity of this.#changes(machine, known, holders).keys()) {
      this.#refuse(machine, known, identity, machineNotFound(machine), holders.get(identity));
    }
    return this.#nextLook(machine, known);
  }

  #refuse(machine: string, known: Known, identity: string, facts: ArmErrorFacts, holders: Holders | undefined): void {
    const attempts = known.refused.get(identity)?.attempts ?? 0;
    const until = this.#parts.runtime.clock.monotonic() + backoff(attempts, this.#options.refusedBackoff);
    known.refused.set(identity, { attempts: attempts + 1, until });
    const why = `${facts.code}: ${stripVolatile(facts.message)}`;
    this.#log.warn(
      { machine, identity, code: facts.code, error: facts.message, attempts: attempts + 1 },
      'identity refused',
    );
    const keys = new Set([...(holders?.attach ?? []), ...(holders?.release ?? [])]);
    this.#parts.failed(machine, identity, why, keys);
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
    // Twice in a row is no accident any more.
    if (!lasting && known.failures < 2 && retryInMs < this.#options.tellMs) return;
    const why = stripVolatile(messageOf(error));
    this.#waitsFor(machine, known, (keys) => this.#parts.failed(machine, undefined, why, keys));
  }

  #waitsFor(machine: string, known: Known, tell: Wait['tell']): void {
    known.wait = { tell, told: new Set() };
    this.#tell(machine);
  }

  /** Tells what is waited for to those whose wishes it holds up and who have not heard of it. */
  #tell(machine: string): void {
    const known = this.#known.get(machine);
    if (!known?.wait) return;
    const { tell, told } = known.wait;
    const holders = this.#parts.ledger.of(machine);
    const keys = new Set<string>();
    for (const identity of this.#wishes(machine, known, holders).keys()) {
      const { attach = [], release = [] } = holders.get(identity) ?? {};
      for (const key of [...attach, ...release]) if (!told.has(key)) keys.add(key);
    }
    if (keys.size === 0) return;
    for (const key of keys) told.add(key);
    tell(keys);
  }

  #nextLook(machine: string, known: Known): number {
    const now = this.#parts.runtime.clock.monotonic();
    const verify = this.#options.verifyMs * (0.9 + 0.2 * Math.random());
    const wishes = this.#wishes(machine, known, this.#parts.ledger.of(machine));
    const retries: number[] = [];
    for (const [identity, { until }] of known.refused) {
      if (wishes.has(identity)) retries.push(until - now);
      else if (until <= now) known.refused.delete(identity);
    }
    return Math.max(1, Math.min(verify, ...retries));
  }

  #wake(machine: string, identities: Iterable<string>): void {
    const holders = this.#parts.ledger.of(machine);
    const keys = new Set<string>();
    for (const identity of identities) {
      const { attach = [], serving = [], release = [] } = holders.get(identity) ?? {};
      for (const key of [...attach, ...serving, ...release]) keys.add(key);
    }
    if (keys.size > 0) this.#parts.wake(keys);
  }

  #knownOf(machine: string): Known {
    const existing = this.#known.get(machine);
    if (existing) return existing;
    const known: Known = {
      state: undefined,
      seen: false,
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
