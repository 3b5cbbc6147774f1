import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Condition } from '../../../runtime/api/common-schemas.ts';
import type { ExportPlan } from '../../../runtime/arm-kinds/export/export-plan.ts';
import { ownerReference } from '../../../runtime/kube/client/owner-references.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { type ExportValues, exportTargets } from '../../../runtime/operator/export/export-targets.ts';
import { writeExport } from '../../../runtime/operator/export/secrets-and-config-maps.ts';
import { configMaps, secrets, startWorldWithGroup, types, until, untilReady, type World } from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup();
});
afterAll(() => world?.close());

const identity = (operatorSpec?: object) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  ...(operatorSpec && { operatorSpec }),
});
const keys = async (type: typeof secrets, name: string) =>
  Object.keys((await world.get(type, name))['data'] ?? {}).sort();
const noted = async (name: string) =>
  (await world.get(types.identity, name)).metadata.annotations?.['azimuth.dev/exports'];

test('a key that is no longer asked for is removed; those of another object and of people stay', async () => {
  const shared = (key: string) => ({ name: 'shared', key });
  await world.apply(
    types.identity,
    'one',
    identity({ secrets: { clientId: shared('id'), principalId: shared('principal') } }),
  );
  await untilReady(world, types.identity, 'one');
  await world.client.patch(
    secrets,
    { namespace: 'default', name: 'shared' },
    {
      type: 'merge',
      body: { data: { mine: 'eA==' } },
    },
  );
  expect(await keys(secrets, 'shared')).toEqual(['id', 'mine', 'principal']);
  await world.apply(types.identity, 'one', identity({ secrets: { clientId: shared('id') } }));
  await until('the key is gone', async () => !(await keys(secrets, 'shared')).includes('principal'));
  expect(await keys(secrets, 'shared')).toEqual(['id', 'mine']);
});

test('another name for a Secret, or none, takes back what was written under the old one', async () => {
  const to = (name: string) => ({
    secrets: { clientId: { name, key: 'id' } },
    configMaps: { clientId: { name, key: 'id' } },
  });
  await world.apply(types.identity, 'moved', identity(to('before')));
  await untilReady(world, types.identity, 'moved');
  expect(await noted('moved')).toBe('ConfigMap/before Secret/before');
  await world.apply(types.identity, 'moved', identity(to('after')));
  await until('the new ones are there', async () => (await noted('moved')) === 'ConfigMap/after Secret/after');
  expect(await keys(secrets, 'after')).toEqual(['id']);
  for (const type of [secrets, configMaps]) expect(await keys(type, 'before')).toEqual([]);
  await world.apply(types.identity, 'moved', identity());
  await until('nothing is noted', async () => (await noted('moved')) === undefined);
  for (const type of [secrets, configMaps]) expect(await keys(type, 'after')).toEqual([]);
});

test('labels and annotations of an expression are expressions over the object, and see no secret', async () => {
  const computed = {
    labels: { app: '"shop"', id: 'self.metadata.name' },
    annotations: { place: 'self.spec.location + "/" + string(self.metadata.generation)' },
  };
  const fixed = { labels: { app: 'shop.v1' }, annotations: { place: 'self.spec.location' } };
  const operatorSpec = {
    configMaps: { clientId: { name: 'marked-fixed', key: 'id', ...fixed } },
    configMapExpressions: [{ name: 'marked', key: 'name', value: 'self.metadata.name', ...computed }],
    secretExpressions: [{ name: 'marked', key: 'name', value: 'self.metadata.name', ...computed }],
  };
  await world.apply(types.identity, 'marked', identity(operatorSpec));
  await untilReady(world, types.identity, 'marked');
  for (const type of [configMaps, secrets]) {
    const { metadata } = await world.get(type, 'marked');
    expect(metadata.labels).toEqual({ app: 'shop', id: 'marked' });
    expect(metadata.annotations).toEqual({ place: 'westeurope/1' });
  }
  expect((await world.get(configMaps, 'marked-fixed')).metadata).toMatchObject(fixed);
  const leak = { name: 'leak', key: 'x', value: '"x"', annotations: { x: 'secret.tenantId' } };
  await world.apply(types.identity, 'leak', identity({ secretExpressions: [leak] }));
  const { status } = await untilReady(world, types.identity, 'leak', 'ReconciliationFailedPermanently');
  expect(JSON.stringify(status)).toContain('secret can be used in the values of secretExpressions only');
});

test('a value that somebody changed since the pass began is not written over', async () => {
  const owner = await world.get(types.group, 'rg');
  const metadata = { name: 'overtaken', namespace: 'default', ownerReferences: [ownerReference(owner)] };
  const data = { password: btoa('theirs') };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data } as KubeObject);
  const write = (password: string) =>
    writeExport(
      {
        target: 'Secret',
        name: 'overtaken',
        values: { password: 'ours' },
        labels: {},
        annotations: {},
        unchanged: { password, pendingPassword: undefined },
      },
      { client: world.client, owner, signal: AbortSignal.timeout(60_000) },
    );
  expect(await write('before')).toBeUndefined();
  expect((await world.get(secrets, 'overtaken'))['data']).toEqual(data);
  expect(await write('theirs')).toEqual(expect.objectContaining({ kind: 'Secret' }));
  expect((await world.get(secrets, 'overtaken'))['data']).toEqual({ password: btoa('ours') });
});

test('a Secret of somebody else that an annotation names is neither taken back nor an error; to write into it is one', async () => {
  const owner = await world.get(types.group, 'rg');
  const data = { key: btoa('theirs') };
  const metadata = { name: 'foreign', namespace: 'default' };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data } as KubeObject);
  const write = (values: Record<string, string>) =>
    writeExport(
      { target: 'Secret', name: 'foreign', values, labels: {}, annotations: {}, drop: ['key'] },
      { client: world.client, owner, signal: AbortSignal.timeout(60_000) },
    );
  expect(await write({})).toBeUndefined();
  await expect(write({ key: 'ours' })).rejects.toMatchObject({ code: 'AZ_CONFLICT_OWNED' });
  expect((await world.get(secrets, 'foreign'))['data']).toEqual(data);
});

test.each([
  [
    'an expression with an error',
    { secretExpressions: [{ name: 'x', key: 'y', value: 'self.status.name + conn' }] },
    /^spec\.operatorSpec\.secretExpressions\[0\]\.value: the expression .* is wrong: Unknown variable: conn/,
  ],
  [
    'a secret for a ConfigMap',
    { configMapExpressions: [{ name: 'x', key: 'y', value: 'secret.key1' }] },
    /^spec\.operatorSpec\.configMapExpressions\[0\]\.value: .* secret can be used in the values of secretExpressions only/,
  ],
  [
    'two values for one key',
    { secrets: { key1: { name: 'x', key: 'y' } }, secretExpressions: [{ name: 'x', key: 'y', value: '"z"' }] },
    /^Two values are asked for Secret x, key y, by spec\.operatorSpec\.secrets\.key1 and by spec\.operatorSpec\.secretExpressions\[0\]/,
  ],
])('%s is reported before anything is sent to Azure', async (_, operatorSpec, message) => {
  const spec = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  await world.apply(types.account, 'wrong', { ...spec, operatorSpec });
  await untilReady(world, types.account, 'wrong', 'ReconciliationFailedPermanently');
  const { status } = await world.get(types.account, 'wrong');
  expect((status as { conditions: Condition[] }).conditions[0]?.message).toMatch(message);
  expect(world.azure.journal.entries({ service: 'arm', path: /storageAccounts\/wrong/ })).toEqual([]);
  await world.client.delete(types.account, { namespace: 'default', name: 'wrong' });
  await until(
    'it can go',
    async () => !(await world.client.tryGet(types.account, { namespace: 'default', name: 'wrong' })),
  );
});

test.each(['constructor', '__proto__'])('a key may have the name of what every object has: %s', async (key) => {
  const source = { from: 'expression', expression: '"v"', where: 'here', seesSecrets: true } as const;
  const item = { target: 'Secret', source, to: { name: 's', key }, where: 'here' } as const;
  const plan: ExportPlan = { items: [item], actions: [], secrets: {} };
  const targets = (of: ExportPlan) =>
    exportTargets(of, { self: {}, live: {} } as unknown as ExportValues, async (asked) =>
      asked.map(() => ({ value: 'v' })),
    );
  const once = await targets(plan);
  expect(Object.entries(once.targets[0]?.values ?? {})).toEqual([[key, 'v']]);
  const twice = { ...plan, items: [item, item] };
  await expect(targets(twice)).rejects.toThrow(/Two values are asked for/);
});
