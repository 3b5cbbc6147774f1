import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resourceTypes } from '../../../runtime/api/kinds.ts';
import { Applier, definitionsEstablished, readManifests } from '../../../runtime/cli/demo/apply.ts';
import { startNodeDaemon } from '../../../runtime/cli/demo/pod-identity.ts';
import { makeClusterNode, NODE_GROUP } from '../../../runtime/cli/demo/pods/cluster-node.ts';
import { podSpecOf } from '../../../runtime/cli/demo/pods/local-container.ts';
import { createSettings, type LocalProgram, startProgram } from '../../../runtime/cli/demo/programs/program.ts';
import { run } from '../../../runtime/cli/demo/programs/run.ts';
import { fillVault } from '../../../runtime/cli/demo/vault-objects.ts';
import { startVolumesAgent } from '../../../runtime/cli/demo/volume.ts';
import type { DemoWorld } from '../../../runtime/cli/demo/world.ts';
import { podsType } from '../../../runtime/identity/objects.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { until } from '../../operator/support.ts';
import { TestClient } from '../../sandbox/azure/client.ts';

/** The namespaces of the two tenants, and the names of their resource groups. */
export const [good, hostile] = ['good', 'hostile'] as const;

const programNames = ['operator', 'identity', 'nmi', 'volumes'] as const;
type ProgramName = (typeof programNames)[number];

const kinds = ['resources', 'storage', 'managedidentity', 'authorization', 'keyvault'].map(
  (name) => `${name}.azure.com`,
);

/** Kinds of the profile that a tenant has no rights on. */
const withheld = ['azurepodidentityexceptions', 'azureassignedidentities'];

/** An identity in Azure, as an AzureIdentity names it. */
export interface AzureIdentityIds {
  readonly id: string;
  readonly clientId: string;
  readonly principalId: string;
}

/**
 * Two tenants with a namespace and a resource group each, under the multi-tenant profile: the manifests' own roles, and
 * operator, identity controller, node daemon and volume agent as processes.
 */
export class TenantWorld implements AsyncDisposable {
  readonly azure: EmbeddedAzure;
  readonly admin: KubeClient;
  /** With the rights of somebody who may write the hostile namespace. */
  readonly tenant: KubeClient;
  readonly portal: TestClient;
  readonly programs: Readonly<Record<ProgramName, LocalProgram>>;
  /** Where the node daemon listens. */
  readonly metadata: string;
  readonly agentSocket: string;
  readonly vault = 'azimuth-good';
  readonly identities: Readonly<Record<typeof good | typeof hostile | 'kubelet', AzureIdentityIds>>;
  /** ARM id of the scale set of the node. */
  readonly scaleSet: string;
  /** How programs ended that should run on. */
  readonly ends: string[] = [];
  readonly #demo: DemoWorld;
  readonly #stack: AsyncDisposableStack;
  readonly #stop: AbortController;
  #pods = 10;

  private constructor(
    parts: Pick<TenantWorld, 'azure' | 'admin' | 'tenant' | 'portal' | 'programs' | 'metadata'> &
      Pick<TenantWorld, 'agentSocket' | 'identities' | 'scaleSet'> & {
        readonly demo: DemoWorld;
        readonly stack: AsyncDisposableStack;
        readonly stop: AbortController;
      },
  ) {
    ({ azure: this.azure, admin: this.admin, tenant: this.tenant, portal: this.portal } = parts);
    ({ programs: this.programs, metadata: this.metadata, agentSocket: this.agentSocket } = parts);
    ({ identities: this.identities, scaleSet: this.scaleSet } = parts);
    this.#demo = parts.demo;
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
      const kube = await startEmbeddedKube();
      stack.defer(() => kube.close());
      const azure = await startEmbeddedAzure({
        caFile: join(directory, 'azure-ca.crt'),
        issuerCas: [kube.caPem],
        arm: { operationMs: 50 },
      });
      stack.defer(() => azure.close());
      // Throttling by Azure would be felt by both tenants and say nothing of the programs.
      for (const bucket of Object.values(azure.throttle.limits))
        Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
      azure.throttle.reset();
      const connect = async (name: string, kubeconfig: string) => {
        await writeFile(join(directory, name), kubeconfig, { mode: 0o600 });
        const client = createKubeClient(loadKubeConnection({ kubeconfig: join(directory, name) }));
        stack.defer(() => client.close());
        return client;
      };
      const admin = await connect('admin.kubeconfig', kube.adminKubeconfig);
      const atEnd = (close: () => Promise<void>) => stack.defer(close);
      const progress = {
        step: <T>(_: string, work: (note: () => void) => Promise<T>) => work(() => {}),
        line: () => {},
      };
      const node = { name: 'node', ip: '127.10.0.1' };
      const applier = new Applier(admin);
      const demo = { progress, directory, signal: stop.signal, kube, azure, client: admin, applier, node, atEnd };
      const workloads = await applyManifests(demo);
      for (const name of [good, hostile]) {
        await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as KubeObject);
      }
      await grantTenant(admin);
      const tenant = await connect(
        'tenant.kubeconfig',
        await kube.kubeconfigFor({ namespace: hostile, name: 'tenant' }),
      );
      const portal = new TestClient(azure);
      stack.defer(() => portal.close());
      const subscription = `/subscriptions/${azure.subscriptionId}`;
      const scaleSet = await makeClusterNode(demo);
      for (const group of [good, hostile])
        await put(portal, `${subscription}/resourceGroups/${group}`, '2021-04-01', {});
      const identityOf = async (group: string, name: string): Promise<AzureIdentityIds> => {
        const id = `${subscription}/resourceGroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
        const { properties } = await put(portal, id, '2023-01-31', {});
        return { id, clientId: properties.clientId, principalId: properties.principalId };
      };
      const identities = {
        good: await identityOf(good, 'app'),
        hostile: await identityOf(hostile, 'app'),
        kubelet: await identityOf(NODE_GROUP, 'kubelet'),
      };
      const kubelet = { type: 'UserAssigned', userAssignedIdentities: { [identities.kubelet.id]: {} } };
      await put(portal, scaleSet, '2022-03-01', { identity: kubelet });
      for (const name of [good, hostile]) {
        const vaultId = `${subscription}/resourceGroups/${name}/providers/Microsoft.KeyVault/vaults/azimuth-${name}`;
        const sku = { family: 'A', name: 'standard' };
        const properties = { tenantId: azure.tenantId, enableRbacAuthorization: true, sku };
        await put(portal, vaultId, '2023-07-01', { properties });
        azure.assignRole(identities[name].principalId, 'Key Vault Administrator', vaultId);
        await fillVault(demo, `azimuth-${name}`, vaultId);
      }
      // 25 KB of certificates: what the hostile tenant has read as PEM, many times.
      const chain = azure.caPem.repeat(Math.floor(25_000 / azure.caPem.length));
      const token = await portal.token('https://vault.azure.net/.default');
      const secret = `https://azimuth-${hostile}.${azure.endpoints.vaultSuffix}/secrets/chain?api-version=7.4`;
      const stored = await portal.send('PUT', secret, { token, body: { value: chain } });
      if (stored.status > 299) throw new Error(`PUT ${secret}: ${stored.status} ${stored.text}`);

      await createSettings(demo, workloads.operator, [{ role: 'Owner', scope: subscription }]);
      await createSettings(demo, workloads.identity, [
        { role: 'Virtual Machine Contributor', scope: subscription },
        { role: 'Managed Identity Operator', scope: subscription },
      ]);
      const [operator, identity, daemon] = await Promise.all([
        startProgram(demo, workloads.operator),
        startProgram(demo, workloads.identity),
        startNodeDaemon(demo, workloads.nmi),
      ]);
      const agent = await startVolumesAgent(demo, workloads.volumes, { identity, ...daemon });
      const programs = { operator, identity, nmi: daemon.nmi, volumes: agent.program };
      await Promise.all(Object.values(programs).map((program) => program.ready()));
      const { metadata } = daemon;
      const parts = { azure, admin, tenant, portal, programs, metadata, agentSocket: agent.socket };
      return new TenantWorld({ ...parts, identities, scaleSet, demo, stack, stop });
    } catch (error) {
      await stack.disposeAsync();
      throw error;
    }
  }

  /** ARM id of something in a tenant's resource group. */
  armId(group: string, rest = ''): string {
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}${rest}`;
  }

  /** A pod that runs on the node: kubelet's part of it has the rights of the cluster. */
  async runPod(
    namespace: string,
    name: string,
    label: string,
  ): Promise<{ readonly ip: string; readonly pod: KubeObject }> {
    const ip = `127.10.1.${++this.#pods}`;
    const nodeName = this.#demo.node.name;
    const metadata = { namespace, name, labels: { aadpodidbinding: label } };
    const spec = { nodeName, containers: [{ name: 'main', image: 'none' }] };
    const pod = await this.admin.create(podsType, { apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject);
    const status = { phase: 'Running', hostIP: this.#demo.node.ip, podIP: ip, podIPs: [{ ip }] };
    return { ip, pod: await this.admin.replace(podsType, { ...pod, status } as KubeObject, { subresource: 'status' }) };
  }

  /** Resident megabytes of each program. */
  async memory(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const name of programNames) {
      const answer = await fetch(`${this.programs[name].health}/metrics`).catch(() => undefined);
      const bytes = /^process_resident_memory_bytes (\S+)/m.exec((await answer?.text()) ?? '')?.[1];
      found[name] = Math.round(Number(bytes ?? Number.NaN) / 1_000_000);
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

const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};

// biome-ignore lint/suspicious/noExplicitAny: bodies of many types
async function put(portal: TestClient, id: string, version: string, body: object): Promise<any> {
  const answer = await until('no operation is in the way', async () => {
    const sent = await portal.arm('PUT', id, version, { location: 'westeurope', ...body });
    return sent.status === 409 ? undefined : sent;
  });
  if (answer.status > 299) throw new Error(`PUT ${id}: ${answer.status} ${answer.text}`);
  const done = async () =>
    /^(Succeeded|undefined)$/.test(String((await portal.arm('GET', id, version)).body.properties?.provisioningState));
  await until(`${id} is there`, done);
  return answer.body;
}

/** Synthesizes and applies the manifests, and gives the programs' workloads with the flags of the profile. */
async function applyManifests({
  directory,
  signal,
  client,
  applier,
  azure,
}: DemoWorld): Promise<Record<ProgramName, KubeObject>> {
  const env = {
    AZIMUTH_PROGRAMS: 'operator;pod-identity;key-vault-volumes',
    AZIMUTH_KINDS: [...kinds, 'azimuth.dev'].map((group) => `${group}/*`).join(';'),
    AZIMUTH_VERSIONS: 'newest',
  };
  const output = join(directory, 'dist');
  await run(['node', 'main.ts'], { cwd: process.cwd(), env: { ...env, CDK8S_OUTDIR: output }, signal });
  const names = (await readdir(output)).filter((name) => name.endsWith('.k8s.yaml')).sort();
  const objects = await readManifests(names.map((name) => join(output, name)));
  for (const object of objects) await applier.apply(object);
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );
  const scopes = [good, hostile]
    .map((name) => `${name}=/subscriptions/${azure.subscriptionId}/resourceGroups/${name}`)
    .join(';');
  const profile = [
    { name: 'AZIMUTH_MULTI_TENANT', value: 'true' },
    { name: 'AZIMUTH_IDENTITY_SCOPES', value: scopes },
  ];
  return Object.fromEntries(
    programNames.map((name) => {
      const workload = objects.find(
        ({ kind, metadata }) => /^(Deployment|DaemonSet)$/.test(kind) && metadata.name === `azimuth-${name}`,
      );
      if (!workload) throw new Error(`The manifests have no workload azimuth-${name}`);
      const container = podSpecOf(workload).containers[0];
      container.env = [...(container.env ?? []), ...profile];
      if (name === 'operator') container.args.push(`--operator-credential-scopes=${scopes}`);
      return [name, workload];
    }),
  ) as Record<ProgramName, KubeObject>;
}

/** Lets the account `tenant` write all of the hostile namespace except the kinds that the profile withholds. */
async function grantTenant(admin: KubeClient): Promise<void> {
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true } as const;
  const metadata = { namespace: hostile, name: 'tenant' };
  const account: ResourceType = {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
  };
  const identities = resourceTypes.filter(
    ({ group, plural }) => group === 'aadpodidentity.k8s.io' && !withheld.includes(plural),
  );
  const rules = [
    { apiGroups: ['', 'azimuth.dev', 'secrets-store.csi.x-k8s.io', ...kinds], resources: ['*'], verbs: ['*'] },
    { apiGroups: ['aadpodidentity.k8s.io'], resources: identities.map(({ plural }) => plural), verbs: ['*'] },
  ];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: rbac.group, kind: 'Role', name: 'tenant' };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  await admin.create(account, { apiVersion: 'v1', kind: 'ServiceAccount', metadata } as KubeObject);
  await admin.create({ ...rbac, plural: 'roles', kind: 'Role' }, {
    apiVersion,
    kind: 'Role',
    metadata,
    rules,
  } as KubeObject);
  const binding = { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects } as KubeObject;
  await admin.create({ ...rbac, plural: 'rolebindings', kind: 'RoleBinding' }, binding);
}
