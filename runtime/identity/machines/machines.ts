import { setMaxListeners } from 'node:events';
import { stripVolatile } from '../../azure/arm/errors.ts';
import type { ArmErrorFacts } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import type { AttachmentState } from '../assignments/next-step.ts';
import type { AttachmentReference } from './attachment-reference.ts';
import { type KnownMachine, MachineStates, type Wait } from './machine-states.ts';
import { isLasting, type MachineState, machineNotFound, notMade, refusalText } from './machine-writer.ts';
import type { MachinesOptions, MachinesParts } from './machines-parts.ts';

interface Signals {
  readonly stop: AbortSignal;
  readonly lost: AbortSignal;
  /** Aborts with either of them; for requests that change nothing. */
  readonly ended: AbortSignal;
}

/**
 * Attaches the identities of the index to virtual machines and scale sets, and detaches recorded identities that no
 * assignment needs. One worker at a time reconciles a machine, many machines in parallel; a slow machine blocks no
 * worker. The states of machines are in memory only: after a start the controller reads each machine once.
 */
export class Machines {
  readonly #parts: MachinesParts;
  readonly #options: Required<MachinesOptions>;
  readonly #log: Logger;
  readonly #states: MachineStates;
  /** Reconcile runs in progress, those that no worker waits for included. */
  readonly #runs = new Set<Promise<void>>();
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
    this.#states = new MachineStates(parts, this.#options);
  }

  /** Reconciles these machines where the changed index requires it. */
  indexChanged(machines: ReadonlySet<string>): void {
    for (const machine of machines) {
      if (this.#states.isDue(machine)) this.#enqueue(machine);
      this.#report(machine);
    }
  }

  /** The state of an identity on a machine now. */
  attachment(reference: AttachmentReference): AttachmentState {
    return this.#states.attachment(reference);
  }

  /**
   * Reconciles machines until `stop` or `lost` aborts; waits for the answers of writes in progress, then forgets all
   * states.
   */
  async run(stop: AbortSignal, lost: AbortSignal = new AbortController().signal): Promise<void> {
    const { clock, metrics } = this.#parts.runtime;
    const ended = AbortSignal.any([stop, lost]);
    setMaxListeners(0, ended, stop, lost);
    this.#states.clear();
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
    await Promise.all(this.#runs);
    this.#queue = undefined;
    this.#states.clear();
  }

  /** Waits for the index and reads the records; false when the signal aborts before. */
  async #prepared(signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#parts.whenReady(signal);
        await this.#parts.records.load(signal);
        return true;
      } catch (error) {
        if (signal.aborted) break;
        const retryInMs = backoff(attempt, { maxMs: 30_000 });
        this.#log.warn({ error: messageOf(error), retryInMs }, 'cannot read the records of attached identities');
        await this.#parts.runtime.clock.sleep(retryInMs, signal).catch(() => undefined);
      }
    }
    return false;
  }

  #enqueue(machine: string): void {
    // A change does not shorten the delay that ARM requires.
    const waitMs = (this.#states.get(machine)?.retryAt ?? 0) - this.#parts.runtime.clock.monotonic();
    this.#queue?.add(machine, { delayMs: Math.max(0, waitMs) });
  }

  async #work(queue: WorkQueue<string>): Promise<void> {
    for (let machine = await queue.take(); machine; machine = await queue.take()) {
      const taken = machine;
      const run = this.#reconcile(queue, taken).finally(() => {
        this.#runs.delete(run);
        queue.done(taken);
      });
      this.#runs.add(run);
      await this.#waitAtMost(run);
    }
  }

  async #waitAtMost(run: Promise<void>): Promise<void> {
    const over = new AbortController();
    const late = this.#parts.runtime.clock.sleep(this.#options.waitAtMostMs, over.signal).catch(() => undefined);
    await Promise.race([run, late]);
    over.abort();
  }

  async #reconcile(queue: WorkQueue<string>, machine: string): Promise<void> {
    const signals = this.#signals;
    if (!signals) return;
    try {
      const nextRunMs = await this.#reconcileOnce(machine, signals);
      queue.forget(machine);
      const known = this.#states.get(machine);
      if (known) Object.assign(known, { failures: 0, retryAt: 0, wait: undefined });
      if (nextRunMs !== undefined) queue.add(machine, { delayMs: nextRunMs });
    } catch (error) {
      if (signals.stop.aborted || signals.lost.aborted) return;
      this.#failed(queue, machine, error);
    }
  }

  /**
   * One reconcile run. Returns the milliseconds until the next one; undefined when no assignment or record has the
   * machine.
   */
  async #reconcileOnce(machine: string, signals: Signals): Promise<number | undefined> {
    const { clock } = this.#parts.runtime;
    const { index, records, writer, protection, regionOf } = this.#parts;
    if (index.of(machine).size === 0 && records.of(machine).size === 0) {
      this.#states.delete(machine);
      return undefined;
    }
    const known = this.#states.of(machine);
    if (!this.#states.isDue(machine) && clock.monotonic() - known.verifiedAt < this.#options.verifyMs)
      return this.#states.nextReadMs(machine, known);
    const begun = clock.monotonic();
    const state = await writer.read(machine, known.state?.region ?? regionOf(machine), signals.ended);
    for (const [identity, clientId] of state?.clientIds ?? []) protection.learn(identity, clientId);
    this.#observe(machine, known, state);
    if (records.of(machine).size > 0) await protection.resolve(machine, signals.ended);
    // Changes shortly after the first one share its PATCH.
    const left = this.#options.gatherMs - (clock.monotonic() - begun);
    if (state && left > 0 && this.#states.isDue(machine)) await clock.sleep(left, signals.stop);
    const changes = this.#states.changes(machine, known);
    if (!state) return await this.#machineGone(machine, known, signals.ended);
    const ids = [...changes.keys()];
    for (const id of ids) known.moving.add(id);
    try {
      await this.#record(machine, state, changes, signals.ended);
      // No await from here to the PATCH: keep identities that an assignment needs again.
      for (const [id, attach] of changes) if (!attach && index.of(machine).has(id)) changes.delete(id);
      if (changes.size > 0) await this.#apply(machine, known, state, changes, signals);
    } finally {
      for (const id of ids) known.moving.delete(id);
    }
    if (ids.length === 0) return known.state?.busy ? 1000 : this.#states.nextReadMs(machine, known);
    this.#enqueueUsers(machine, ids);
    await this.#record(machine, { ids: known.state?.ids ?? new Set(), busy: false }, new Map(), signals.lost);
    // The index may have changed meanwhile.
    if (this.#states.isDue(machine)) this.#enqueue(machine);
    return this.#states.nextReadMs(machine, known);
  }

  /** Sends the changes and stores their result. */
  async #apply(
    machine: string,
    known: KnownMachine,
    state: MachineState,
    changes: ReadonlyMap<string, boolean>,
    signals: Signals,
  ): Promise<void> {
    const { clock } = this.#parts.runtime;
    const over = new AbortController();
    void clock.sleep(this.#options.reportMs, over.signal).then(
      () => this.#waitsFor(machine, known, (keys) => this.#parts.pending(machine, keys)),
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
      // ARM may have applied a part: the next run reads the machine first.
      known.read = false;
      throw error;
    } finally {
      over.abort();
    }
  }

  /**
   * Records the identities of the next PATCH and drops those that the machine does not have. Drops none during an
   * operation: it may be a PATCH of this program before a crash.
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

  /** Stores the result of a GET, and enqueues the assignments whose identities it changes. */
  #observe(machine: string, known: KnownMachine, state: MachineState | undefined): void {
    const before = this.#states.observe(known, state);
    const ids = [...this.#parts.index.of(machine).keys()];
    this.#enqueueUsers(machine, before ? ids.filter((id) => before.has(id) !== (state?.ids.has(id) ?? false)) : ids);
  }

  async #machineGone(machine: string, known: KnownMachine, signal: AbortSignal): Promise<number> {
    for (const identity of this.#states.changes(machine, known).keys()) {
      this.#refuse(machine, known, identity, machineNotFound(machine));
    }
    await this.#parts.records.replace(machine, new Set(), signal);
    return this.#states.nextReadMs(machine, known);
  }

  #refuse(machine: string, known: KnownMachine, identity: string, facts: ArmErrorFacts): void {
    const attempts = known.refused.get(identity)?.attempts ?? 0;
    const until = this.#parts.runtime.clock.monotonic() + backoff(attempts, this.#options.refusedBackoff);
    known.refused.set(identity, { attempts: attempts + 1, until });
    const why = refusalText(identity, facts);
    this.#log.warn(
      { machine, identity, code: facts.code, error: facts.message, attempts: attempts + 1 },
      'identity refused',
    );
    const { attach } = this.#states.users(machine, identity);
    if (attach.size > 0) this.#parts.failed(machine, identity, why, new Set(attach));
    else this.#parts.removeFailed(machine, [identity], why);
  }

  #failed(queue: WorkQueue<string>, machine: string, error: unknown): void {
    const known = this.#states.of(machine);
    const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    const lasting = isLasting(error);
    const retryInMs = queue.retry(
      machine,
      retryAfterMs ?? (lasting ? backoff(known.failures, this.#options.refusedBackoff) : undefined),
    );
    known.failures++;
    known.retryAt = this.#parts.runtime.clock.monotonic() + retryInMs;
    this.#log.warn({ machine, error: messageOf(error), retryInMs }, 'reconciling the machine failed: will retry');
    // The first failure in a row is not reported.
    if (!lasting && known.failures < 2 && retryInMs < this.#options.reportMs) return;
    const why = stripVolatile(messageOf(error));
    this.#waitsFor(machine, known, (keys) => this.#parts.failed(machine, undefined, why, keys));
    const removals = [...this.#states.pendingChanges(machine, known)].filter(([, attach]) => !attach).map(([id]) => id);
    this.#parts.removeFailed(machine, removals, why);
  }

  #waitsFor(machine: string, known: KnownMachine, report: Wait['report']): void {
    known.wait = { report, reported: new Set() };
    this.#report(machine);
  }

  /** Reports the wait to the assignments that it delays, once for each. */
  #report(machine: string): void {
    const known = this.#states.get(machine);
    if (!known?.wait) return;
    const { report, reported } = known.wait;
    const keys = new Set<string>();
    for (const identity of this.#states.pendingChanges(machine, known).keys()) {
      for (const key of this.#states.users(machine, identity).attach) if (!reported.has(key)) keys.add(key);
    }
    if (keys.size === 0) return;
    for (const key of keys) reported.add(key);
    report(keys);
  }

  #enqueueUsers(machine: string, identities: Iterable<string>): void {
    const keys = new Set<string>();
    for (const identity of identities) {
      const { attach, keep } = this.#states.users(machine, identity);
      for (const key of [...attach, ...keep]) keys.add(key);
    }
    if (keys.size > 0) this.#parts.enqueue(keys);
  }
}
