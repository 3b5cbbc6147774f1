import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../../runtime/cli/demo/programs/program-process.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { definitionsEstablished, kubectl, takeAway } from '../kubectl.ts';
import { kubeconfigOf } from '../service-account.ts';

/**
 * The operator as the synthesized manifests run it, on the API server that KUBECONFIG names: under the service account
 * and the roles they made, against the embedded Azure.
 */
export interface InstalledOperator {
  readonly azure: EmbeddedAzure;
  readonly logFile: string;
  /**
   * Kills the operator and starts another one, which has the same permissions. The dead one's Lease is deleted, so that
   * the other one works at once, unless the test waits until the Lease is over.
   */
  replace(lease?: 'deleted' | 'over'): Promise<void>;
  /** Stops the operator, which gives its lease back, and starts another one. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** What the operator does beside its kinds. */
export interface InstalledParts {
  /** ManagedSecrets and the gates of their use. @default false */
  readonly machineSecrets?: boolean;
  /** ComputeDeployments. @default false */
  readonly deployments?: boolean;
  /** Checks of deployments that are Jobs. @default false */
  readonly gateJobs?: boolean;
  /** Further flags of the operator. @default none */
  readonly flags?: readonly string[];
  /** Values of the embedded Azure. @default those of Azure */
  readonly arm?: NonNullable<Parameters<typeof startEmbeddedAzure>[0]>['arm'];
}

/** Flags for tests of no lease: on a busy machine an operator that loses its lease stops its work, or ends. */
export const longLease = ['--lease-duration=5m', '--renew-deadline=4m'];

const absent = '--ignore-not-found';

/** `kinds` is a pattern as in AZIMUTH_KINDS. */
export async function installOperator(
  kinds: string,
  { machineSecrets = false, deployments = false, gateJobs = false, flags = [], arm = {} }: InstalledParts = {},
): Promise<InstalledOperator> {
  const programs = [...(machineSecrets ? ['machine-secrets'] : []), ...(deployments ? ['deployments'] : [])];
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-cluster-'));
  const manifests = join(directory, 'dist');
  const logFile = join(directory, 'operator.log');
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const synth = spawnSync('node', ['main.ts'], {
    env: {
      ...process.env,
      AZIMUTH_KINDS: kinds,
      AZIMUTH_PROGRAMS: ['operator', ...programs].join(';'),
      AZIMUTH_GATE_JOBS: String(gateJobs),
      CDK8S_OUTDIR: manifests,
      KUBERNETES_VERSION: `${major}.${minor}`,
    },
    encoding: 'utf8',
  });
  if (synth.status !== 0) throw new Error(synth.stderr);
  await kubectl(['apply', '-f', manifests]);
  await definitionsEstablished(manifests);
  const azure = await startEmbeddedAzure({ arm });
  const parts = [...programs, ...(gateJobs ? ['gate-jobs'] : [])];
  const args = [`--kinds=${kinds}`, ...parts.map((name) => `--${name}`), ...flags];
  let operator = await startOperator(azure, directory, logFile, args);
  const restart = async () => {
    await operator.stop();
    operator = await startOperator(azure, directory, logFile, args);
  };
  return {
    azure,
    logFile,
    async replace(lease = 'deleted') {
      if (operator.pid !== undefined) process.kill(operator.pid, 'SIGKILL');
      await operator.stop();
      if (lease === 'deleted') await kubectl(['delete', 'lease', 'azimuth-operator', '-n', 'azimuth-system', absent]);
      await restart();
    },
    restart,
    async remove() {
      await operator.stop();
      await azure.close();
      await takeAway(manifests);
      rmSync(directory, { recursive: true });
    },
  };
}

async function startOperator(
  azure: EmbeddedAzure,
  directory: string,
  logFile: string,
  args: readonly string[],
): Promise<ProgramProcess> {
  const kubeconfig = await kubeconfigOf('azimuth-operator', directory);
  const env = {
    ...azure.env(),
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: 'azimuth-system',
    NO_PROXY: 'localhost,127.0.0.1',
    AZIMUTH_INSTANCES_READ_PERIOD: '1s',
  };
  const healthPort = await freePort();
  const started = new ProgramProcess(
    ['operator', `--health-port=${healthPort}`, '--log-level=debug', ...args],
    env,
    logFile,
  );
  await started.ready(healthPort);
  return started;
}
