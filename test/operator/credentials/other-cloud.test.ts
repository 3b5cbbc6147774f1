/** A Secret that names another cloud: its objects are in that cloud's Resource Manager, and in no other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

let other: EmbeddedAzure;
let world: World;

beforeAll(async () => {
  other = await startEmbeddedAzure({ arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  world = await startWorld();
  await world.startOperator({}, { otherAzure: other });
});
afterAll(async () => {
  await world?.close();
  await other?.close();
});

test('a resource is created, polled and deleted in the cloud of its Secret, with tokens of that cloud alone', async () => {
  const env = other.env();
  const keys = ['SUBSCRIPTION_ID', 'TENANT_ID', 'CLIENT_ID', 'CLIENT_SECRET', 'AUTHORITY_HOST'];
  const endpoints = ['RESOURCE_MANAGER_ENDPOINT', 'RESOURCE_MANAGER_AUDIENCE'];
  const data = Object.fromEntries(
    [...keys, ...endpoints].map((key) => [`AZURE_${key}`, btoa(env[`AZURE_${key}`] ?? '')]),
  );
  const metadata = { namespace: 'default', name: 'elsewhere' };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data } as KubeObject);
  const own = { annotations: { [annotations.credentialFrom]: 'elsewhere' } };
  await world.apply(types.group, 'away', { location: 'westeurope' }, own);
  await untilReady(world, types.group, 'away');
  await world.apply(types.identity, 'away', { location: 'westeurope', owner: { name: 'away' } }, own);
  const ready = await untilReady(world, types.identity, 'away');
  expect(ready['status'].id).toContain(other.subscriptionId);
  await world.client.delete(types.group, { namespace: 'default', name: 'away' });
  const gone = async () => !(await world.client.tryGet(types.group, { namespace: 'default', name: 'away' }));
  await until('the group is gone', gone);

  const requests = (azure: EmbeddedAzure) => azure.journal.entries({ service: 'arm', path: /resourcegroups\/away/i });
  expect(requests(world.azure)).toEqual([]);
  const polls = other.journal.entries({ service: 'arm', path: /operation/i });
  expect(polls.length).toBeGreaterThan(0);
  expect(new Set([...requests(other), ...polls].map(({ status }) => status))).not.toContain(401);
  expect(other.journal.reusedTokens()).toEqual([]);
});
