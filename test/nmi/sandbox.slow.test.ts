/** The daemon's own client, role and credentials against the embedded Kubernetes API and the embedded Azure. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedIdentityCredential } from '@azure/identity';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { nmiPermissions } from '../../runtime/api/permissions/index.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { HealthServer } from '../../runtime/base/observability/health.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../runtime/kube/events/event-object.ts';
import { type NmiConfig, nmiConfig } from '../../runtime/nmi/config/config.ts';
import { createNmi } from '../../runtime/nmi/nmi.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { core, customResourceDefinitions as crds, rbac } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';
import { assignedType, bindingsType, claimsOf, identitiesType, podsType, secretsType } from './harness.ts';

let kube: EmbeddedKube;
let azure: EmbeddedAzure;
let admin: KubeClient;
const ends: (() => Promise<unknown>)[] = [];
const directory = mkdtempSync(join(tmpdir(), 'azimuth-nmi-sandbox-'));

const create = (type: ResourceType, object: object) =>
  admin.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject);

beforeAll(async () => {
  kube = await startEmbeddedKube();
  azure = await startEmbeddedAzure({ issuerCas: [kube.caPem] });
  const files = { admin: join(directory, 'admin'), nmi: join(directory, 'nmi') };
  writeFileSync(files.admin, kube.adminKubeconfig);
  admin = createKubeClient(loadKubeConnection({ kubeconfig: files.admin }));
  for (const kind of podIdentityKinds) await admin.create(crds, crdManifest(kind) as unknown as KubeObject);
  for (const name of ['azimuth-system', 'app'])
    await create(core('namespaces', 'Namespace', false), { metadata: { name } });
  const accounts = core('serviceaccounts', 'ServiceAccount');
  await create(accounts, { metadata: { namespace: 'azimuth-system', name: 'nmi' } });
  await create(accounts, { metadata: { namespace: 'app', name: 'sa' } });
  await create(rbac('clusterroles', 'ClusterRole', false), {
    metadata: { name: 'nmi' },
    rules: nmiPermissions({ federatedAccounts: ['sa'] }).cluster,
  });
  await create(rbac('clusterrolebindings', 'ClusterRoleBinding', false), {
    metadata: { name: 'nmi' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'nmi' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'azimuth-system', name: 'nmi' }],
  });
  writeFileSync(files.nmi, await kube.kubeconfigFor({ namespace: 'azimuth-system', name: 'nmi' }));

  const metrics = createMetrics();
  const health = new HealthServer(metrics);
  const client = createKubeClient(loadKubeConnection({ kubeconfig: files.nmi }));
  const manager = new Manager({ client, clock: systemClock, log: silentLogger, metrics }, { name: 'nmi', health });
  const direct = createDispatcher({ proxy: 'none' });
  const dispatcher = createDispatcher({ proxy: 'none', ca: azure.caPem });
  const config = nmiConfig(
    [
      '--node=n1',
      '--nmi-port=0',
      '--iptables=off',
      `--imds-endpoint=${azure.endpoints.imds}`,
      `--host-token-file=${join(directory, 'host-token')}`,
    ],
    {},
  ) as NmiConfig;
  const nmi = createNmi({
    auditLines: { write: () => undefined },
    config,
    manager,
    health,
    forwarding: direct,
    imds: createImds({ dispatcher: direct, endpoint: config.imdsEndpoint }),
    entra: { cloud: cloudFromEnvironment(azure.env()), dispatcher },
  });
  const stop = new AbortController();
  const running = nmi.run(stop.signal);
  const port = await nmi.listening;
  process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'] = `http://127.0.0.1:${port}`;
  ends.push(async () => {
    stop.abort();
    await running;
    await Promise.all([client.close(), direct.close(), dispatcher.close()]);
  });
});

afterAll(async () => {
  delete process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'];
  for (const end of ends) await end();
  await Promise.all([admin?.close(), azure?.close(), kube?.close()]);
  rmSync(directory, { recursive: true, force: true });
});

async function bind(name: string, spec: object): Promise<void> {
  const metadata = { namespace: 'app', name };
  const identity = { apiVersion: apiVersionOf(identitiesType), kind: 'AzureIdentity', metadata, spec };
  await create(identitiesType, identity);
  await create(bindingsType, { metadata, spec: { azureIdentity: name, selector: 'all' } });
  await create(assignedType, {
    metadata: { namespace: 'default', name: `pod-app-${name}`, labels: { nodename: 'n1' } },
    spec: { pod: 'pod', podNamespace: 'app', nodename: 'n1', azureIdentityRef: identity },
    status: { status: 'Assigned' },
  });
}

async function sdkToken(clientId: string): Promise<Record<string, unknown>> {
  const { token } = await new ManagedIdentityCredential({ clientId }).getToken('https://management.azure.com/.default');
  return claimsOf(token);
}

test('the unmodified SDK gets a token of each type, under the least role, and it is on record', async () => {
  const created = await create(podsType, {
    metadata: { namespace: 'app', name: 'pod', labels: { aadpodidbinding: 'all' } },
    spec: { nodeName: 'n1', serviceAccountName: 'sa', containers: [{ name: 'c', image: 'none' }] },
  });
  const status = { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
  await admin.replace(podsType, { ...created, status }, { subresource: 'status' });

  const machine = azure.addIdentity();
  await bind('machine', { type: 0, clientID: machine.clientId });
  const principal = azure.registerApp();
  await create(secretsType, {
    metadata: { namespace: 'app', name: 's' },
    data: { clientSecret: Buffer.from(principal.secret).toString('base64') },
  });
  const clientPassword = { namespace: 'app', name: 's' };
  await bind('principal', { type: 1, clientID: principal.clientId, tenantID: azure.tenantId, clientPassword });
  const federated = azure.registerApp({
    secret: null,
    federated: [
      {
        issuer: kube.issuerUrl,
        subject: 'system:serviceaccount:app:sa',
        audiences: ['api://AzureADTokenExchange'],
      },
    ],
  });
  await bind('federated', { type: 3, clientID: federated.clientId, tenantID: azure.tenantId });

  expect(await sdkToken(machine.clientId)).toMatchObject({ appid: machine.clientId });
  expect(await sdkToken(principal.clientId)).toMatchObject({ appid: principal.clientId });
  expect(await sdkToken(federated.clientId)).toMatchObject({ appid: federated.clientId });

  await eventually('the three issuances are events on their bindings', async () => {
    const { items } = await admin.list(eventsType, { namespace: 'app' });
    const on = items.filter(({ reason }) => reason === 'TokenIssued').map((event) => event['regarding'].name);
    return ['machine', 'principal', 'federated'].every((name) => on.includes(name));
  });
});

test('a token of the pod is refused for a service account that Entra does not trust', async () => {
  const stranger = azure.registerApp({
    secret: null,
    federated: [
      {
        issuer: kube.issuerUrl,
        subject: 'system:serviceaccount:app:other',
        audiences: ['api://AzureADTokenExchange'],
      },
    ],
  });
  await bind('stranger', { type: 3, clientID: stranger.clientId, tenantID: azure.tenantId });
  // One request: the SDK would ask four times, each time for the eight seconds in which a new credential may become known.
  const url = new URL('/metadata/identity/oauth2/token', process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST']);
  const resource = 'https://management.azure.com/';
  url.search = `${new URLSearchParams({ 'api-version': '2018-02-01', resource, client_id: stranger.clientId })}`;
  const answer = await fetch(url, { headers: { metadata: 'true' } });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(/AADSTS700213/);
});
