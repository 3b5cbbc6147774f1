/** Statuses and the fields that definitions declare. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CrdManifest, crdManifest } from '../../../runtime/api/crd.ts';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import { statusSchema } from '../../../runtime/api/schema/status-schema.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { startWorld, types, untilReady, type World } from '../support.ts';

const kind = kindOf('network.azure.com', 'VirtualNetwork') as ArmKindDefinition;
const name = `${kind.plural}.${kind.group}`;
const key = { namespace: 'default', name: 'net' };
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

async function define(versions: CrdManifest['spec']['versions']) {
  const { metadata } = await world.client.get(customResourceDefinitions, { name });
  const { resourceVersion } = metadata;
  const manifest = crdManifest(kind, { versions: 'newest' });
  const body = {
    ...manifest,
    metadata: { ...manifest.metadata, resourceVersion },
    spec: { ...manifest.spec, versions },
  };
  await world.client.replace(customResourceDefinitions, body as unknown as KubeObject);
}

test('a status from before its fields were declared does not keep the object from being written', async () => {
  const { versions } = crdManifest(kind, { versions: 'newest' }).spec;
  const [stored] = versions;
  const { openAPIV3Schema } = stored?.schema ?? {};
  const properties = { ...openAPIV3Schema?.properties, status: statusSchema() };
  await define([
    { ...stored, schema: { openAPIV3Schema: { ...openAPIV3Schema, properties } } } as (typeof versions)[0],
  ]);
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const spec = { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
  await world.apply(types.network, 'net', spec);
  // The next write of the object is refused because of it. The operator reports that, with a status that fits.
  const status = { enableDdosProtection: 'maybe', flowTimeoutInMinutes: '5', subnets: [null, 'x'], more: null };
  await world.client.patch(types.network, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  await define(versions);
  await world.startOperator();
  const made = await untilReady(world, types.network, 'net');
  expect(made['status']).toMatchObject({ addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
});
