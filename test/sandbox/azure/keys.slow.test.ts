import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { armKinds } from '../../../runtime/api/kinds.ts';
import type { ArmKind } from '../../../runtime/api/types.ts';
import { valueAt } from '../../../runtime/arm-kinds/body/value-path.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { type Answer, TestClient } from './client.ts';

let azure: EmbeddedAzure;
let client: TestClient;
let group: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  client = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/keys`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
});
afterAll(async () => {
  await client?.close();
  await azure?.close();
});

const rotatable = armKinds.flatMap(({ arm }) => (arm.keyRotation ? [arm] : []));
const versionOf = (arm: ArmKind) => Object.values(arm.apiVersions)[0] ?? '';

/** Makes the resource and what it lies in; resolves once Azure has it. */
async function make({ armType }: ArmKind): Promise<string> {
  const [provider = '', ...types] = armType.split('/');
  let id = `${group}/providers/${provider}`;
  for (const [index, type] of types.entries()) {
    id += `/${type}/keysofkind${index}`;
    const kind = armKinds.find(({ arm }) => arm.armType === [provider, ...types.slice(0, index + 1)].join('/'));
    const version = kind ? versionOf(kind.arm) : '2024-01-01';
    const body = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {} };
    const child = { properties: { rights: ['Listen'] } };
    const answer = await client.arm('PUT', id, version, index === 0 ? body : child);
    expect(answer.status).toBeLessThan(300);
    await until(async () => {
      const state = (await client.arm('GET', id, version)).body?.properties?.provisioningState;
      return state === undefined || state === 'Succeeded';
    });
  }
  return id;
}

/** Seldom, as there is a budget of requests. */
async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('not so after a while');
}

const act = (id: string, { path, apiVersion }: { path: string; apiVersion: string }, body?: object): Promise<Answer> =>
  client.arm('POST', `${id}/${path}`, apiVersion, body);

/** Every value that the kind's list action gives. */
async function valuesOf(id: string, { secretSource }: ArmKind): Promise<Record<string, unknown>> {
  if (!secretSource?.action) throw new Error('no list action');
  const answer = await act(id, secretSource.action);
  expect(answer.status).toBe(200);
  const read = Object.entries(secretSource.secrets).filter(([, { from }]) => from === 'action');
  return Object.fromEntries(read.map(([name, { path = '' }]) => [name, valueAt(answer.body, path)]));
}

test.each(rotatable.map((arm) => [arm.armType, arm] as const))(
  '%s: renewing a key changes that key, its connection string and no other',
  async (_, arm) => {
    const id = await make(arm);
    const { keyRotation } = arm;
    if (!keyRotation) throw new Error('no rotation');
    // One that takes a while is read in the midst of it.
    azure.settings.operationMs = 800;
    for (const { secret, body } of [...keyRotation.secondary, ...keyRotation.primary]) {
      const before = await valuesOf(id, arm);
      const answer = await act(id, keyRotation.action, body);
      expect([200, 202]).toContain(answer.status);
      if (answer.status === 202) expect(await valuesOf(id, arm)).toEqual(before);
      await until(async () => (await valuesOf(id, arm))[secret] !== before[secret]);
      const after = await valuesOf(id, arm);
      const changed = Object.keys(after)
        .filter((name) => after[name] !== before[name])
        .sort();
      const string = secret.replace(/Key$/, 'ConnectionString');
      expect(changed).toEqual([secret, ...(string in after && string !== secret ? [string] : [])].sort());
      if (string in after && string !== secret) expect(after[string]).toContain(`SharedAccessKey=${after[secret]}`);
    }
    azure.settings.operationMs = 50;
    expect(await act(id, keyRotation.action, { keyType: 'Tertiary' })).toMatchObject({ status: 400 });
  },
);

test('a Cosmos account takes no second renewal while one runs, and both its URLs report the end', async () => {
  azure.settings.operationMs = 3000;
  const arm = rotatable.find(({ armType }) => /DocumentDB/.test(armType)) as ArmKind;
  const action = arm.keyRotation?.action as { path: string; apiVersion: string };
  const id = `${group}/providers/Microsoft.DocumentDB/databaseAccounts/busy`;
  await client.arm('PUT', id, versionOf(arm), { location: 'westeurope', properties: {} });
  await until(async () => (await act(id, action, { keyKind: 'primary' })).status === 202);
  const second = await act(id, action, { keyKind: 'secondary' });
  expect(second).toMatchObject({ status: 412, body: { error: { code: 'PreconditionFailed' } } });
  await until(async () => (await act(id, action, { keyKind: 'secondary' })).status === 202);
  azure.settings.operationMs = 50;
});
