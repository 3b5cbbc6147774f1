import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../../../../runtime/api/kinds.ts';
import { SecretWorld, vaultRef } from '../../managed-secrets/secret-world.ts';
import { configMaps, events, secrets, types, until } from '../../support.ts';
import { deploymentType, readyOf, runIn } from '../deployment-world.ts';

const mark = 'marked-91be-value';
let azm: SecretWorld;
beforeAll(async () => {
  const kinds = [types.group, types.vault, types.armResource].map(({ group, kind }) => `${group}/${kind}`).join(';');
  azm = await SecretWorld.start({ kinds, deployments: true });
});
afterAll(() => azm?.close());

test('values of a ManagedSecret and of a Key Vault are in the Secret of the outputs, and nowhere else', async () => {
  const { world } = azm;
  const vault = await azm.vault('azmoutputs', 'westeurope');
  await vault.send('PUT', '/secrets/api', { value: mark });
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/azmoutputs`;
  const identity = { type: 'Microsoft.ManagedIdentity/userAssignedIdentities', apiVersion: '2023-01-31', name: 'out' };
  const json = JSON.stringify({
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: { db: { type: 'securestring' }, api: { type: 'securestring' } },
    resources: [{ ...identity, location: 'westeurope', tags: { login: "[base64(concat('db:', parameters('db')))]" } }],
    outputs: {
      plain: { type: 'string', value: 'a' },
      login: { type: 'string', value: "[base64(concat('db:', parameters('db')))]" },
      api: { type: 'string', value: "[parameters('api')]" },
      missing: { type: 'string', value: '', condition: false },
    },
  });
  await world.apply(deploymentType, 'shop', {
    locations: [{ name: 'westeurope' }],
    parameters: {
      db: { managedSecret: 'db' },
      api: { reference: { keyVault: { id }, secretName: 'api' } },
    },
    template: { arm: { json, owner: { name: 'rg' } } },
    outputs: { configMap: { name: 'shop' }, secret: { name: 'shop' } },
  });
  await azm.secret('db', { kind: 'Password', home: { vault: vaultRef('azmoutputs') }, vaultSecretName: 'db' });
  await runIn(world, 'shop', 'Succeeded');
  const data = await until('the Secret has the outputs', async () => {
    const secret = await world.client.tryGet(secrets, { namespace: 'default', name: 'shop' });
    return secret?.['data'] as Record<string, string> | undefined;
  });
  const value = (await vault.secret('db'))?.value ?? '';
  const login = Buffer.from(`db:${value}`).toString('base64');
  const decoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]);
  expect(Object.fromEntries(decoded)).toEqual({ login, api: mark });
  expect((await readyOf(world, 'shop'))?.reason).toBe('Succeeded');
  const sent = await world.portal.arm('GET', id.replace(/Microsoft.KeyVault.*/, `${identity.type}/out`), '2023-01-31');
  expect(sent.body.tags).toEqual({ login });

  const shown = [
    world.log.join('\n'),
    JSON.stringify((await world.client.list(events)).items),
    JSON.stringify((await world.client.list(configMaps)).items),
    ...(await Promise.all(world.kinds.map(async (kind) => JSON.stringify(await world.client.list(resourceOf(kind)))))),
  ];
  expect(shown.join('')).toContain('bodySecrets');
  for (const text of shown)
    for (const secret of [mark, value, login, ...[mark, login].map((each) => Buffer.from(each).toString('base64'))])
      expect(text).not.toContain(secret);
});
