import { expect, test } from '@jest/globals';
import { type StoredResource, StoredResources } from '../../../sandbox/azure/arm/resources/stored-resources.ts';

const resource = (id: string, type: string) => ({ id, type }) as StoredResource;
const ids = (resources: Iterable<StoredResource>) => [...resources].map(({ id }) => id);

test('resources are found by id and type in any case of letters, in order of creation, also after they were saved', () => {
  const all = new StoredResources();
  all.set(resource('/G/vaults/b', 'V/vaults'));
  all.set(resource('/g/vaults/A', 'v/Vaults'));
  all.set(resource('/g/vaults/A/keys/k', 'v/vaults/keys'));
  all.set(resource('/g/vaults/AA', 'v/vaults'));
  const changed = resource('/g/VAULTS/b', 'V/vaults');
  all.set(changed);
  for (const each of [all, new StoredResources(JSON.parse(JSON.stringify(all)))]) {
    expect(each.get('/g/vaults/B')).toEqual(changed);
    expect(ids(each.ofType('V/VAULTS'))).toEqual(['/g/VAULTS/b', '/g/vaults/A', '/g/vaults/AA']);
    expect(ids(each.below('/g/vaults/a'))).toEqual(['/g/vaults/A/keys/k']);
    expect(ids(each)).toEqual(['/g/VAULTS/b', '/g/vaults/A', '/g/vaults/A/keys/k', '/g/vaults/AA']);
  }
});

test('a deleted resource is found nowhere', () => {
  const all = new StoredResources();
  all.set(resource('/g/vaults/a', 'v/vaults'));
  all.delete('/G/VAULTS/A');
  all.delete('/g/vaults/never-was');
  expect([all.get('/g/vaults/a'), all.ofType('v/vaults'), [...all]]).toEqual([undefined, [], []]);
});
