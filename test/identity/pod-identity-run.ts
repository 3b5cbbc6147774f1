/**
 * One run of pod identities under the service accounts of the synthesized manifests, on any API server, with every
 * request of the controller and of the node daemon on record.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Chart } from 'cdk8s';
import { Platform } from '../../constructs/platform.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import { identityPermissions, nmiPermissions } from '../../runtime/api/permissions/index.ts';
import { Applier, definitionsEstablished } from '../../runtime/cli/demo/apply.ts';
import { startNodeDaemon } from '../../runtime/cli/demo/pod-identity.ts';
import { makeClusterNode, NODE_GROUP } from '../../runtime/cli/demo/pods/cluster-node.ts';
import { startProgram } from '../../runtime/cli/demo/programs/program.ts';
import { createProgress } from '../../runtime/cli/demo/progress.ts';
import type { DemoWorld } from '../../runtime/cli/demo/world.ts';
import { identitiesType, nodesType } from '../../runtime/identity/objects.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { secretsType } from '../../runtime/kube/client/core-types.ts';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { ApiRecorder, granted } from '../fakes/api-recorder.ts';
import { eventually } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { limitMs, objectOf, oneLife } from './pod-identity-life.ts';

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

/** `reported` of a run. */
export const mistakes: PodIdentityRun['reported'] = {
  broken: { condition: 'InvalidResourceID', events: ['InvalidResourceID'] },
  locked: { condition: 'SecretNotUsable', events: ['SecretNotUsable'] },
};

/** The permissions that the manifests of a run grant, by program. */
export const grants = [
  ['identity', granted(identityPermissions())],
  ['nmi', granted(nmiPermissions({ federatedAccounts: 'all' }))],
] as const;

const PROGRAMS = 'azimuth-life';
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
    arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true, enforceRbac: true },
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
    objectOf(secretsType, PROGRAMS, 'azimuth-identity-settings', { stringData: { ...settings, ...signIn } }),
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

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
