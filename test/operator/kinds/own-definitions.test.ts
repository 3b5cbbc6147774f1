/** Whose definitions an operator without --kinds serves: upgrades, tools that change labels, ASO v2 in the cluster. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { definitionAnnotation, nameLabel } from '../../../runtime/api/own-definition.ts';
import { finalizer } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { armRequests, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;
const location = 'westeurope';
const owner = { name: 'rg' };
const nameOf = ({ plural, group }: ResourceType) => `${plural}.${group}`;

/** What `azimuth` writes, and what becomes of it: null takes a label or annotation away. */
const mark = (type: ResourceType, label: string | null, annotation: string | null) =>
  world.client.patch(
    customResourceDefinitions,
    { name: nameOf(type) },
    {
      type: 'merge',
      body: {
        metadata: { labels: { [nameLabel]: label }, annotations: { [definitionAnnotation]: annotation } },
      },
    },
  );

const account = { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner };
const network = { location, owner, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
const reported = () =>
  world.log.flatMap((line) => (JSON.parse(line) as { definitions?: readonly string[] }).definitions ?? []);

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  for (const type of [types.group, types.account, types.identity, types.network]) await mark(type, 'azimuth', 'true');
  world.log.length = 0;
});
afterAll(() => world?.close());

test('without --kinds, it serves definitions of earlier versions and relabelled ones, and names those of ASO once', async () => {
  await mark(types.identity, 'azimuth', null);
  await mark(types.account, 'platform', 'true');
  await mark(types.network, 'azure-service-operator', 'true');
  await mark(types.vault, 'platform', null);
  const operator = await world.startOperator({}, { kinds: '' });
  await world.apply(types.network, 'theirs', network);
  await world.apply(types.group, 'rg', { location });
  await world.apply(types.account, 'relabelled', account);
  await world.apply(types.identity, 'earlier', { location, owner });
  await untilReady(world, types.group, 'rg');
  await untilReady(world, types.account, 'relabelled');
  await untilReady(world, types.identity, 'earlier');
  const theirs = await world.get(types.network, 'theirs');
  expect([theirs['status'], theirs.metadata.finalizers]).toEqual([undefined, undefined]);
  expect(armRequests(world, 'PUT', /virtualNetworks/)).toEqual([]);
  await mark(types.network, 'azure-service-operator', null);
  expect(reported().sort()).toEqual([nameOf(types.vault), nameOf(types.network)]);
  // Kinds without a definition, 280 of them, cost nothing.
  const page = await operator.metrics.metrics();
  const controllers = new Set([...page.matchAll(/controller="([^"]+)"/g)].map(([, name]) => name));
  expect(controllers).toContain(nameOf(types.account));
  for (const gone of ['publicipaddresses.network.azure.com', nameOf(types.network)])
    expect(controllers).not.toContain(gone);

  // The definition becomes Azimuth's, as in a migration, and so do its objects.
  await mark(types.network, 'azimuth', 'true');
  const { metadata } = await untilReady(world, types.network, 'theirs');
  expect(metadata.finalizers).toEqual([finalizer]);
  await operator.stop();
});

test('a reference to an object whose definition is another program’s is a kind that this operator does not serve', async () => {
  await mark(types.group, 'azure-service-operator', null);
  const operator = await world.startOperator({}, { kinds: '' });
  await world.apply(types.identity, 'orphan', { location, owner });
  const waiting = await untilReady(world, types.identity, 'orphan', 'WaitingForOwner');
  expect(JSON.stringify(waiting['status'])).toContain('of a kind that this operator does not serve');
  await operator.stop();
});

test('a kind that is defined while the operator runs is served from then on', async () => {
  const operator = await world.startOperator({}, { kinds: '' });
  const kind = kindOf('network.azure.com', 'PublicIPAddress');
  const manifest = crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject;
  await world.client.create(customResourceDefinitions, manifest);
  const type = resourceOf(kind);
  await until('it is served', () => world.apply(type, 'late', { location, owner }).catch(() => false as const));
  await untilReady(world, type, 'late');
  await operator.stop();
});

test('an operator whose definition another program takes ends, and the next leaves the kind to it', async () => {
  const first = await world.startOperator({}, { kinds: '' });
  await world.apply(types.network, 'net', network);
  await untilReady(world, types.network, 'net');
  await mark(types.network, 'azure-service-operator', 'true');
  await expect(first.ended).rejects.toMatchObject({ code: 'AZ_CONFLICT_OWNED' });
  await expect(first.stop()).rejects.toMatchObject({ code: 'AZ_CONFLICT_OWNED' });
  const next = await world.startOperator({}, { kinds: '' });
  await world.apply(types.network, 'after', network);
  await world.apply(types.account, 'after', account);
  await untilReady(world, types.account, 'after');
  expect((await world.get(types.network, 'after'))['status']).toBeUndefined();
  await next.stop();
});

test('a kind that --kinds names is served whosever definition it has', async () => {
  await mark(types.network, 'azure-service-operator', null);
  const operator = await world.startOperator();
  await world.apply(types.network, 'named', network);
  await untilReady(world, types.network, 'named');
  await operator.stop();
});
