/**
 * One run of pod identities under the service accounts of the synthesized manifests, on any API server, with every
 * request of the controller and of the node daemon on record.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { App, type Chart } from 'cdk8s';
import { Platform } from '../../constructs/platform.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import { userAssignedIdentitiesType } from '../../runtime/api/pod-identity/identity-reference.ts';
import { Applier, definitionsEstablished } from '../../runtime/cli/demo/apply.ts';
import { startNodeDaemon } from '../../runtime/cli/demo/pod-identity.ts';
import { makeClusterNode, NODE_GROUP } from '../../runtime/cli/demo/pods/cluster-node.ts';
import { secrets, serviceAccounts } from '../../runtime/cli/demo/pods/local-container.ts';
import { startProgram } from '../../runtime/cli/demo/programs/program.ts';
import { createProgress } from '../../runtime/cli/demo/progress.ts';
import type { DemoWorld } from '../../runtime/cli/demo/world.ts';
import {
  assignedType,
  bindingsType,
  identitiesType,
  nodesType,
  podsType,
  secretsType,
} from '../../runtime/identity/objects.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { adminRequest } from '../../sandbox/azure/admin-client.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { namespaces } from '../conformance/resources.ts';
import { ApiRecorder } from '../fakes/api-recorder.ts';
import { eventually } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';

export interface PodIdentityRun {
  /** What each program was let do, as `permission` of the recorder writes it. */
  readonly used: Readonly<Record<'identity' | 'nmi', ReadonlySet<string>>>;
  readonly denied: readonly string[];
  /** What the programs wrote to their logs. */
  readonly logs: string;
  /** Status of the answer to each token request, by the identity that was asked for. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Reasons of the conditions of AzureIdentities, and of their events, by name. */
  readonly reported: Readonly<Record<string, { readonly condition: string; readonly events: readonly string[] }>>;
}

export interface PodIdentityRunOptions {
  readonly connection: KubeConnection;
  readonly kubernetesVersion: string;
  /** Base URL of an issuer that the embedded Azure can reach; undefined where there is none. */
  readonly issuer?: { readonly url: string; readonly caPem: string };
}

const PROGRAMS = 'azimuth-life';
const POD_ADDRESS = '127.12.0.5';
const limitMs = 120_000;
const eventsType = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };
const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };

export async function runPodIdentity({
  connection,
  kubernetesVersion,
  issuer,
}: PodIdentityRunOptions): Promise<PodIdentityRun> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-life-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const client = createKubeClient(connection);
  stack.defer(() => client.close());
  const ca = connection.ca?.read() ?? '';
  const recorder = await ApiRecorder.start(connection.server, ca);
  stack.defer(() => recorder.close());
  const azure = await startEmbeddedAzure({
    arm: { operationMs: 0, retryAfterSeconds: 0, enforceRbac: true },
    issuerCas: issuer ? [issuer.caPem] : [],
  });
  stack.defer(() => azure.close());
  const name = `run-${Date.now().toString(36)}`;
  const world: DemoWorld = {
    progress: createProgress({ write: () => undefined }),
    directory,
    signal: AbortSignal.timeout(500_000),
    kube: { url: recorder.url, caPem: ca, issuerUrl: issuer?.url ?? connection.server },
    azure,
    client,
    applier: new Applier(client),
    node: { name, ip: '127.12.0.1' },
    atEnd: () => undefined,
  };
  const manifests = await install(world, kubernetesVersion, stack);
  // The controller makes it anew, wherever this has run before.
  await client.delete(leases, { namespace: PROGRAMS, name: 'azimuth-identity' }).catch(ignoreNotFound);
  await makeClusterNode(world);
  stack.defer(() => client.delete(nodesType, { name }).then(() => undefined));
  const rest = new TestClient(azure);
  stack.defer(() => rest.close());
  const { tenantId, clientId, secret } = azure.registerApp({ roles: controllerRoles(azure.subscriptionId) });
  const { NODE_EXTRA_CA_CERTS: _, AZURE_POD_IDENTITY_AUTHORITY_HOST: __, ...settings } = azure.env();
  const signIn = { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: secret ?? '' };
  await world.applier.apply(
    objectOf(secrets, PROGRAMS, 'azimuth-identity-settings', { stringData: { ...settings, ...signIn } }),
  );

  const controller = await startProgram(world, manifests.controller);
  const daemon = await startNodeDaemon(world, manifests.daemon);
  let tokens: Record<string, number>;
  let reported: PodIdentityRun['reported'];
  try {
    await Promise.all([controller.ready(), daemon.nmi.ready()]);
    tokens = await oneLife({ world, rest, stack, app: name, metadata: daemon.metadata, issuer: issuer?.url });
    reported = await untilReported(client, name);
  } finally {
    // What is owed of events is written at the end.
    await Promise.all([controller.process.stop(), daemon.nmi.process.stop()]);
  }
  return {
    used: { identity: recorder.usedBy(controller.account), nmi: recorder.usedBy(daemon.nmi.account) },
    denied: recorder.denied,
    logs: [controller, daemon.nmi].map(({ process }) => readFileSync(process.logFile, 'utf8')).join('\n'),
    tokens,
    reported,
  };
}

function controllerRoles(subscriptionId: string) {
  const scope = (group: string) => `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  return [
    { role: 'Virtual Machine Contributor', scope: scope(NODE_GROUP) },
    { role: 'Managed Identity Operator', scope: scope('identities') },
  ];
}

/** Applies the manifests of pod identities; what has a namespace or roles goes at the end. */
async function install(world: DemoWorld, kubernetesVersion: string, stack: AsyncDisposableStack) {
  const { client, applier } = world;
  const app = new App();
  new Platform(app, 'azimuth', {
    image: 'azimuth:test',
    version: 'test',
    namespace: PROGRAMS,
    kubernetesVersion,
    operator: false,
    podIdentity: { node: { federatedAccounts: 'all' } },
  });
  const [definitions = [], programs = []] = app.charts.map((chart: Chart) => chart.toJson() as KubeObject[]);
  const apply = async (object: KubeObject) => {
    const type = await applier.typeOf(object);
    // Definitions may be there from other tests.
    await client.apply(type, object, { fieldManager: PROGRAMS, force: true });
    if (object.kind === 'Namespace' || object.kind === 'CustomResourceDefinition') return;
    stack.defer(() => client.delete(type, object.metadata).then(() => undefined));
  };
  // Without rules, which an old API server refuses.
  const referenced = crdManifest(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'), { cel: false });
  const all = [...definitions, referenced as unknown as KubeObject];
  for (const object of all) await apply(object);
  await definitionsEstablished(
    client,
    all.map(({ metadata }) => metadata.name),
  );
  for (const object of programs) await apply(object);
  const found = (kind: string) => programs.find((object) => object.kind === kind) as KubeObject;
  return { controller: found('Deployment'), daemon: found('DaemonSet') };
}

interface Setting {
  readonly world: DemoWorld;
  readonly rest: TestClient;
  readonly stack: AsyncDisposableStack;
  /** The namespace of the pods, and their service account. */
  readonly app: string;
  readonly metadata: string;
  readonly issuer: string | undefined;
}

/** Bind, assign, ask for tokens of each type, change, refuse, release. */
async function oneLife({ world, rest, stack, app, metadata, issuer }: Setting): Promise<Record<string, number>> {
  const { client, azure, applier, node } = world;
  const make = async (type: ResourceType, name: string, more: object) => {
    await client.create(type, objectOf(type, app, name, more));
    // By hand, for API servers without the controller that empties a namespace.
    stack.defer(() => client.delete(type, { namespace: app, name }).then(() => undefined));
  };
  await applier.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: app } });
  stack.defer(() => client.delete(namespaces, { name: app }).then(() => undefined));
  await make(serviceAccounts, app, { automountServiceAccountToken: false });

  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/identities`;
  const resourceID = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/machine`;
  await rest.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const machine = (await rest.arm('PUT', resourceID, '2023-01-31', { location: 'westus2' })).body.properties.clientId;
  const principal = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', {});
  const federated = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', {
    secret: null,
    federated: [
      {
        issuer: issuer ?? 'https://nowhere.test',
        subject: `system:serviceaccount:${app}:${app}`,
        audiences: ['api://AzureADTokenExchange'],
      },
    ],
  });
  await make(secretsType, 'principal', { stringData: { clientSecret: principal.secret } });
  // Made by OpenSSL.
  const { modern } = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8'));
  await make(secretsType, 'locked', { data: { certificate: modern, password: btoa('of another file') } });
  const { tenantId: tenantID } = azure;
  const clientPassword = { namespace: app, name: 'principal' };
  await make(userAssignedIdentitiesType, 'referenced', {
    spec: { location: 'westus2', owner: { armId: group } },
  });
  const referencedId = resourceID.replace(/machine$/, 'referenced');
  const referenced = (await rest.arm('PUT', referencedId, '2023-01-31', { location: 'westus2' })).body.properties;
  // As the operator writes it.
  const ids = { id: referencedId, clientId: referenced.clientId, tenantId: referenced.tenantId };
  const place = { namespace: app, name: 'referenced' };
  const status = { type: 'merge', body: { status: ids } } as const;
  await client.patch(userAssignedIdentitiesType, place, status, { subresource: 'status' });
  const specs = {
    referenced: { type: 0, identityRef: { name: 'referenced' } },
    machine: { type: 0, clientID: machine, resourceID },
    principal: { type: 1, clientID: principal.clientId, tenantID, clientPassword },
    federated: { type: 3, clientID: federated.clientId, tenantID },
    // What cannot work: said in conditions and events.
    locked: { type: 2, clientID: 'none', tenantID, clientPassword: { namespace: app, name: 'locked' } },
    broken: { type: 0, clientID: 'none', resourceID: resourceID.replace('userAssignedIdentities', 'nonsense') },
  };
  for (const [name, spec] of Object.entries(specs)) {
    await make(identitiesType, name, { spec });
    await make(bindingsType, name, { spec: { azureIdentity: name, selector: app } });
  }
  await startPod(client, app, node.name);
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced']);

  const tokens: Record<string, number> = {};
  const asked = {
    machine,
    principal: specs.principal.clientID,
    federated: specs.federated.clientID,
    referenced: referenced.clientId,
  };
  for (const [name, id] of Object.entries(asked)) {
    // The second answer makes the event a series.
    for (let i = 0; i < 2; i++) tokens[name] = await askForToken(metadata, id);
  }
  // A second identity on the same machine: its record exists by then.
  const secondId = resourceID.replace(/machine$/, 'second');
  await rest.arm('PUT', secondId, '2023-01-31', { location: 'westus2' });
  await make(identitiesType, 'second', { spec: { type: 0, resourceID: secondId } });
  await make(bindingsType, 'second', { spec: { azureIdentity: 'second', selector: app } });
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced', 'second']);
  // An identity that changes is written into the assignments of its pods.
  const body = { metadata: { annotations: { changed: 'yes' } }, spec: { tenantID: 'another' } };
  await client.patch(identitiesType, { namespace: app, name: 'federated' }, { type: 'merge', body });
  await eventually(
    'the change of the identity arrived',
    async () => JSON.stringify((await assignedOf(client, app)).map(({ spec }) => spec)).includes('"another"'),
    limitMs,
  );
  // A pod of the same name once more: the event of its binding becomes a series.
  await client.delete(podsType, { namespace: app, name: 'pod' }, { gracePeriodSeconds: 0 });
  await untilAssigned(client, app, []);
  await startPod(client, app, node.name);
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced', 'second']);
  await client.delete(podsType, { namespace: app, name: 'pod' }, { gracePeriodSeconds: 0 });
  await untilAssigned(client, app, []);
  await eventually(
    'every identity is detached',
    async () => {
      const labelSelector = 'azimuth.dev/record=attachments';
      return (await client.list(configMapsType, { labelSelector })).items.length === 0;
    },
    limitMs,
  );
  return tokens;
}

/** Waits for the conditions of identities that cannot work, and for an event of each. */
async function untilReported(client: KubeClient, app: string): Promise<PodIdentityRun['reported']> {
  let reported: PodIdentityRun['reported'] = {};
  await eventually(
    'what cannot work is reported',
    async () => {
      const identities = (await client.list(identitiesType, { namespace: app })).items;
      const events = (await client.list(eventsType, { namespace: app })).items;
      const refused = identities.flatMap(({ metadata: { name }, status }) => {
        const ready = status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
        const own = events.filter(({ regarding }) => regarding?.kind === 'AzureIdentity' && regarding.name === name);
        const reasons: string[] = own.map(({ reason }) => reason);
        return ready?.status === 'False' ? [[name, { condition: ready.reason, events: reasons }] as const] : [];
      });
      reported = Object.fromEntries(refused);
      return refused.length === 2 && refused.every(([, { events: some }]) => some.length > 0);
    },
    limitMs,
  );
  return reported;
}

async function startPod(client: KubeClient, app: string, nodeName: string): Promise<void> {
  const pod = await client.create(podsType, {
    ...objectOf(podsType, app, 'pod', {
      spec: { nodeName, serviceAccountName: app, containers: [{ name: 'main', image: 'none' }] },
    }),
    metadata: { namespace: app, name: 'pod', labels: { aadpodidbinding: app } },
  });
  const status = { phase: 'Running', podIP: POD_ADDRESS, podIPs: [{ ip: POD_ADDRESS }] };
  await client.replace(podsType, { ...pod, status }, { subresource: 'status' });
}

const assignedOf = async (client: KubeClient, app: string) =>
  (await client.list(assignedType)).items.filter(({ spec }) => spec.podNamespace === app);

/** Waits until exactly these identities, by name, are assigned to the pod. */
async function untilAssigned(client: KubeClient, app: string, identities: readonly string[]): Promise<void> {
  let seen = '';
  const wanted = identities.join();
  await eventually(
    `assigned: ${wanted || 'nothing'}`,
    async () => {
      const all = await assignedOf(client, app);
      seen = all.map(({ spec, status }) => `${spec.azureIdentityRef.metadata.name} ${status?.status}`).join();
      const ready = all.filter(({ status }) => status?.status === 'Assigned');
      const names = ready
        .map(({ spec }) => spec.azureIdentityRef.metadata.name as string)
        .filter((n) => n !== 'broken');
      return names.sort().join() === wanted && (wanted !== '' || all.length === 0);
    },
    limitMs,
  ).catch((error: unknown) => {
    throw new Error(`Expected \`${wanted}\` to be assigned, got \`${seen}\``, { cause: error });
  });
}

/** As a pod's SDK asks; gives the status of the answer. */
async function askForToken(metadata: string, clientId: string): Promise<number> {
  const resource = 'https://management.azure.com';
  const query = new URLSearchParams({ 'api-version': '2018-02-01', resource, client_id: clientId });
  return new Promise((resolve, reject) => {
    const headers = { metadata: 'true' };
    request(`${metadata}/metadata/identity/oauth2/token?${query}`, { localAddress: POD_ADDRESS, headers }, (answer) => {
      text(answer).then(() => resolve(answer.statusCode ?? 0), reject);
    })
      .once('error', reject)
      .end();
  });
}

function objectOf(type: ResourceType, namespace: string, name: string, more: object): KubeObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { namespace, name }, ...more };
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
