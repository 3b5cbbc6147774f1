import type { DesiredAssignments } from './assignments/desired-assignments.ts';
import { AttachmentRecords } from './attachments/attachment-records.ts';
import type { DesiredState } from './create-desired.ts';
import type { IdentityMetrics } from './identity-metrics.ts';
import type { IdentityDeps } from './identity-options.ts';
import { MachineReports } from './machines/machine-reports.ts';
import { MachineWriter } from './machines/machine-writer.ts';
import { Machines } from './machines/machines.ts';
import type { MachinesDeps } from './machines/machines-deps.ts';
import { NeededDefinitions } from './machines/needed-definitions.ts';
import type { Reports } from './reports.ts';

/** What the machines need of the controller. */
export interface MachinesWiring extends Pick<MachinesDeps, 'whenReady' | 'isComplete' | 'enqueue'> {
  readonly metrics: IdentityMetrics;
  readonly reports: Reports;
}

/** Creates what attaches and detaches the identities of machines. It follows the desired assignments from here on. */
export function createMachines(
  { manager, arm, authorizer, options }: IdentityDeps,
  { desired, verifier, protection }: DesiredState,
  { metrics, reports, ...wiring }: MachinesWiring,
): Machines {
  const { runtime } = manager;
  const machineReports = new MachineReports({
    reports,
    desired: (key) => desired.get(key),
    refused: metrics.refused,
  });
  desired.onRelease((reference, last) => machineReports.released(reference, last));
  const machines = new Machines(
    {
      runtime,
      index: desired.index,
      records: new AttachmentRecords(runtime.client, options.namespace),
      writer: new MachineWriter({ arm, authorizer, clock: runtime.clock, observe: metrics.machine }),
      protection,
      definitions: new NeededDefinitions(runtime),
      identities: verifier,
      regionOf: (machine) => regionOf(machine, desired),
      reports: machineReports,
      ...wiring,
    },
    options.machines,
  );
  desired.onChange((_, changed) => machines.indexChanged(changed));
  return machines;
}

/** The region label of a machine's node, from an assignment on it; '' where there is none. */
function regionOf(machine: string, desired: DesiredAssignments): string {
  for (const { attach, keep } of desired.index.of(machine).values()) {
    for (const key of [...attach, ...keep]) {
      const desiredAssignment = desired.get(key);
      if (desiredAssignment?.reference?.machine === machine && desiredAssignment.region)
        return desiredAssignment.region;
    }
  }
  return '';
}
