import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Applier } from '../../../runtime/cli/demo/apply.ts';
import { startNodeDaemon } from '../../../runtime/cli/demo/pod-identity.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import type { LocalProgram } from '../../../runtime/cli/demo/programs/program.ts';
import type { ProgramProcess } from '../../../runtime/cli/demo/programs/program-process.ts';
import { type AgentSettings, startVolumesAgent, type VolumesAgent } from '../../../runtime/cli/demo/volume.ts';
import type { DemoWorld, ProgramResources } from '../../../runtime/cli/demo/world.ts';
import { podsType } from '../../../runtime/identity/objects.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { bearerToken } from '../../../runtime/kube/config/credentials.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { type RemoteAzure, startSandboxProcess } from '../../sandbox/sandbox-process.ts';
import { ChildJobs } from './child-jobs.ts';
import type { MeterInput, MeterOutput } from './good-meter.ts';
import type { KubeletJob, KubeletResult } from './kubelet.ts';
import { MetricsPages } from './metrics-pages.ts';
import { NodeGroups } from './node-groups.ts';
import { fillAzure, type TenantIdentities } from './tenant-azure.ts';
import { startPrograms } from './tenant-programs.ts';
import {
  applyManifests,
  good,
  grantTenant,
  hostile,
  namespaces,
  type ProgramName,
  programNames,
  type TenantWorkloads,
} from './tenant-setup.ts';

/**
 * Two tenants with a namespace and a resource group each, under the multi-tenant profile: the manifests' own roles, and
 * operator, identity controller, node daemon and volume agent as processes.
 */
export class TenantWorld implements AsyncDisposable {
  readonly azure: RemoteAzure;
  readonly admin: KubeClient;
  /** File of a kubeconfig with the rights of `admin`. */
  readonly kubeconfig: string;
  /** With the rights of somebody who may write the hostile namespace. */
  readonly tenant: KubeClient;
  readonly tenantToken: string;
  readonly portal: TestClient;
  readonly programs: Readonly<Record<ProgramName, LocalProgram>>;
  readonly metrics: MetricsPages;
  /** Where the node daemon listens. */
  readonly metadata: string;
  readonly agentSocket: string;
  /** Where the volume agent serves the CSI driver. */
  readonly csiSocket: string;
  /** Measures what the good tenant feels. */
  readonly meter: ChildJobs<MeterInput, MeterOutput>;
  /** Mounts volumes of the hostile tenant. */
  readonly kubelet: ChildJobs<KubeletJob, KubeletResult>;
  /** Processors and memory of everything that runs. */
  readonly groups: NodeGroups;
  readonly vault = 'azimuth-good';
  readonly identities: TenantIdentities;
  /** Address of the good tenant's pod, once it has settled in. */
  goodPod = '';
  /** ARM id of the scale set of the node. */
  readonly scaleSet: string;
  /** How programs ended that should run on. */
  readonly ends: string[] = [];
  readonly #demo: DemoWorld;
  readonly #workloads: TenantWorkloads;
  readonly #sandbox: ProgramProcess;
  readonly #stack: AsyncDisposableStack;
  readonly #stop: AbortController;
  #pods = 10;

  private constructor(
    parts: Pick<TenantWorld, 'azure' | 'admin' | 'kubeconfig' | 'tenant' | 'portal' | 'programs' | 'metadata'> &
      Pick<TenantWorld, 'agentSocket' | 'csiSocket' | 'meter' | 'kubelet' | 'groups' | 'identities' | 'scaleSet'> &
      Pick<TenantWorld, 'metrics' | 'tenantToken'> & {
        readonly demo: DemoWorld;
        readonly workloads: TenantWorkloads;
        readonly sandbox: ProgramProcess;
        readonly stack: AsyncDisposableStack;
        readonly stop: AbortController;
      },
  ) {
    ({
      azure: this.azure,
      admin: this.admin,
      kubeconfig: this.kubeconfig,
      tenant: this.tenant,
      portal: this.portal,
    } = parts);
    ({
      programs: this.programs,
      metadata: this.metadata,
      agentSocket: this.agentSocket,
      csiSocket: this.csiSocket,
    } = parts);
    ({ meter: this.meter, kubelet: this.kubelet, groups: this.groups } = parts);
    ({ identities: this.identities, scaleSet: this.scaleSet } = parts);
    ({ metrics: this.metrics, tenantToken: this.tenantToken } = parts);
    this.#demo = parts.demo;
    this.#workloads = parts.workloads;
    this.#sandbox = parts.sandbox;
    this.#stack = parts.stack;
    this.#stop = parts.stop;
    for (const name of programNames) {
      this.programs[name].process.failure(this.#stop.signal).catch((error: Error) => {
        if (!this.#stop.signal.aborted) this.ends.push(`${name}: ${error.message}`);
      });
    }
  }

  static async start(): Promise<TenantWorld> {
    const stack = new AsyncDisposableStack();
    const stop = new AbortController();
    const directory = await mkdtemp(join(tmpdir(), 'azimuth-tenant-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    try {
      const groups = new NodeGroups();
      stack.defer(async () => groups.remove());
      groups.enterBestEffort();
      const sandbox = await startSandboxProcess(join(directory, 'sandbox'), 50, {
        launcher: groups.launcher('elsewhere'),
      });
      stack.defer(() => sandbox.process.stop());
      const { azure } = sandbox;
      const connection = loadKubeConnection({ kubeconfig: sandbox.kubeconfig });
      const url = connection.server;
      const kube = { url, caPem: connection.ca?.read() ?? '', issuerUrl: url };
      const admin = createKubeClient(connection);
      stack.defer(() => admin.close());
      const atEnd = (close: () => Promise<void>) => stack.defer(close);
      const progress = {
        step: <T>(_: string, work: (note: () => void) => Promise<T>) => work(() => {}),
        line: () => {},
      };
      const node = { name: 'node', ip: '127.10.0.1' };
      const applier = new Applier(admin);
      // What the image runs, which takes less memory and time than the sources.
      const program = 'dist/image/azimuth.mjs';
      const launcher = (name: string, resources: ProgramResources) => groups.podLauncher(name, resources);
      const demo = {
        program,
        launcher,
        progress,
        directory,
        signal: stop.signal,
        kube,
        azure,
        client: admin,
        applier,
        node,
        atEnd,
      };
      const workloads = await applyManifests(demo);
      for (const name of [good, hostile]) {
        await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as KubeObject);
      }
      const token = await grantTenant(admin);
      const credential = bearerToken({ read: () => token, refresh: () => undefined });
      const tenant = createKubeClient({ ...connection, credential });
      stack.defer(() => tenant.close());
      const portal = new TestClient(azure);
      stack.defer(() => portal.close());
      const filled = await fillAzure(demo, azure, portal);
      const ports = { nmi: await freePort(), volumes: await freePort() };
      const csiSocket = join(directory, 'csi', 'azure.sock');
      const { programs, ...sockets } = await startPrograms(demo, workloads, ports, csiSocket);
      const metrics = await MetricsPages.start(admin, ports, (name) => programs[name].health);
      const { kubeconfig } = sandbox;
      const parts = {
        azure,
        admin,
        kubeconfig,
        tenant,
        tenantToken: token,
        portal,
        programs,
        metrics,
        ...filled,
        ...sockets,
        csiSocket,
        groups,
        meter: await ChildJobs.start<MeterInput, MeterOutput>(
          new URL('./good-meter.ts', import.meta.url),
          groups.launcher('elsewhere'),
          atEnd,
        ),
        kubelet: await ChildJobs.start<KubeletJob, KubeletResult>(
          new URL('./kubelet.ts', import.meta.url),
          groups.launcher('kubelet'),
          atEnd,
        ),
      };
      return new TenantWorld({
        ...parts,
        demo,
        workloads,
        sandbox: sandbox.process,
        stack,
        stop,
      });
    } catch (error) {
      await stack.disposeAsync();
      throw error;
    }
  }

  /** ARM id of something in a tenant's resource group. */
  armId(group: string, rest = ''): string {
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}${rest}`;
  }

  /** A pod that runs on the node, with a free address unless one is given; kubelet's part of it has the rights of the cluster. */
  async runPod(
    namespace: string,
    name: string,
    label: string,
    ip = `127.10.1.${++this.#pods}`,
  ): Promise<{ readonly ip: string; readonly pod: KubeObject }> {
    const nodeName = this.#demo.node.name;
    const metadata = { namespace, name, labels: { aadpodidbinding: label } };
    const spec = { nodeName, containers: [{ name: 'main', image: 'none' }] };
    const pod = await this.admin.create(podsType, { apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject);
    const status = { phase: 'Running', hostIP: this.#demo.node.ip, podIP: ip, podIPs: [{ ip }] };
    return { ip, pod: await this.admin.replace(podsType, { ...pod, status } as KubeObject, { subresource: 'status' }) };
  }

  /** The uid of a pod of the hostile tenant. */
  async uidOf(name: string): Promise<string> {
    return (await this.admin.get(podsType, { namespace: hostile, name })).metadata.uid ?? '';
  }

  /** Another agent of the node, with a node daemon at a socket of its own. */
  async startAgent(hostSocket: string, settings: AgentSettings): Promise<VolumesAgent> {
    const directory = await this.newDirectory();
    const agent = await startVolumesAgent(
      { ...this.#demo, directory },
      this.#workloads.volumes,
      { hostSocket },
      settings,
    );
    await agent.program.ready();
    return agent;
  }

  /** Another daemon of the node, with additional arguments. */
  async startDaemon(args: readonly string[]): ReturnType<typeof startNodeDaemon> {
    const directory = await this.newDirectory();
    const daemon = await startNodeDaemon({ ...this.#demo, directory }, this.#workloads.nmi, args);
    await daemon.nmi.ready();
    return daemon;
  }

  /** A new directory, which is removed when the run ends. */
  newDirectory(): Promise<string> {
    return mkdtemp(join(this.#demo.directory, 'more-'));
  }

  /** Registers what is to be closed when the run ends. */
  atEnd(close: () => Promise<void>): void {
    this.#demo.atEnd(close);
  }

  /** Resident megabytes of each program. */
  async memory(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const name of programNames) {
      const text = await this.metrics.text(name).catch(() => '');
      const bytes = /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1];
      found[name] = Math.round(Number(bytes ?? Number.NaN) / 1_000_000);
    }
    return found;
  }

  /**
   * Seconds of a processor that each process used since its start, and that its main thread waited for one, as Linux
   * counts them. The hostile pods are this process.
   */
  async processors(): Promise<Record<string, { readonly used: number; readonly waited: number }>> {
    const found: Record<string, { readonly used: number; readonly waited: number }> = {};
    const { meter, kubelet } = this;
    const programs = programNames.map((name) => [name, this.programs[name].process] as const);
    const others = { sandbox: this.#sandbox, kubelet, meter, 'hostile pods': process };
    for (const [name, { pid }] of [...programs, ...Object.entries(others)]) {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // After the name: utime and stime are the 14th and 15th field, in hundredths of a second.
      const [user, system] = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      const [, waited = 0] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ').map(Number);
      found[name] = { used: (Number(user) + Number(system)) / 100, waited: waited / 1e9 };
    }
    return found;
  }

  /** What a program logged so far. */
  log(name: ProgramName): Promise<string> {
    return readFile(this.programs[name].process.logFile, 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the scenario has ended'));
    await this.#stack.disposeAsync();
  }
}
