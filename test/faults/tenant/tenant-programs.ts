import { startNodeDaemon } from '../../../runtime/cli/demo/pod-identity.ts';
import { createSettings, type LocalProgram, startProgram } from '../../../runtime/cli/demo/programs/program.ts';
import { startVolumesAgent } from '../../../runtime/cli/demo/volume.ts';
import type { DemoWorld } from '../../../runtime/cli/demo/world.ts';
import type { ProgramName, TenantWorkloads } from './tenant-setup.ts';

/** The programs of the run, and where they listen. */
export interface TenantPrograms {
  readonly programs: Readonly<Record<ProgramName, LocalProgram>>;
  /** Where the node daemon listens. */
  readonly metadata: string;
  readonly agentSocket: string;
}

/** Starts the programs with their roles in Azure, and waits until they are ready. */
export async function startPrograms(
  demo: DemoWorld,
  workloads: TenantWorkloads,
  metricsPorts: Readonly<Record<'nmi' | 'volumes', number>>,
  csiSocket: string,
): Promise<TenantPrograms> {
  const scope = `/subscriptions/${demo.azure.subscriptionId}`;
  await createSettings(demo, workloads.operator, [{ role: 'Owner', scope }]);
  await createSettings(demo, workloads.identity, [
    { role: 'Virtual Machine Contributor', scope },
    { role: 'Managed Identity Operator', scope },
  ]);
  const [operator, identity, daemon] = await Promise.all([
    startProgram(demo, workloads.operator),
    startProgram(demo, workloads.identity),
    startNodeDaemon(demo, workloads.nmi, [`--metrics-port=${metricsPorts.nmi}`]),
  ]);
  const agent = await startVolumesAgent(demo, workloads.volumes, daemon, {
    args: [`--csi-socket=${csiSocket}`, `--metrics-port=${metricsPorts.volumes}`],
  });
  const programs = { operator, identity, nmi: daemon.nmi, volumes: agent.program };
  await Promise.all(Object.values(programs).map((program) => program.ready()));
  return { programs, metadata: daemon.metadata, agentSocket: agent.socket };
}
