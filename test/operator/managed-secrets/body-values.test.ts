import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../../../runtime/api/kinds.ts';
import { versionFor } from '../../../runtime/operator/managed-secrets/version-for.ts';
import type { TestVault } from '../export/test-vault.ts';
import { events, types, until, untilReady } from '../support.ts';
import { SecretWorld, vaultRef } from './secret-world.ts';

let azm: SecretWorld;
let west: TestVault;
beforeAll(async () => {
  const kinds = [types.group, types.vault, types.armResource].map(({ group, kind }) => `${group}/${kind}`).join(';');
  azm = await SecretWorld.start({ kinds });
  west = await azm.vault('azmbody', 'westeurope');
});
afterAll(() => azm?.close());

test('an ArmResource gets the version of a ManagedSecret, and the next one, which no object shows', async () => {
  const { world } = azm;
  const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  await world.apply(types.armResource, 'holder', {
    type: `${type}@2023-01-31`,
    owner: { name: 'rg' },
    body: { location: 'northeurope', tags: { password: '(secret)', login: '(secret)' } },
    bodySecrets: [
      { path: '/tags/password', secrets: [{ managedSecret: 'db' }] },
      {
        path: '/tags/login',
        expression: "[base64(concat('db:', parameters('secret0')))]",
        secrets: [{ managedSecret: 'db' }],
      },
    ],
  });
  await untilReady(world, types.armResource, 'holder', 'ReferenceNotFound');
  const spec = { kind: 'Password', home: { vault: vaultRef('azmbody') }, vaultSecretName: 'db' };
  await azm.secret('db', spec);
  await untilReady(world, types.armResource, 'holder');
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/${type}/holder`;
  const tags = async () => (await world.portal.arm('GET', id, '2023-01-31')).body.tags as Record<string, string>;
  const sent = async () => (await tags())['password'];
  const loginOf = (value: string) => Buffer.from(`db:${value}`).toString('base64');
  const first = (await west.secret('db'))?.value ?? '';
  expect(first).toHaveLength(32);
  expect(await tags()).toMatchObject({ password: first, login: loginOf(first) });

  await azm.secret('db', spec, { annotations: { 'azimuth.dev/renew': 'leaked' } });
  await until('the next version is in Azure', async () => (await sent()) !== first);
  const second = (await west.secret('db'))?.value ?? '';
  expect(await tags()).toMatchObject({ password: second, login: loginOf(second) });
  await untilReady(world, types.armResource, 'holder');
  const shown = [
    world.log.join('\n'),
    JSON.stringify((await world.client.list(events)).items),
    ...(await Promise.all(world.kinds.map(async (kind) => JSON.stringify(await world.client.list(resourceOf(kind)))))),
  ];
  for (const text of shown)
    for (const value of [first, second, loginOf(first), loginOf(second)]) expect(text).not.toContain(value);
});

const copy = (location: string) => ({
  vaultId: `/vaults/${location}`,
  vaultLocation: location,
  enabledForDeployment: true,
  secretUrl: `https://${location}.vault.azure.net/secrets/db/${location}1`,
});
const reader = (location: string) => ({ location, subscription: 's' });
const secrets = {
  locations: () => ['westeurope', 'northeurope'],
  resolve: (_: string, name: string, { location }: { location: string }) => {
    const own = { kind: 'Password', number: 1, state: 'Current' } as const;
    if (name === 'identity') return { ok: true, secret: own } as const;
    const known = ['westeurope', 'northeurope'].includes(location) && name === 'db';
    if (known) return { ok: true, secret: { ...own, version: copy(location) } } as const;
    return { ok: false, reason: 'RegionMissing', message: `none in ${location}` } as const;
  },
};

test.each([
  ['db', 'northeurope', { id: '/vaults/northeurope', secret: 'db', version: 'northeurope1' }],
  ['db', 'eastus', { id: '/vaults/westeurope', secret: 'db', version: 'westeurope1' }],
  ['db', '', { id: '/vaults/westeurope', secret: 'db', version: 'westeurope1' }],
  ['identity', '', { reason: 'SecretNotReady', message: expect.stringContaining('is an identity') }],
  ['closed', 'eastus', { reason: 'RegionMissing', message: 'none in westeurope' }],
])(
  'the version of %s for a reader in "%s" is that of its region, or of the first vault',
  (name, location, expected) => {
    expect(versionFor(secrets, 'team', name, reader(location))).toMatchObject(expected);
  },
);
