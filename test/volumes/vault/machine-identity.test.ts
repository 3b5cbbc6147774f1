import { expect, test } from '@jest/globals';
import { tryParseScopeRules } from '../../../runtime/azure/arm/scopes.ts';
import type { Authorizer } from '../../../runtime/azure/types.ts';
import { withinScopes } from '../../../runtime/volumes/vault/machine-identity.ts';

const web = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/web';
const rules = tryParseScopeRules(`shop=${web}`) ?? [];

function machine(claims: unknown): Authorizer {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part(claims)}.x`;
  return { description: 'machine', getToken: async () => ({ token, expiresOn: Date.now() + 3600_000 }) };
}
const ask = (authorizer: Authorizer, namespace: string) =>
  withinScopes(authorizer, namespace, rules).getToken({ audience: 'https://vault.azure.net' });

test('a token of the machine is given to namespaces whose rules name its identity', async () => {
  // Azure writes some segments in lower case.
  const own = machine({ xms_mirid: web.replace('resourceGroups', 'resourcegroups') });
  expect(await ask(own, 'shop')).toMatchObject({ token: expect.any(String) });
  await expect(ask(own, 'other')).rejects.toThrow(
    /does not let the namespace other use the identity .*\/web \(--identity-scopes/,
  );
  await expect(ask(machine({ xms_mirid: `${web}-of-others` }), 'shop')).rejects.toMatchObject({
    code: 'AZ_VOLUME_REFUSED',
    retryable: false,
  });
});

test.each([
  ['no claim', machine({})],
  ['a claim that is no text', machine({ xms_mirid: 1 })],
  ['no claims', machine(null)],
  ['no JWT', { description: 'm', getToken: async () => ({ token: 'opaque', expiresOn: 0 }) }],
])('a token with %s is given to nobody', async (_, authorizer) => {
  await expect(ask(authorizer, 'shop')).rejects.toThrow(/xms_mirid/);
});

test('a pod whose namespace is not known gets none, whatever the rules say', async () => {
  const all = withinScopes(machine({ xms_mirid: web }), '', tryParseScopeRules('*=/') ?? []);
  await expect(all.getToken({ audience: 'a' })).rejects.toThrow(/of an unknown pod/);
});
