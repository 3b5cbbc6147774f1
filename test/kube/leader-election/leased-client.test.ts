import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { leasedClient } from '../../../runtime/kube/leader-election/leased-client.ts';
import { widget, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

test('writes are refused without the lease, reads are not', async () => {
  const kube = new LocalKube();
  let held = true;
  const client = leasedClient(kube, () => {
    if (!held) throw new AzimuthError('AZ_LEASE_LOST', 'not held');
  });
  const stored = await client.create(widgets, widget('a'));
  held = false;
  const key = { namespace: 'default', name: 'a' };
  const writes = [
    client.create(widgets, widget('b')),
    client.replace(widgets, stored),
    client.patch(widgets, key, { type: 'merge', body: {} }),
    client.apply(widgets, stored, { fieldManager: 'test' }),
    client.delete(widgets, key),
    client.createSubresource(widgets, key, 'token', {}),
  ];
  for (const result of await Promise.allSettled(writes)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'AZ_LEASE_LOST' } });
  }
  expect(await client.get(widgets, key)).toEqual(stored);
  expect((await client.list(widgets)).items).toEqual([stored]);
});
