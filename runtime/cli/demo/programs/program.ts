import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { adminRequest } from '../../../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../../../sandbox/azure/apps.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { podSpecOf, resolveContainer } from '../pods/local-container.ts';
import type { DemoWorld, ProgramResources } from '../world.ts';
import { freePort } from './free-port.ts';
import { ProgramProcess } from './program-process.ts';

const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** A running program of the manifests. */
export interface LocalProgram {
  readonly process: ProgramProcess;
  /** Base URL of its health and metrics. */
  readonly health: string;
  /** The name of its service account in RBAC. */
  readonly account: string;
  /** Resolves when it is ready. */
  ready(): Promise<void>;
}

/** The part of a container that has its name, its CPU request, such as 50m, and its memory, such as 240Mi. */
interface ContainerHead {
  readonly name: string;
  readonly resources?: {
    readonly requests?: { readonly cpu?: string };
    readonly limits?: { readonly memory?: string };
  };
}

/** Changes to how the manifests start a program. */
export interface ProgramSettings {
  /** Additional arguments and environment variables. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the first container of a Deployment or DaemonSet of the manifests as a process on this computer: with its
 * arguments, environment, service account and permissions. It is stopped when the demonstration ends.
 */
export async function startProgram(
  { client, kube, azure, directory, node, program, launcher, atEnd }: DemoWorld,
  workload: KubeObject,
  settings: ProgramSettings = {},
): Promise<LocalProgram> {
  const head = podSpecOf(workload).containers[0] as ContainerHead;
  const { name } = head;
  const container = await resolveContainer(client, workload, join(directory, name), node);
  const kubeconfig = join(directory, `${name}.kubeconfig`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'sandbox', user: name } }],
    clusters: [
      {
        name: 'sandbox',
        cluster: { server: kube.url, 'certificate-authority-data': Buffer.from(kube.caPem).toString('base64') },
      },
    ],
    users: [{ name, user: { tokenFile: container.hostPath(TOKEN_FILE) } }],
  };
  await writeFile(kubeconfig, stringify(config), { mode: 0o600 });
  const healthPort = await freePort();
  // The health port is on the loopback address, so the metrics may be there too.
  const args = container.args.map((arg) =>
    arg
      .replace(/^--health-port=\d+$/, `--health-port=${healthPort}`)
      .replace(/^--metrics-port=\d+$/, '--metrics-port=off'),
  );
  const process = new ProgramProcess(
    [...args, '--health-address=127.0.0.1', ...(settings.args ?? [])],
    {
      ...container.env,
      ...settings.env,
      KUBECONFIG: kubeconfig,
      NODE_EXTRA_CA_CERTS: azure.caFile,
      NO_PROXY: 'localhost,127.0.0.1',
    },
    join(directory, `${name}.log`),
    { bin: program, launcher: launcher?.(name, resourcesOf(head)) ?? [] },
  );
  atEnd(() => process.stop());
  const health = `http://127.0.0.1:${healthPort}`;
  return { process, health, account: accountOf(workload), ready: () => process.ready(healthPort) };
}

/**
 * Creates the settings that `pulumi up` or a platform engineer provides: ids, roles, and trust in the program's
 * service account.
 */
export async function createSettings(
  { client, kube, azure }: DemoWorld,
  workload: KubeObject,
  roles: readonly { readonly role: string; readonly scope: string }[],
): Promise<void> {
  const { namespace, name } = workload.metadata;
  const app = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', {
    displayName: name,
    secret: null,
    federated: [{ issuer: kube.issuerUrl, subject: accountOf(workload), audiences: ['api://AzureADTokenExchange'] }],
    roles,
  });
  const { NODE_EXTRA_CA_CERTS: _, AZURE_POD_IDENTITY_AUTHORITY_HOST: __, ...settings } = azure.env(app);
  await client.create(secretsType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: podSpecOf(workload).containers[0].envFrom[0].secretRef.name, namespace },
    stringData: settings,
  });
}

function resourcesOf({ resources }: ContainerHead): ProgramResources {
  const cpu = resources?.requests?.cpu ?? '0';
  const number = Number.parseFloat(cpu);
  return {
    milliCpu: cpu.endsWith('m') ? number : number * 1000,
    mebibytes: Number.parseInt(resources?.limits?.memory ?? '', 10),
  };
}

function accountOf(workload: KubeObject): string {
  return `system:serviceaccount:${workload.metadata.namespace}:${podSpecOf(workload).serviceAccountName}`;
}
