import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { ArmClient, ArmRequest } from '../../../runtime/azure/types.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { namespaces } from '../../conformance/resources.ts';
import { clientWith } from '../../fakes/client-with.ts';
import { armRequests, condition, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const subnets = resourceOf(kindOf('network.azure.com', 'VirtualNetworksSubnet'));
let world: World;
/** Requests of the tenant that wait, and the step before their sending at which they do. */
let held: { readonly at: 'admit' | 'send'; readonly method: string } | undefined;
let isTooLarge = false;
let refused = 0;
let release: () => void = () => undefined;
const waiting: string[] = [];

function holding(arm: ArmClient): ArmClient {
  const hold = async (at: 'admit' | 'send', { method, share }: ArmRequest) => {
    if (share !== 'tenant' || held?.at !== at || held.method !== method) return;
    waiting.push(`${at} ${method}`);
    await new Promise<void>((resolve) => (release = resolve));
  };
  return {
    admit: async (request) => {
      await hold('admit', request);
      await arm.admit(request);
    },
    send: async (request) => {
      await hold('send', request);
      return arm.send(request);
    },
    operationOf: (...args) => arm.operationOf(...args),
    poll: (...args) => arm.poll(...args),
    close: () => arm.close(),
  };
}

beforeAll(async () => {
  world = await startWorld({ kinds: `${subnets.group}/${subnets.kind}` });
  const wrap = (client: KubeClient) =>
    clientWith(client, {
      patch: async (...args: Parameters<KubeClient['patch']>) => {
        const [, { namespace }, patch] = args;
        const announces = namespace === 'tenant' && JSON.stringify(patch).includes('announced ');
        if (announces && isTooLarge) {
          refused++;
          throw new Error('etcdserver: request is too large');
        }
        return client.patch(...args);
      },
    });
  await world.startOperator({}, { wrapArm: holding, wrap });
  const metadata = { name: 'tenant' };
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const { subscriptionId } = world.azure;
  world.azure.settings.enforceRbac = true;
  // A credential that may read what the neighbour has, and write nothing.
  const app = world.azure.registerApp({ roles: [{ role: 'Reader', scope: `/subscriptions/${subscriptionId}` }] });
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'tenant', name: 'aso-credential' },
    stringData: {
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_TENANT_ID: app.tenantId,
      AZURE_CLIENT_ID: app.clientId,
      AZURE_CLIENT_SECRET: app.secret,
    },
  });
});
afterAll(() => world?.close());

const apply = (namespace: string, name: string) =>
  world.apply(types.group, name, { location: 'westeurope' }, { namespace });

test.each([
  ['its read hangs', { at: 'send', method: 'GET' }],
  ['its write waits for the rate limit', { at: 'admit', method: 'PUT' }],
] as const)('a tenant keeps the ARM id of a neighbour from nobody while %s', async (_, step) => {
  const name = `wanted-${step.method.toLowerCase()}`;
  held = step;
  waiting.length = 0;
  await apply('tenant', name);
  await until('the request of the tenant waits', async () => waiting.length > 0);
  await apply('default', name);
  await untilReady(world, types.group, name);
  held = undefined;
  release();
  const key = { namespace: 'tenant', name };
  await until(
    'the object of the tenant has a condition',
    async () => condition(await world.client.tryGet(types.group, key))?.message,
  );
  expect(armRequests(world, 'PUT', new RegExp(`/${name}$`))).toHaveLength(1);
  await world.client.delete(types.group, key);
  await until('the object of the tenant is gone', async () => !(await world.client.tryGet(types.group, key)));
});

test('a tenant whose write Azure refuses has the id for the time of the write alone, and the neighbour goes on when it is free', async () => {
  held = { at: 'send', method: 'PUT' };
  waiting.length = 0;
  await apply('tenant', 'contested');
  await until('the write of the tenant waits', async () => waiting.length > 0);
  await apply('default', 'contested');
  const key = { namespace: 'default', name: 'contested' };
  const message = await until('the neighbour waits', async () => {
    const ready = condition(await world.client.tryGet(types.group, key));
    return ready?.status === 'False' && ready.message;
  });
  expect(message).not.toContain('tenant');
  held = undefined;
  release();
  await untilReady(world, types.group, 'contested');
});

test('a tenant with a credential of its own takes no place among the writes to a neighbour’s resource', async () => {
  await world.apply(types.network, 'net', {
    location: 'westeurope',
    owner: { name: 'contested' },
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
  });
  const { status } = await untilReady(world, types.network, 'net');
  const { id: armId } = status as { id: string };
  held = { at: 'send', method: 'PUT' };
  waiting.length = 0;
  await world.apply(subnets, 'foreign', { addressPrefix: '10.0.1.0/24', owner: { armId } }, { namespace: 'tenant' });
  await until('the write of the tenant waits', async () => waiting.length > 0);
  await world.apply(subnets, 'own', { addressPrefix: '10.0.2.0/24', owner: { name: 'net' } });
  await untilReady(world, subnets, 'own');
  held = undefined;
  release();
});

test('an object whose record cannot be written keeps no ARM id', async () => {
  isTooLarge = true;
  await apply('tenant', 'large');
  await until('the record is refused', async () => refused > 0);
  await apply('default', 'large');
  await untilReady(world, types.group, 'large');
  isTooLarge = false;
});
