import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../../kube/client/types.ts';
import { askAgent } from '../../volumes/driver/agent-client.ts';
import type { MountCall } from '../../volumes/driver/mount-request.ts';
import { readManifests } from './apply.ts';
import type { PodIdentityPrograms } from './pod-identity.ts';
import { startLocalPod } from './pods/local-pod.ts';
import { type LocalProgram, startProgram } from './programs/program.ts';
import { fillVault } from './vault-objects.ts';
import type { DemoWorld } from './world.ts';

const manifest = fileURLToPath(new URL('volume.yaml', import.meta.url));
const VAULT = 'azimuth-photos';
const POD_ADDRESS = '127.10.0.12';
const TIMEOUT_MS = 120_000;

/** The node agent of volumes, started and perhaps not ready yet. */
export interface VolumesAgent {
  readonly program: LocalProgram;
  readonly socket: string;
}

/** Additional arguments of the agent, and members of its settings file. */
export interface AgentSettings {
  readonly args?: readonly string[];
  readonly settings?: object;
}

/** Starts the agent of this node, which requests tokens of pods from the node daemon. */
export async function startVolumesAgent(
  world: DemoWorld,
  daemon: KubeObject,
  { hostSocket }: Pick<PodIdentityPrograms, 'hostSocket'>,
  { args = [], settings: own = {} }: AgentSettings = {},
): Promise<VolumesAgent> {
  const { azure, directory, atEnd } = world;
  // A socket's path must be short.
  const run = await mkdtemp(join(tmpdir(), 'azimuth-'));
  atEnd(() => rm(run, { recursive: true, force: true }));
  const socket = join(run, 'agent.sock');
  const { AZURE_CLIENT_ID: _, AZURE_CLIENT_SECRET: __, ...cloud } = azure.env();
  const settings = join(directory, 'volumes.json');
  await writeFile(settings, JSON.stringify({ environment: cloud, logFile: '', ...own }), { mode: 0o600 });
  const program = await startProgram(world, daemon, {
    args: ['--install=false', `--socket=${socket}`, `--settings=${settings}`, `--nmi-socket=${hostSocket}`, ...args],
  });
  return { program, socket };
}

/** Fills a vault and mounts its objects as files into a pod. */
export async function showVolume(world: DemoWorld, { program, socket }: VolumesAgent): Promise<void> {
  const { progress, azure } = world;
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/photos`;
  await progress.step('Put a secret, a certificate and a key into the vault', async (note) => {
    await fillVault(world, VAULT, `${group}/providers/Microsoft.KeyVault/vaults/${VAULT}`);
    note(`https://${VAULT}.${azure.endpoints.vaultSuffix}`);
  });
  await progress.step('Give them to a pod as files', async (note) => {
    await program.ready();
    const [pod] = await readManifests([manifest], { tenantId: azure.tenantId });
    const local = await startLocalPod(world, pod as KubeObject, POD_ADDRESS);
    const files = await mountAsKubelet(world, local.pod, socket);
    progress.line(`    ${`Volume of Pod ${local.pod.metadata.name}`.padEnd(52)} ${files.join(', ')}`);
    note((await local.run()).trim());
  });
}

/**
 * Acts as the driver when kubelet calls `kv mount DIRECTORY OPTIONS`, but creates no tmpfs and changes no owner of
 * files, which needs root. Returns the names of the files.
 */
async function mountAsKubelet(world: DemoWorld, pod: KubeObject, socket: string): Promise<string[]> {
  const { mountPath } = pod['spec'].containers[0].volumeMounts[0];
  const { files } = await askAgent(mountCallOf(pod), { socket, timeoutMs: TIMEOUT_MS, signal: world.signal });
  const directory = join(world.directory, pod.metadata.name, mountPath);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const file of files) await writeFile(join(directory, file.name), file.content, { mode: file.mode });
  return files.map((file) => file.name);
}

/** The call that the driver makes of kubelet's options for the first volume of a pod. */
export function mountCallOf(pod: KubeObject): MountCall {
  const { name, namespace = '', uid = '' } = pod.metadata;
  const { flexVolume, name: volume } = pod['spec'].volumes[0];
  const document = JSON.stringify({
    ...flexVolume.options,
    'kubernetes.io/pod.name': name,
    'kubernetes.io/pod.namespace': namespace,
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/pvOrVolumeName': volume,
    'kubernetes.io/readwrite': 'rw',
    'kubernetes.io/serviceAccount.name': pod['spec'].serviceAccountName ?? 'default',
  });
  return { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/${volume}`, document };
}
