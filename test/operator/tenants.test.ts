import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { namespaces } from '../conformance/resources.ts';
import { condition, type RunningOperator, secrets, startWorld, types, until, type World } from './support.ts';

const held = 'azimuth.dev/credential-in-use';

interface Tenant {
  readonly namespace: string;
  readonly subscriptionId: string;
  readonly app: RegisteredApp;
}

let world: World;
let operator: RunningOperator;
let one: Tenant;
let two: Tenant;

beforeAll(async () => {
  world = await startWorld();
  operator = await world.startOperator();
  one = await tenant('one');
  two = await tenant('two');
});
afterAll(() => world?.close());

/** A namespace with the credential of an app that owns a subscription in a tenant of its own. */
async function tenant(namespace: string): Promise<Tenant> {
  const { subscriptionId, tenantId } = world.azure.addSubscription({ tenantId: `${namespace}-tenant` });
  const roles = [{ role: 'Owner', scope: `/subscriptions/${subscriptionId}` }];
  const made = { namespace, subscriptionId, app: world.azure.registerApp({ tenantId, roles }) };
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await writeCredential(made);
  return made;
}

const writeCredential = ({ namespace, subscriptionId, app }: Tenant) =>
  world.client.apply(
    secrets,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'aso-credential' },
      stringData: {
        AZURE_SUBSCRIPTION_ID: subscriptionId,
        AZURE_TENANT_ID: app.tenantId,
        AZURE_CLIENT_ID: app.clientId,
        AZURE_CLIENT_SECRET: app.secret,
      },
    },
    { fieldManager: 'test', force: true },
  );
const secretKey = ({ namespace }: Tenant) => ({ namespace, name: 'aso-credential' });

const applyGroup = (namespace: string, name: string, tags: Record<string, string> = {}) =>
  world.apply(types.group, name, { location: 'westeurope', tags }, { namespace });
const find = (namespace: string, name: string, type = types.group) => world.client.tryGet(type, { namespace, name });

function hasReason(namespace: string, name: string, reason: string, type = types.group): Promise<KubeObject> {
  return until(
    `${namespace}/${name} is ${reason}`,
    async () => {
      const object = await find(namespace, name, type);
      const ready = condition(object);
      return ready?.reason === reason && ready.observedGeneration === object?.metadata.generation && object;
    },
    180_000,
  );
}

const writes = (method: string, { subscriptionId }: { subscriptionId: string }, name: string) =>
  world.azure.journal.entries({
    service: 'arm',
    method,
    path: `/subscriptions/${subscriptionId}/resourceGroups/${name}$`,
  });

test('namespaces work in the tenants and subscriptions of their own credentials, at the same time as the operator in its own', async () => {
  await Promise.all(['one', 'two', 'default'].map((namespace) => applyGroup(namespace, 'shared-name')));
  await Promise.all(['one', 'two', 'default'].map((namespace) => hasReason(namespace, 'shared-name', 'Succeeded')));
  const own = { subscriptionId: world.azure.subscriptionId, app: world.azure.defaultApp };
  for (const { subscriptionId, app } of [one, two, own]) {
    const clients = writes('PUT', { subscriptionId }, 'shared-name').map(({ clientId }) => clientId);
    expect(clients).toEqual([app.clientId]);
  }
});

test('a credential that is renewed is used the moment its Secret has it', async () => {
  const secret = 'renewed-secret';
  world.azure.registerApp({ ...two.app, secret });
  await applyGroup('two', 'rotated');
  const refused = await hasReason('two', 'rotated', 'AuthenticationFailed');
  expect(condition(refused)?.message).not.toContain(two.app.secret);
  two = { ...two, app: { ...two.app, secret } };
  await writeCredential(two);
  await hasReason('two', 'rotated', 'Succeeded');
});

test('a resource does not move to the subscription that its credential names now', async () => {
  await applyGroup('one', 'settled');
  await hasReason('one', 'settled', 'Succeeded');
  await writeCredential({ ...one, subscriptionId: two.subscriptionId });
  await applyGroup('one', 'settled', { another: 'goal' });
  const refused = await hasReason('one', 'settled', 'SubscriptionMismatch');
  expect(condition(refused)?.message).toContain(one.subscriptionId);
  await writeCredential(one);
  await hasReason('one', 'settled', 'Succeeded');
  expect(writes('PUT', one, 'settled')).toHaveLength(2);
  expect(writes('PUT', two, 'settled')).toEqual([]);
});

test('a namespace and its credential that are deleted together leave nothing in Azure, even over a restart', async () => {
  const gone = await tenant('gone');
  await applyGroup('gone', 'last');
  await hasReason('gone', 'last', 'Succeeded');
  expect((await world.client.get(secrets, secretKey(gone))).metadata.finalizers).toEqual([held]);
  world.azure.faults.add({ method: 'DELETE', path: 'resourceGroups/last', status: 503, times: 1, body: {} });
  await world.client.delete(namespaces, { name: 'gone' });
  await until('the operator has tried', async () => writes('DELETE', gone, 'last').length > 0);
  await operator.stop();
  operator = await world.startOperator();
  await until('the namespace is gone', async () => !(await world.client.tryGet(namespaces, { name: 'gone' })));
  const deleted = writes('DELETE', gone, 'last').filter(({ effective }) => effective);
  expect(deleted.map(({ clientId }) => clientId)).toEqual([gone.app.clientId]);
});

test('a credential deleted in a namespace that stays is gone at once, and its resource is not read with another credential', async () => {
  const stays = await tenant('stays');
  await applyGroup('stays', 'kept');
  await hasReason('stays', 'kept', 'Succeeded');
  await world.client.delete(secrets, secretKey(stays));
  await until('the Secret is gone', async () => !(await world.client.tryGet(secrets, secretKey(stays))));
  await world.client.delete(types.group, { namespace: 'stays', name: 'kept' });
  const waiting = await until('it waits', async () => {
    const object = await find('stays', 'kept');
    return condition(object)?.reason === 'SecretNotFound' && object;
  });
  expect(condition(waiting)?.message).toMatch(/was made with the credential in Secret aso-credential/);
  await writeCredential(stays);
  await until('the object is gone', async () => !(await find('stays', 'kept')));
  expect(writes('DELETE', stays, 'kept').filter(({ effective }) => effective)).toHaveLength(1);
  await until('the Secret has no finalizer', async () => {
    const { metadata } = await world.client.get(secrets, secretKey(stays));
    return (metadata.finalizers ?? []).length === 0;
  });
});

test('the finalizer of a Secret from a former process is removed by the next process', async () => {
  const key = { namespace: 'default', name: 'left-over' };
  const metadata = { ...key, finalizers: [held] };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata });
  await world.client.delete(secrets, key);
  const next = await world.startOperator();
  await until('it is gone', async () => !(await world.client.tryGet(secrets, key)), 60_000);
  await next.stop();
});

test('a role assignment under an ARM id needs a credential that is the namespace’s own', async () => {
  const spec = (subscriptionId: string) => ({
    owner: { armId: `/subscriptions/${subscriptionId}` },
    principalId: one.app.objectId,
    principalType: 'ServicePrincipal',
    roleDefinitionReference: {
      armId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
    },
  });
  await world.apply(types.roleAssignment, 'borrowed', spec(world.azure.subscriptionId));
  const refused = await hasReason('default', 'borrowed', 'ScopeNotAllowed', types.roleAssignment);
  expect(condition(refused)).toMatchObject({ severity: 'Error' });
  expect(condition(refused)?.message).toContain('--operator-credential-scopes');
  await world.apply(types.roleAssignment, 'owned', spec(one.subscriptionId), { namespace: 'one' });
  await hasReason('one', 'owned', 'Succeeded', types.roleAssignment);

  const armResource = {
    type: 'Microsoft.Authorization/roleAssignments@2022-04-01',
    scope: `/subscriptions/${world.azure.subscriptionId}`,
    azureName: '00000000-0000-4000-8000-000000000001',
    body: { properties: { principalId: one.app.objectId } },
  };
  await world.apply(types.armResource, 'generic', armResource);
  await hasReason('default', 'generic', 'ScopeNotAllowed', types.armResource);
  const sent = world.azure.journal.entries({ service: 'arm', method: 'PUT', path: 'roleAssignments' });
  expect(sent.map(({ clientId }) => clientId)).toEqual([one.app.clientId]);
  // Nothing was made, so nothing holds the object.
  await world.client.delete(types.roleAssignment, { namespace: 'default', name: 'borrowed' });
  await until('it is gone', async () => !(await find('default', 'borrowed', types.roleAssignment)));
});
