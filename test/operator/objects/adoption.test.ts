import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResourceType } from '../../../runtime/kube/client/types.ts';
import { adoptionRefusal, adoptPolicyOf } from '../../../runtime/operator/objects/adoption.ts';
import {
  armRequests,
  condition,
  core,
  events,
  gone,
  startWorldWithGroup,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

let world: World;
const accountVersion = '2023-01-01';
const accountId = (name: string) =>
  `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/${name}`;
const spec = {
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
  tags: { team: 'one' },
};
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`storageAccounts/${name}$`)).length;
const adopt = (policy: string) => ({ annotations: { 'azimuth.dev/adopt': policy } });

/** An account that somebody else made. */
async function existing(name: string, tags: object = {}): Promise<number> {
  const { location, kind, sku } = spec;
  const body = { location, kind, sku, tags };
  const answer = await world.portal.arm('PUT', accountId(name), accountVersion, body);
  expect(answer.status).toBeLessThan(300);
  await until(
    `${name} exists`,
    async () => (await world.portal.arm('GET', accountId(name), accountVersion)).status === 200,
  );
  return puts(name);
}

async function eventsOf(name: string, reason: string) {
  const all = (await world.client.list(events)).items;
  return all.filter((event) => event['reason'] === reason && event['regarding']?.name === name);
}

beforeAll(async () => {
  world = await startWorldWithGroup();
});
afterAll(() => world?.close());

test('never: what exists is left as it is, condition and event say what to do, and deletion deletes nothing', async () => {
  const before = await existing('notours1');
  await world.apply(types.account, 'notours1', spec, adopt('never'));
  const refused = await untilReady(world, types.account, 'notours1', 'AdoptionRefused');
  expect(condition(refused)).toMatchObject({ status: 'False', severity: 'Warning' });
  expect(condition(refused)?.message).toContain(
    `${accountId('notours1')} exists already and is not adopted, as azimuth.dev/adopt is never: set the annotation`,
  );
  await until('an event says it', async () => (await eventsOf('notours1', 'AdoptionRefused')).length === 1);
  expect(refused['status'].id).toBeUndefined();
  await world.client.delete(types.account, { namespace: 'default', name: 'notours1' });
  await gone(world, types.account, 'notours1');
  expect(puts('notours1')).toBe(before);
  expect(armRequests(world, 'DELETE', /notours1$/)).toEqual([]);
});

test('a change of the annotation to always takes it over', async () => {
  const before = await existing('later1');
  await world.apply(types.account, 'later1', spec, adopt('never'));
  await untilReady(world, types.account, 'later1', 'AdoptionRefused');
  await world.apply(types.account, 'later1', spec, adopt('always'));
  const ready = await untilReady(world, types.account, 'later1');
  expect(ready['status'].tags).toEqual({ team: 'one' });
  expect(puts('later1')).toBe(before + 1);
});

test('what somebody else changes at this moment is waited for, and then brought in line', async () => {
  world.azure.settings.operationMs = 1500;
  const { location, kind, sku } = spec;
  await world.portal.arm('PUT', accountId('busy1'), accountVersion, { location, kind, sku });
  const before = puts('busy1');
  await world.apply(types.account, 'busy1', spec, adopt('always'));
  await until('the operator has read it', async () => armRequests(world, 'GET', /busy1$/).length > 0);
  world.azure.settings.operationMs = 50;
  expect((await untilReady(world, types.account, 'busy1'))['status'].tags).toEqual({ team: 'one' });
  expect(puts('busy1')).toBe(before + 1);
});

test('if-tagged: the tag in Azure decides; what is as declared is taken over without a PUT', async () => {
  const untagged = await existing('untagged1');
  await world.apply(types.account, 'untagged1', spec, adopt('if-tagged'));
  const refused = await untilReady(world, types.account, 'untagged1', 'AdoptionRefused');
  expect(condition(refused)?.message).toContain(
    'its tag azimuth-adopt is missing: set the tag in Azure to default/untagged1',
  );
  expect(puts('untagged1')).toBe(untagged);

  const tags = { 'Azimuth-Adopt': 'default/tagged1' };
  const before = await existing('tagged1', tags);
  const { tags: _, ...untouched } = spec;
  await world.apply(types.account, 'tagged1', { ...untouched, tags }, adopt('if-tagged'));
  await untilReady(world, types.account, 'tagged1');
  expect(puts('tagged1')).toBe(before);
  await until('an event says it', async () => (await eventsOf('tagged1', 'Adopted')).length === 1);
});

test('a vault whose access policies are in another case than the schema has is taken over without a PUT', async () => {
  const { subscriptionId, tenantId } = world.azure;
  const id = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/azmcased`;
  const properties = (...secrets: string[]) => ({
    tenantId,
    sku: { family: 'A', name: 'standard' },
    accessPolicies: [{ tenantId, objectId: tenantId, permissions: { secrets } }],
  });
  const vaultPuts = () => armRequests(world, 'PUT', /vaults\/azmcased$/).length;
  const made = await world.portal.arm('PUT', id, '2023-07-01', {
    location: 'westeurope',
    properties: properties('Get', 'List'),
  });
  expect(made.status).toBeLessThan(300);
  const before = vaultPuts();
  const vault = { owner: { name: 'rg' }, azureName: 'azmcased', location: 'westeurope' };
  await world.apply(types.vault, 'cased', { ...vault, properties: properties('get', 'list') });
  await untilReady(world, types.vault, 'cased');
  expect(vaultPuts()).toBe(before);
  await world.apply(types.vault, 'cased', { ...vault, properties: properties('get', 'set') });
  await untilReady(world, types.vault, 'cased');
  expect(vaultPuts()).toBe(before + 1);
});

test('a resource that the object created is its own under any policy, also for a restarted operator', async () => {
  await world.apply(types.account, 'own1', spec, adopt('never'));
  await untilReady(world, types.account, 'own1');
  const second = await world.startOperator();
  await world.apply(types.account, 'own1', { ...spec, tags: { team: 'two' } }, adopt('never'));
  expect((await untilReady(world, types.account, 'own1'))['status'].tags).toEqual({ team: 'two' });
  await second.stop();
});

test('the namespace decides where the object says nothing, and a change there is seen', async () => {
  const namespaces = { ...core('namespaces', 'Namespace'), namespaced: false } satisfies ResourceType;
  const annotate = (policy: string | null) =>
    world.client.patch(
      namespaces,
      { name: 'default' },
      {
        type: 'merge',
        body: { metadata: { annotations: { 'azimuth.dev/adopt': policy } } },
      },
    );
  await annotate('never');
  await existing('space1');
  await world.apply(types.account, 'space1', spec);
  await untilReady(world, types.account, 'space1', 'AdoptionRefused');
  await annotate(null);
  await untilReady(world, types.account, 'space1');
});

test('the tag allows the one object it names, or any', () => {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { namespace: 'a', name: 'b' } };
  const refusal = (value: string) =>
    adoptionRefusal({ policy: 'if-tagged', bound: 'always' }, object, '/x', { tags: { 'azimuth-adopt': value } });
  expect(refusal('a/b')).toBeUndefined();
  expect(refusal('true')).toBeUndefined();
  expect(refusal('a/c')).toContain('its tag azimuth-adopt is another');
});

test('an object’s own policy can forbid what its namespace allows, and allow nothing that this forbids', () => {
  const holder = (policy?: string) => ({
    metadata: {
      annotations: { ...(policy !== undefined && { 'azimuth.dev/adopt': policy }) } as Record<string, string>,
    },
  });
  expect(adoptPolicyOf(holder('always'), holder('never'), 'always')).toBe('never');
  expect(adoptPolicyOf(holder('always'), holder(), 'never')).toBe('never');
  expect(adoptPolicyOf(holder('always'), holder('if-tagged'), 'never')).toBe('if-tagged');
  expect(adoptPolicyOf(holder('if-tagged'), holder('always'), 'never')).toBe('if-tagged');
  expect(adoptPolicyOf(holder('never'), undefined, 'always')).toBe('never');
  const object = { apiVersion: 'v1', kind: 'X', metadata: { namespace: 'a', name: 'b' } };
  expect(adoptionRefusal({ policy: 'never', bound: 'never' }, object, '/x', {})).toContain(
    "let the cluster's administrator set azimuth.dev/adopt to always on the namespace a",
  );
});

test('a policy that is no word of ours takes nothing over, whatever the namespace and the operator say', () => {
  const withPolicy = (policy: string) => ({ metadata: { annotations: { 'azimuth.dev/adopt': policy } } });
  expect(adoptPolicyOf(withPolicy('Always'), withPolicy('always'), 'always')).toBe('never');
  expect(adoptPolicyOf({ metadata: {} }, withPolicy('sometimes'), 'always')).toBe('never');
  expect(adoptPolicyOf({ metadata: {} }, undefined, 'if-tagged')).toBe('if-tagged');
});

test('an unknown policy is reported once, with the known policies', async () => {
  const own = { 'azimuth.dev/adopt': 'Never', 'serviceoperator.azure.com/reconcile-policy': 'Skip' };
  await world.apply(types.account, 'misspelt', spec, { annotations: own });
  await untilReady(world, types.account, 'misspelt');
  const event = await until('the event', async () => (await eventsOf('misspelt', 'UnknownPolicy'))[0]);
  expect(event).toMatchObject({ type: 'Warning' });
  expect(event['note']).toBe(
    'serviceoperator.azure.com/reconcile-policy is `Skip`: it is ignored; use manage, skip, detach-on-delete. ' +
      'azimuth.dev/adopt is `Never`: it counts as never; use always, never, if-tagged',
  );
});
