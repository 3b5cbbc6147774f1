import { expect, test } from '@jest/globals';
import { Directory } from '../../../sandbox/azure/entra/directory.ts';
import { emptyState, type StoredResource } from '../../../sandbox/azure/state.ts';

const id = (name: string) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

test('an identity is found by its id without a scan of all other resources', () => {
  const resource = (name: string) =>
    ({
      id: id(name),
      type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
      body: { properties: { clientId: `client-${name}`, principalId: `object-${name}` } },
    }) as unknown as StoredResource;
  const credential = {
    body: { properties: { issuer: 'https://issuer.test' } },
    type: 'x',
  } as unknown as StoredResource;
  let reads = 0;
  const resources = new Proxy<Record<string, StoredResource>>(
    {
      [id('one').toLowerCase()]: resource('one'),
      [id('two').toLowerCase()]: resource('two'),
      [`${id('two').toLowerCase()}/federatedidentitycredentials/f`]: credential,
    },
    {
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
    },
  );
  const directory = new Directory({ ...emptyState(), resources }, 'tenant');
  const found = directory.byResourceId(id('TWO'));
  expect([found?.clientId, found?.objectId, reads]).toEqual(['client-two', 'object-two', 0]);
  expect(found?.federated).toEqual([{ issuer: 'https://issuer.test' }]);
  expect(directory.byResourceId(id('three'))).toBeUndefined();
  expect(directory.byClientId('CLIENT-ONE')?.resourceId).toBe(id('one'));
});
