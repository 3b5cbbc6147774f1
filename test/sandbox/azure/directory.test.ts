import { expect, test } from '@jest/globals';
import { type StoredResource, StoredResources } from '../../../sandbox/azure/arm/resources/stored-resources.ts';
import { Directory } from '../../../sandbox/azure/entra/directory.ts';
import { emptyState } from '../../../sandbox/azure/state.ts';

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
    id: `${id('two')}/federatedIdentityCredentials/f`,
    body: { properties: { issuer: 'https://issuer.test' } },
    type: 'x',
  } as unknown as StoredResource;
  let reads = 0;
  class Counted extends StoredResources {
    override below(each: string): StoredResource[] {
      reads += 1;
      return super.below(each);
    }
    override [Symbol.iterator](): IterableIterator<StoredResource> {
      reads += 1;
      return super[Symbol.iterator]();
    }
  }
  const resources = new Counted();
  for (const each of [resource('one'), resource('two'), credential]) resources.set(each);
  const directory = new Directory({ ...emptyState(), resources }, 'tenant');
  const found = directory.byResourceId(id('TWO'));
  expect([found?.clientId, found?.objectId, reads]).toEqual(['client-two', 'object-two', 0]);
  expect(found?.federated).toEqual([{ issuer: 'https://issuer.test' }]);
  expect(directory.byResourceId(id('three'))).toBeUndefined();
  expect(directory.byClientId('CLIENT-ONE')?.resourceId).toBe(id('one'));
});
