import { setMaxListeners } from 'node:events';
import { stripVolatile } from '../../azure/arm/errors.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import type { AttachmentState } from '../assignments/next-step.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import { DelayReports } from './delay-reports.ts';
import { MachineReconciler, type MachineSignals } from './machine-reconciler.ts';
import { MachineStates } from './machine-states.ts';
import { isLasting } from './machine-writer.ts';
import type { MachinesDeps, MachinesOptions } from './machines-deps.ts';

/**
 * Attaches the identities of the index to virtual machines and scale sets, and detaches recorded identities that no
 * assignment needs. One worker at a time reconciles a machine, many machines in parallel; a slow machine blocks no
 * worker. The states of machines are in memory only: after a start the controller reads each machine once.
 */
export class Machines {
  readonly #deps: MachinesDeps;
  readonly #options: Required<MachinesOptions>;
  readonly #log: Logger;
  readonly #states: MachineStates;
  readonly #delays: DelayReports;
  readonly #reconciler: MachineReconciler;
  /** Reconcile runs in progress, those that no worker waits for included. */
  readonly #runs = new Set<Promise<void>>();
  #queue: WorkQueue<string> | undefined;
  #signals: MachineSignals | undefined;

  constructor(deps: MachinesDeps, options: MachinesOptions = {}) {
    this.#deps = deps;
    this.#log = deps.runtime.log.child({ component: 'machines' });
    this.#options = {
      verifyMs: 180_000,
      concurrency: 32,
      waitAtMostMs: 1000,
      gatherMs: 25,
      refusedBackoff: { initialMs: 15_000, maxMs: 600_000 },
      reportMs: 30_000,
      busyMs: 60_000,
      confirmMs: 5000,
      ...options,
    };
    const states = new MachineStates(deps, this.#options);
    this.#states = states;
    this.#delays = new DelayReports(states);
    this.#reconciler = new MachineReconciler(deps, this.#options, { states, delays: this.#delays, log: this.#log });
  }

  /** Reconciles these machines where the changed index requires it. */
  indexChanged(machines: ReadonlySet<string>): void {
    for (const machine of machines) {
      if (this.#states.isDue(machine)) this.#enqueue(machine);
      this.#delays.indexChanged(machine);
    }
  }

  /** Reconciles the machines with records, now that the index has all assignments. */
  indexComplete(): void {
    this.indexChanged(new Set(this.#deps.records.machines()));
  }

  /**
   * Azure was asked for an identity: reads the machines whose entry of it may be dead, and all machines with it where
   * its client id changed.
   */
  identityRead(identity: string, isChanged: boolean): void {
    for (const [machine, knownMachine] of this.#states.all()) {
      const isOutdated = isChanged && knownMachine.state?.ids.has(identity) === true;
      if (isOutdated) knownMachine.verifiedAt = Number.NEGATIVE_INFINITY;
      const waitMs = isOutdated ? 0 : this.#states.secondReadMs(machine, identity);
      if (waitMs !== undefined) this.#enqueue(machine, waitMs);
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
    const { clock, metrics } = this.#deps.runtime;
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
    const { index, records } = this.#deps;
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
        await this.#deps.whenReady(signal);
        await this.#deps.records.load(signal);
        return true;
      } catch (error) {
        if (signal.aborted) break;
        const retryInMs = backoff(attempt, { maxMs: 30_000 });
        this.#log.warn({ error: messageOf(error), retryInMs }, 'cannot read the records of attached identities');
        await this.#deps.runtime.clock.sleep(retryInMs, signal).catch(() => undefined);
      }
    }
    return false;
  }

  #enqueue(machine: string, delayMs = 0): void {
    // A change does not shorten the delay that ARM requires.
    const waitMs = (this.#states.get(machine)?.retryAt ?? 0) - this.#deps.runtime.clock.monotonic();
    this.#queue?.add(machine, { delayMs: Math.max(delayMs, waitMs) });
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
    const late = this.#deps.runtime.clock.sleep(this.#options.waitAtMostMs, over.signal).catch(() => undefined);
    await Promise.race([run, late]);
    over.abort();
  }

  async #reconcile(queue: WorkQueue<string>, machine: string): Promise<void> {
    const signals = this.#signals;
    if (!signals) return;
    try {
      const nextRunMs = await this.#reconciler.reconcile(machine, signals);
      queue.forget(machine);
      const knownMachine = this.#states.get(machine);
      if (knownMachine) Object.assign(knownMachine, { failures: 0, retryAt: 0, wait: undefined });
      if (nextRunMs !== undefined) queue.add(machine, { delayMs: nextRunMs });
    } catch (error) {
      if (signals.stop.aborted || signals.lost.aborted) return;
      this.#failed(queue, machine, error);
    }
  }

  #failed(queue: WorkQueue<string>, machine: string, error: unknown): void {
    const knownMachine = this.#states.of(machine);
    const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    const lasting = isLasting(error);
    const retryInMs = queue.retry(
      machine,
      retryAfterMs ?? (lasting ? backoff(knownMachine.failures, this.#options.refusedBackoff) : undefined),
    );
    knownMachine.failures++;
    knownMachine.retryAt = this.#deps.runtime.clock.monotonic() + retryInMs;
    this.#log.warn({ machine, error: messageOf(error), retryInMs }, 'reconciling the machine failed: will retry');
    // The first failure in a row is not reported.
    if (!lasting && knownMachine.failures < 2 && retryInMs < this.#options.reportMs) return;
    const why = stripVolatile(messageOf(error));
    this.#delays.begin(machine, knownMachine, (keys) => this.#deps.reports.failed(machine, undefined, why, keys));
    const removals = [...this.#states.pendingChanges(machine, knownMachine)]
      .filter(([, attach]) => !attach)
      .map(([id]) => id);
    this.#deps.reports.detachFailed(machine, removals, why);
  }
}
