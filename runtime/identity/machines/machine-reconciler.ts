import type { ArmErrorInfo } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { DelayReports } from './delay-reports.ts';
import type { KnownMachine, MachineStates } from './machine-states.ts';
import { type MachineState, machineNotFound, notMade, refusalText } from './machine-writer.ts';
import type { MachinesDeps, MachinesOptions } from './machines-deps.ts';

/** The signals of the program. */
export interface MachineSignals {
  /** Ends waits for operations and changes. */
  readonly stop: AbortSignal;
  /** The lease is lost: ends everything. */
  readonly lost: AbortSignal;
  /** Aborts with either of them; for requests that change nothing. */
  readonly ended: AbortSignal;
}

/** Reads one machine, attaches and detaches as its state, the index and the records require, and records it. */
export class MachineReconciler {
  readonly #deps: MachinesDeps;
  readonly #options: Required<MachinesOptions>;
  readonly #states: MachineStates;
  readonly #delays: DelayReports;
  readonly #log: Logger;

  constructor(
    deps: MachinesDeps,
    options: Required<MachinesOptions>,
    { states, delays, log }: { readonly states: MachineStates; readonly delays: DelayReports; readonly log: Logger },
  ) {
    this.#deps = deps;
    this.#options = options;
    this.#states = states;
    this.#delays = delays;
    this.#log = log;
  }

  /**
   * One reconcile run. Returns the milliseconds until the next one; undefined when no assignment or record has the
   * machine.
   */
  async reconcile(machine: string, signals: MachineSignals): Promise<number | undefined> {
    const { clock } = this.#deps.runtime;
    const { index, records, writer, protection, identities, regionOf } = this.#deps;
    if (index.of(machine).size === 0 && records.of(machine).size === 0) {
      this.#states.delete(machine);
      return undefined;
    }
    const knownMachine = this.#states.of(machine);
    if (!this.#states.isDue(machine) && clock.monotonic() - knownMachine.verifiedAt < this.#options.verifyMs)
      return this.#states.nextReadMs(machine, knownMachine);
    const begun = clock.monotonic();
    const state = await writer.read(machine, knownMachine.state?.region ?? regionOf(machine), signals.ended);
    for (const [identity, clientId] of state?.clientIds ?? []) {
      protection.learn(identity, clientId);
      identities.shown(identity, clientId);
    }
    this.#observe(machine, knownMachine, state);
    // After the observation: only a later read of the identity counts.
    if (!state?.busy) for (const identity of state?.emptyIds ?? []) identities.shown(identity, undefined);
    if (records.of(machine).size > 0) await protection.resolve(machine, signals.ended);
    // Changes shortly after the first one share its PATCH.
    const left = this.#options.gatherMs - (clock.monotonic() - begun);
    if (state && left > 0 && this.#states.isDue(machine)) await clock.sleep(left, signals.stop);
    const changes = this.#states.changes(machine, knownMachine);
    if (!state) return await this.#machineGone(machine, knownMachine, signals.ended);
    if ([...changes.values()].includes(false)) await this.#keepNeeded(changes, signals.ended);
    const ids = [...changes.keys()];
    for (const id of ids) knownMachine.moving.add(id);
    try {
      await this.#record(machine, state, changes, signals.ended);
      // No await from here to the PATCH: keep identities that an assignment needs again.
      const needed = (id: string) => index.of(machine).has(id) && !knownMachine.entries.isDead(id);
      for (const [id, attach] of changes) if (!attach && needed(id)) changes.delete(id);
      if (changes.size > 0) await this.#apply(machine, knownMachine, state, changes, signals);
    } finally {
      for (const id of ids) knownMachine.moving.delete(id);
    }
    if (ids.length === 0) return knownMachine.state?.busy ? 1000 : this.#states.nextReadMs(machine, knownMachine);
    this.#enqueueUsers(machine, ids);
    await this.#record(machine, { ids: knownMachine.state?.ids ?? new Set(), busy: false }, new Map(), signals.lost);
    // The index may have changed meanwhile.
    return this.#states.isDue(machine) ? 0 : this.#states.nextReadMs(machine, knownMachine);
  }

  /** Takes the detachments out of the changes while a definition is gone, or where the API server does not answer. */
  async #keepNeeded(changes: Map<string, boolean>, signal: AbortSignal): Promise<void> {
    const isAttaching = [...changes.values()].includes(true);
    const areRemoved = await this.#deps.definitions.areRemoved(signal).catch((error: unknown) => {
      if (!isAttaching) throw error;
      return true;
    });
    if (areRemoved) for (const [id, attach] of changes) if (!attach) changes.delete(id);
  }

  /** Sends the changes and stores their result. */
  async #apply(
    machine: string,
    knownMachine: KnownMachine,
    state: MachineState,
    changes: ReadonlyMap<string, boolean>,
    signals: MachineSignals,
  ): Promise<void> {
    const { clock } = this.#deps.runtime;
    const over = new AbortController();
    void clock.sleep(this.#options.reportMs, over.signal).then(
      () => this.#delays.begin(machine, knownMachine, (keys) => this.#deps.reports.pending(machine, keys)),
      () => undefined,
    );
    try {
      const { after, refused } = await this.#deps.writer.apply(machine, state, changes, signals);
      knownMachine.state = after;
      knownMachine.verifiedAt = clock.monotonic();
      for (const [id, attach] of changes) {
        const info = refused.get(id) ?? (after.ids.has(id) === attach ? undefined : notMade(machine));
        if (info) this.#refuse(machine, knownMachine, id, info);
        else knownMachine.refused.delete(id);
      }
      knownMachine.entries.changed(changes.keys());
    } catch (error) {
      // ARM may have applied a part: the next run reads the machine first.
      knownMachine.read = false;
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
    const { records } = this.#deps;
    const recorded = [...records.of(machine)].filter((id) => busy || ids.has(id));
    const attached = [...changes].filter(([, attach]) => attach).map(([id]) => id);
    await records.replace(machine, new Set([...recorded, ...attached]), signal);
  }

  /** Stores the result of a GET, and enqueues the assignments whose identities it changes. */
  #observe(machine: string, knownMachine: KnownMachine, state: MachineState | undefined): void {
    const before = this.#states.observe(knownMachine, state);
    const ids = [...this.#deps.index.of(machine).keys()];
    this.#enqueueUsers(machine, before ? ids.filter((id) => before.has(id) !== (state?.ids.has(id) ?? false)) : ids);
  }

  async #machineGone(machine: string, knownMachine: KnownMachine, signal: AbortSignal): Promise<number> {
    for (const identity of this.#states.changes(machine, knownMachine).keys()) {
      this.#refuse(machine, knownMachine, identity, machineNotFound(machine));
    }
    await this.#deps.records.replace(machine, new Set(), signal);
    return this.#states.nextReadMs(machine, knownMachine);
  }

  #refuse(machine: string, knownMachine: KnownMachine, identity: string, info: ArmErrorInfo): void {
    const attempts = knownMachine.refused.get(identity)?.attempts ?? 0;
    const until = this.#deps.runtime.clock.monotonic() + backoff(attempts, this.#options.refusedBackoff);
    knownMachine.refused.set(identity, { attempts: attempts + 1, until });
    const why = refusalText(identity, info);
    this.#log.warn(
      { machine, identity, code: info.code, error: info.message, attempts: attempts + 1 },
      'identity refused',
    );
    const { attach } = this.#states.users(machine, identity);
    if (attach.size > 0) this.#deps.reports.failed(machine, identity, why, new Set(attach));
    else this.#deps.reports.detachFailed(machine, [identity], why);
  }

  #enqueueUsers(machine: string, identities: Iterable<string>): void {
    const keys = new Set<string>();
    for (const identity of identities) {
      const { attach, keep } = this.#states.users(machine, identity);
      for (const key of [...attach, ...keep]) keys.add(key);
    }
    if (keys.size > 0) this.#deps.enqueue(keys);
  }
}
