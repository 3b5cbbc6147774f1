import type { KnownMachine, MachineStates, Wait } from './machine-states.ts';

/** Reports that a machine takes long, or fails, to the assignments that wait for it: once to each. */
export class DelayReports {
  readonly #states: MachineStates;

  constructor(states: MachineStates) {
    this.#states = states;
  }

  /** A delay begins: `report` gets the keys of the assignments that it concerns, now and while it lasts. */
  begin(machine: string, machineState: KnownMachine, report: Wait['report']): void {
    machineState.wait = { report, reported: new Set() };
    this.indexChanged(machine);
  }

  /** Reports a delay in progress to further assignments. */
  indexChanged(machine: string): void {
    const machineState = this.#states.get(machine);
    if (!machineState?.wait) return;
    const { report, reported } = machineState.wait;
    const keys = new Set<string>();
    for (const identity of this.#states.pendingChanges(machine, machineState).keys()) {
      for (const key of this.#states.users(machine, identity).attach) if (!reported.has(key)) keys.add(key);
    }
    if (keys.size === 0) return;
    for (const key of keys) reported.add(key);
    report(keys);
  }
}
