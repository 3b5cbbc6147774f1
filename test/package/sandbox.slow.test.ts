/**
 * The example of the guide from nothing to a pod that is signed in: synthesized by the installed package, applied to the
 * sandbox of the package, with the programs of the package under their service accounts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { Applier, definitionsEstablished, readManifests } from '../../runtime/cli/demo/apply.ts';
import { startPodIdentity } from '../../runtime/cli/demo/pod-identity.ts';
import { type LocalPod, startLocalPod } from '../../runtime/cli/demo/pods/local-pod.ts';
import { createSettings, startProgram } from '../../runtime/cli/demo/programs/program.ts';
import { fillVault } from '../../runtime/cli/demo/vault-objects.ts';
import { mountCallOf, startVolumesAgent } from '../../runtime/cli/demo/volume.ts';
import type { DemoWorld } from '../../runtime/cli/demo/world.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { askAgent } from '../../runtime/volumes/driver/agent-client.ts';
import { eventually } from '../fakes/eventually.ts';
import { condition } from '../operator/support.ts';
import { startSandboxProcess } from '../sandbox/sandbox-process.ts';
import { compile, projectWithAzimuth, repositoryCompiler, run } from './installed-package.ts';

const limitMs = 120_000;
/** What stands in the example for the reader's tenant. */
const exampleTenant = '00000000-0000-0000-0000-000000000000';
const directory = mkdtempSync(join(tmpdir(), 'azimuth-package-sandbox-'));
const project = join(directory, 'app');
const program = join(project, 'node_modules', '.bin', 'azimuth');
const application = fileURLToPath(new URL('../nmi/network/sdk.ts', import.meta.url));
const ends = new AsyncDisposableStack();
let world: DemoWorld;
let objects: KubeObject[];
let pod: LocalPod;
let agentSocket: string;
let metadata: string;

const named = (kind: string, name: string): KubeObject => {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`the manifests have no ${kind} ${name}`);
  return found;
};

beforeAll(async () => {
  await projectWithAzimuth(project, 'module');
  compile(project, 'docs/guides/using-the-package/shop.ts', repositoryCompiler, { module: 'nodenext' });
  run(process.execPath, ['built/shop.js'], project);
  const sandbox = await startSandboxProcess(join(directory, 'sandbox'), 100, { bin: program });
  ends.defer(() => sandbox.process.stop());
  const { azure, kubeconfig } = sandbox;
  const connection = loadKubeConnection({ kubeconfig });
  const client = createKubeClient(connection);
  ends.defer(() => client.close());
  const { server: url } = connection;
  world = {
    ...{ directory, azure, client, program },
    progress: { step: (_, work) => work(() => {}), line: () => {} },
    signal: new AbortController().signal,
    kube: { url, caPem: connection.ca?.read() ?? '', issuerUrl: url },
    applier: new Applier(client),
    node: { name: 'node', ip: '127.10.0.1' },
    atEnd: (close) => ends.defer(close),
  };
  const shop = join(project, 'dist', '0002-shop.k8s.yaml');
  writeFileSync(shop, readFileSync(shop, 'utf8').replaceAll(exampleTenant, azure.tenantId));
  objects = await readManifests(globSync(join(project, 'dist', '*.yaml')).sort());
}, 300_000);

afterAll(async () => {
  await ends.disposeAsync();
  rmSync(directory, { recursive: true, force: true });
});

test('the manifests of the example apply, and the programs of the package start from them', async () => {
  const { applier, azure, client } = world;
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  for (const definition of definitions) await applier.apply(definition);
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );
  for (const object of objects) if (!definitions.includes(object)) await applier.apply(object);
  const owner = { role: 'Owner', scope: `/subscriptions/${azure.subscriptionId}` };
  await createSettings(world, named('Deployment', 'azimuth-operator'), [owner]);
  const operator = await startProgram(world, named('Deployment', 'azimuth-operator'));
  const daemon = named('DaemonSet', 'azimuth-nmi');
  const podIdentity = await startPodIdentity(world, named('Deployment', 'azimuth-identity'), daemon, 'shop');
  const agent = await startVolumesAgent(world, named('DaemonSet', 'azimuth-volumes'), podIdentity);
  await Promise.all([operator, podIdentity.identity, podIdentity.nmi, agent.program].map((each) => each.ready()));
  ({ metadata } = podIdentity);
  agentSocket = agent.socket;
}, 180_000);

test('account, vault, identity and both roles of the example become Ready in Azure', async () => {
  const { applier, client } = world;
  const resources = objects.filter(({ apiVersion }) => apiVersion.includes('.azure.com/'));
  expect(resources.map(({ kind }) => kind).sort()).toEqual([
    'ResourceGroup',
    'RoleAssignment',
    'RoleAssignment',
    'StorageAccount',
    'UserAssignedIdentity',
    'Vault',
  ]);
  for (const object of resources) {
    const { namespace = 'default', name } = object.metadata;
    const type = await applier.typeOf(object);
    const isReady = async () => condition(await client.get(type, { namespace, name }))?.status === 'True';
    await eventually(`${object.kind} ${name} is Ready`, isReady, limitMs);
  }
}, 300_000);

test('a pod of the example runs, and is signed in as its identity', async () => {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.namespace === 'default');
  const { template } = deployment?.['spec'] ?? {};
  // In the place of the example's image, which nobody has built.
  const containers = [{ ...template.spec.containers[0], command: ['node', application] }];
  pod = await startLocalPod(
    world,
    {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { ...template.metadata, namespace: 'default', name: 'pods-0' },
      spec: { ...template.spec, containers },
    },
    '127.10.0.21',
  );
  const type = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));
  const { status } = await world.client.get(type, { namespace: 'default', name: 'web' });
  expect((await pod.run(metadata)).trim()).toBe((status as { clientId: string }).clientId);
}, 180_000);

test('the pod has the secret of the vault as a file, by the role that the example gives its identity', async () => {
  const { subscriptionId } = world.azure;
  const vault = `/subscriptions/${subscriptionId}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/shop-web`;
  await fillVault(world, 'shop-web', vault);
  const { files } = await askAgent(mountCallOf(pod.pod), {
    socket: agentSocket,
    timeoutMs: limitMs,
    signal: world.signal,
  });
  expect(files.map((file) => file.name)).toEqual(['web']);
}, 180_000);
