/** An AzureIdentity that takes its ids from a UserAssignedIdentity: operator, controller and node daemon on the sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedIdentityCredential } from '@azure/identity';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf, podIdentityKinds, resourceOf } from '../../runtime/api/kinds.ts';
import { userAssignedIdentitiesType } from '../../runtime/api/pod-identity/identity-reference.ts';
import { tryParseScopeRules } from '../../runtime/azure/arm/scopes.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { HealthServer } from '../../runtime/base/observability/health.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { bindingsType, identitiesType, nodesType, podsType } from '../../runtime/identity/objects.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { type NmiConfig, nmiConfig } from '../../runtime/nmi/config/config.ts';
import { createNmi } from '../../runtime/nmi/nmi.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';
import { claimsOf } from '../nmi/harness.ts';
import { startWorld, types, type World } from '../operator/support.ts';
import { type ControllerOptions, startController } from './in-process-controller.ts';

let world: World;
const directory = mkdtempSync(join(tmpdir(), 'azimuth-reference-'));
const ends = new AsyncDisposableStack();
const group = () => `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;

beforeAll(async () => {
  world = await startWorld();
  for (const kind of podIdentityKinds)
    await world.client.create(customResourceDefinitions, crdManifest(kind) as unknown as KubeObject);
  await world.startOperator();
  await world.apply(types.group, 'identities', { location: 'westus2' });
  const machine = `${group()}/nodes/providers/Microsoft.Compute/virtualMachines/vm`;
  await world.portal.arm('PUT', `${group()}/nodes`, '2021-04-01', { location: 'westus2' });
  await world.portal.arm('PUT', machine, '2019-12-01', { location: 'westus2', properties: {} });
  await create(nodesType, { metadata: { name: 'n1' }, spec: { providerID: `azure://${machine}` } });
});

afterAll(async () => {
  await ends.disposeAsync();
  await world?.close();
  rmSync(directory, { recursive: true, force: true });
});

const create = (type: ResourceType, object: object) =>
  world.client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject);

const newClient = () => createKubeClient(loadKubeConnection({ kubeconfig: world.kubeconfigFile }));

/** The identity controller; gives the way to stop it. */
function identityController(options: ControllerOptions = {}): () => Promise<void> {
  const { stop } = startController(world.azure, newClient(), { namespace: 'default', ...options });
  ends.defer(stop);
  return stop;
}

/** The node daemon; gives its address. */
async function startDaemon(...args: string[]): Promise<string> {
  const client = newClient();
  const dispatcher = createDispatcher({ ca: world.azure.caPem, proxy: 'none' });
  const metrics = createMetrics();
  const health = new HealthServer(metrics);
  const imdsEndpoint = world.azure.endpoints.imds;
  const flags = ['--node=n1', '--nmi-port=0', '--iptables=off', '--host-socket=off', `--imds-endpoint=${imdsEndpoint}`];
  const config = nmiConfig([...flags, `--host-token-file=${join(directory, 'host-token')}`, ...args], {});
  const direct = createDispatcher({ proxy: 'none' });
  const nmi = createNmi({
    auditLines: { write: () => undefined },
    config: config as NmiConfig,
    manager: new Manager({ client, clock: systemClock, log: silentLogger, metrics }, { name: 'nmi', health }),
    health,
    forwarding: direct,
    imds: createImds({ dispatcher: direct, endpoint: imdsEndpoint }),
    entra: { cloud: cloudFromEnvironment(world.azure.env()), dispatcher },
  });
  const stop = new AbortController();
  const running = nmi.run(stop.signal);
  ends.defer(async () => {
    stop.abort();
    await running;
    await Promise.all([direct, health, client, dispatcher].map((each) => each.close()));
  });
  const readiness = `http://127.0.0.1:${await health.listen(0, '127.0.0.1')}/readyz`;
  await eventually('the daemon is ready', async () => (await fetch(readiness)).status === 200);
  return `http://127.0.0.1:${await nmi.listening}`;
}

/** An AzureIdentity with a reference, its binding, and a pod that runs at 127.0.0.1 under its label. */
async function referring(name: string, spec: object = {}): Promise<void> {
  const metadata = { namespace: 'default', name };
  await create(identitiesType, { metadata, spec: { type: 0, identityRef: { name }, ...spec } });
  await create(bindingsType, { metadata, spec: { azureIdentity: name, selector: name } });
}

async function pod(name: string): Promise<void> {
  const created = await create(podsType, {
    metadata: { namespace: 'default', name, labels: { aadpodidbinding: name } },
    spec: { nodeName: 'n1', serviceAccountName: 'default', containers: [{ name: 'c', image: 'none' }] },
  });
  const status = { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
  await world.client.replace(podsType, { ...created, status }, { subresource: 'status' });
}

async function ready(name: string): Promise<{ status: string; reason: string; message: string } | undefined> {
  const object = await world.client.get(identitiesType, { namespace: 'default', name });
  return object['status']?.conditions?.find((each: { type: string }) => each.type === 'Ready');
}

const untilReady = async (name: string, reason: string) => {
  await eventually(`${name} ${reason}`, async () => (await ready(name))?.reason === reason);
  return ready(name);
};

/** As a pod asks that names no identity. */
async function ask(address: string): Promise<{ readonly status: number; readonly body: string }> {
  const query = 'api-version=2018-02-01&resource=https://management.azure.com';
  const headers = { metadata: 'true' };
  const answer = await fetch(`${address}/metadata/identity/oauth2/token?${query}`, { headers });
  return { status: answer.status, body: await answer.text() };
}

async function sdkToken(address: string): Promise<Record<string, unknown>> {
  process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'] = address;
  try {
    const { token } = await new ManagedIdentityCredential().getToken('https://management.azure.com/.default');
    return claimsOf(token);
  } finally {
    delete process.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'];
  }
}

test('the daemon and the controller read UserAssignedIdentities under the stored version of the kind', () => {
  expect(userAssignedIdentitiesType).toEqual(resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity')));
});

test('identity, binding and pod are applied before the identity exists in Azure, and the pod signs in with it', async () => {
  await referring('shop');
  const stop = identityController();
  const address = await startDaemon();
  expect(await untilReady('shop', 'ReferencedIdentityNotFound')).toMatchObject({
    status: 'False',
    message:
      'there is no UserAssignedIdentity shop in the namespace default; create it here, or correct spec.identityRef',
  });
  await pod('shop');
  const asked = sdkToken(address);
  await world.apply(types.identity, 'shop', { location: 'westus2', owner: { name: 'identities' } });
  const { oid, appid } = await asked;
  const { status } = await world.get(types.identity, 'shop');
  expect({ oid, appid }).toEqual({ oid: status.principalId, appid: status.clientId });
  expect(await untilReady('shop', 'Accepted')).toMatchObject({ status: 'True' });
  const stored = await world.client.get(identitiesType, { namespace: 'default', name: 'shop' });
  expect(stored['spec']).toEqual({ type: 0, identityRef: { name: 'shop' } });
  // When the object goes, its pods lose the identity.
  await world.client.delete(types.identity, { namespace: 'default', name: 'shop' });
  expect(await untilReady('shop', 'ReferencedIdentityNotFound')).toMatchObject({ status: 'False' });
  await world.client.delete(podsType, { namespace: 'default', name: 'shop' }, { gracePeriodSeconds: 0 });
  await stop();
});

test('an object whose ids Azure has not given yet is Unknown, and the condition names its reason', async () => {
  const stop = identityController();
  await world.apply(types.identity, 'early', { location: 'westus2', owner: { name: 'missing' } });
  await referring('early');
  const found = await untilReady('early', 'ReferencedIdentityNotReady');
  expect(found).toMatchObject({ status: 'Unknown' });
  expect(found?.message).toMatch(/^waits for the UserAssignedIdentity early, which has no ids in its status yet/);
  await stop();
});

test('the identity scopes of the namespace decide on the id that the reference gives', async () => {
  await world.apply(types.identity, 'foreign', { location: 'westus2', owner: { name: 'identities' } });
  await referring('foreign');
  const scopes = tryParseScopeRules(`default=${group()}/own`);
  const stop = identityController({ policy: { multiTenant: true, scopes } });
  const found = await untilReady('foreign', 'IdentityNotAllowed');
  expect(found?.message).toContain('the namespace default may not use the identity of spec.resourceID');
  await stop();
});

test('in managed mode the daemon resolves the reference itself, under the same scopes', async () => {
  await world.apply(types.identity, 'managed', { location: 'westus2', owner: { name: 'identities' } });
  await referring('managed');
  await pod('managed');
  const managed = ['--operation-mode=managed', '--forceNamespaced'];
  const { body } = await ask(await startDaemon(...managed));
  const claims = claimsOf(JSON.parse(body).access_token);
  expect(claims['appid']).toBe((await world.get(types.identity, 'managed'))['status'].clientId);
  const refused = await ask(await startDaemon(...managed, `--identity-scopes=default=${group()}/own`));
  expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('may not use the identity') });
  await world.client.delete(podsType, { namespace: 'default', name: 'managed' }, { gracePeriodSeconds: 0 });
});

test('both ids and a reference are refused, and so is a reference of a service principal', async () => {
  await expect(referring('both', { resourceID: `${group()}/g` })).rejects.toThrow(
    'set at most one of identityRef and resourceID',
  );
  await referring('principal', { type: 1 });
  const stop = identityController();
  expect((await untilReady('principal', 'UnsupportedReference'))?.message).toBe(
    'spec.identityRef goes with the types 0 and 3, and spec.type is 1; remove one of them',
  );
  await stop();
});
