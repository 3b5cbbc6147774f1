import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { mountPoints } from '../../runtime/volumes/mount/mounts.ts';
import { buildDriver } from '../../tools/build-kv.ts';
import { kubeScripts } from '../../tools/clusters/node-cluster.ts';
import { kubectl, tryKubectl } from '../cluster/kubectl.ts';
import { eventually } from '../fakes/eventually.ts';
import { startVolumeBench, type VolumeBench, vaultName } from '../volumes/support.ts';

/** The node of KUBE_RUN and the embedded Azure. */
export interface NodeBench extends AsyncDisposable {
  readonly volumes: VolumeBench;
  /** kubelet's plugin directory. */
  readonly pluginDirectory: string;
  /** `azimuth flexvolume`: puts the driver on the node, or takes it away. */
  driver(command: 'install' | 'remove'): void;
  /** Starts the node daemon of pod identities, as its DaemonSet would. */
  startNmi(): Promise<void>;
  /** Starts the node agent of volumes, as its DaemonSet would. */
  startAgent(): Promise<void>;
  stopAgent(): Promise<void>;
  /**
   * Ends kubelet and starts another one, at least one of whose pods has a volume; pods live on meanwhile. Resolves when the
   * new kubelet holds such a volume: of a pod deleted before that, kubelet 1.20 leaves what it has not taken up yet.
   */
  restartKubelet(): Promise<void>;
  readonly node: string;
  /** Creates a pod with the volume at /vault and resolves to its uid. */
  create(name: string, pod: PodOptions): Promise<string>;
  /** Resolves when the pod runs; rejects with what `kubectl describe` says otherwise. */
  running(name: string): Promise<void>;
  /** Runs a shell command in the pod. */
  inPod(name: string, command: string): Promise<string>;
  /** Deletes the pod, and resolves when kubelet has released it. */
  remove(name: string, uid: string): Promise<void>;
  /** Mount points on this machine of a pod. */
  mountsOf(uid: string): string[];
}

export interface PodOptions {
  /** Of the flexVolume; tenant and vault are added. */
  readonly options: Readonly<Record<string, string>>;
  readonly secretRef?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export const namespace = 'volumes';
export const group = 2345;
const limitMs = 120_000;

export async function startNodeBench(): Promise<NodeBench> {
  const run = process.env['KUBE_RUN'] ?? '';
  const node = (await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}'])).trim();
  const volumes = await startVolumeBench();
  volumes.settings({ machineIdentities: 'any' });
  const at = (file: string) => join(volumes.directory, file);
  await buildDriver(at('kv'));
  const pluginDirectory = join(run, 'flexvolume');
  const crds = podIdentityKinds.map((kind) => crdManifest(kind, { cel: false }));
  await apply({ apiVersion: 'v1', kind: 'List', items: crds });
  await kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=60s',
    ...crds.map(({ metadata }) => `crd/${metadata.name}`),
  ]);
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await eventually(
    'the namespace has its service account',
    async () => (await kubectl(['-n', namespace, 'get', 'serviceaccounts', '-o', 'name'])).includes('default'),
    limitMs,
  );

  const nmiPort = await freePort();
  const started: ProgramProcess[] = [];
  let agent: ProgramProcess | undefined;
  const start = async (name: string, flags: Record<string, unknown>): Promise<ProgramProcess> => {
    const healthPort = await freePort();
    const health = { 'health-port': healthPort, 'health-address': '127.0.0.1', 'metrics-port': 'off' };
    const all: Record<string, unknown> = { node, ...health, ...flags };
    const args = Object.entries(all).map(([flag, value]) => `--${flag}${value === true ? '' : `=${value}`}`);
    const env = { ...volumes.azure.env(), KUBECONFIG: process.env['KUBECONFIG'] ?? '' };
    const program = new ProgramProcess([name, ...args], env, at(`${name}.log`));
    started.push(program);
    await program.ready(healthPort);
    return program;
  };
  const mountsOf = (uid: string) =>
    mountPoints(readFileSync('/proc/self/mountinfo', 'utf8')).filter((point) => point.includes(`/pods/${uid}/`));
  return {
    volumes,
    node,
    mountsOf,
    pluginDirectory,
    driver(command) {
      const flags = ['--target-dir', pluginDirectory];
      if (command === 'install') flags.push('--once', '--source', at('kv'), '--settings', volumes.settingsFile);
      const { status, stdout, stderr } = spawnSync(
        'node',
        ['runtime/cli/azimuth.ts', 'flexvolume', command, ...flags],
        {
          encoding: 'utf8',
        },
      );
      if (status !== 0) throw new Error(`flexvolume ${command}: ${stdout}${stderr}`);
    },
    async startNmi() {
      await start('nmi', {
        'nmi-port': nmiPort,
        'host-token-file': volumes.hostTokenFile,
        'host-socket': at('nmi.sock'),
        'operation-mode': 'managed',
        forceNamespaced: true,
        iptables: 'off',
        'imds-endpoint': volumes.azure.endpoints.imds,
      });
    },
    async startAgent() {
      agent = await start('volumes', {
        'nmi-socket': at('nmi.sock'),
        socket: at('agent/agent.sock'),
        'target-dir': pluginDirectory,
        source: at('kv'),
        settings: volumes.settingsFile,
        'restart-namespaces': namespace,
      });
    },
    stopAgent: async () => agent?.stop(),
    async restartKubelet() {
      const pid = Number(readFileSync(join(run, 'pid', 'kubelet'), 'utf8'));
      process.kill(pid);
      await eventually('kubelet has ended', () => !existsSync(`/proc/${pid}`), limitMs);
      const child = spawn(join(kubeScripts, 'start-node.sh'), { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`start-node.sh ended with ${code}`);
      const metrics = ['get', '--raw', `/api/v1/nodes/${node}/proxy/metrics`];
      const mounted = /^storage_operation_duration_seconds_count{.*operation_name="volume_mount",.*"azure\/kv"} [1-9]/m;
      const holds = async () => mounted.test((await tryKubectl(metrics)).stdout);
      await eventually('kubelet holds a volume', holds, limitMs);
    },
    async create(name, { options, secretRef, labels = {} }) {
      const driver = {
        driver: 'azure/kv',
        ...(secretRef && { secretRef: { name: secretRef } }),
        options: { tenantid: volumes.azure.tenantId, keyvaultname: vaultName, ...options },
      };
      await apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace, name, labels },
        spec: {
          restartPolicy: 'Never',
          // The pod's only volume is the one under test.
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 0,
          securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: group },
          containers: [
            {
              name: 'main',
              image: 'localhost/busybox:1',
              imagePullPolicy: 'Never',
              command: ['/bin/sh', '-c', 'sleep 3600'],
              volumeMounts: [{ name: 'vault', mountPath: '/vault', readOnly: true }],
            },
          ],
          volumes: [{ name: 'vault', flexVolume: driver }],
        },
      });
      return (await kubectl(['-n', namespace, 'get', 'pod', name, '-o', 'jsonpath={.metadata.uid}'])).trim();
    },
    async running(name) {
      const wait = ['wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s'];
      await kubectl(['-n', namespace, ...wait]).catch(async () => {
        throw new Error(`${name} does not run: ${await kubectl(['-n', namespace, 'describe', 'pod', name])}`);
      });
    },
    inPod: (name, command) => kubectl(['-n', namespace, 'exec', name, '--', '/bin/sh', '-c', command]),
    async remove(name, uid) {
      await kubectl(['-n', namespace, 'delete', 'pod', name, '--timeout=120s']);
      await eventually(`kubelet released ${name}`, () => mountsOf(uid).length === 0, limitMs);
    },
    async [Symbol.asyncDispose]() {
      await kubectl(['delete', 'namespace', namespace, '--timeout=120s']).catch(() => undefined);
      await Promise.all(started.map((program) => program.stop()));
      await volumes[Symbol.asyncDispose]();
    },
  };
}

export async function apply(object: object): Promise<void> {
  await kubectl(['apply', '-f', '-'], JSON.stringify(object));
}
