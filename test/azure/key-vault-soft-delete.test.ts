import { expect, test } from '@jest/globals';
import type { FakeAnswer, SeenRequest } from '../fakes/azure-server.ts';
import { secret, startVault as setup } from './key-vault-server.ts';

/** A vault with soft-delete whose changes take two reads. */
function softDeleting(initial: 'active' | 'deleted' | 'absent') {
  let state: 'active' | 'deleted' | 'absent' | 'deleting' | 'recovering' = initial;
  let reads = 0;
  const seen: string[] = [];
  const settle = () => {
    if ((state === 'deleting' || state === 'recovering') && ++reads > 2) {
      state = state === 'deleting' ? 'deleted' : 'active';
      reads = 0;
    }
  };
  const conflict = (inner: string) => ({
    status: 409,
    body: { error: { code: 'Conflict', message: 'm', innererror: { code: inner } } },
  });
  const handler = ({ method, url }: SeenRequest): FakeAnswer => {
    const path = url.split('?')[0] as string;
    seen.push(`${method} ${path}`);
    settle();
    const missing = { status: 404, body: { error: { code: 'SecretNotFound', message: 'm' } } };
    if (path === '/deletedsecrets/name') {
      if (state !== 'deleted') return missing;
      if (method === 'DELETE') state = 'absent';
      return method === 'DELETE' ? { status: 204 } : { body: { recoveryId: 'r' } };
    }
    if (path === '/deletedsecrets/name/recover') {
      if (state !== 'deleted') return missing;
      state = 'recovering';
      return { body: {} };
    }
    if (method === 'DELETE') {
      if (state !== 'active') return missing;
      state = 'deleting';
      return { body: { recoveryId: 'r' } };
    }
    if (method === 'PUT' && state === 'deleted') return conflict('ObjectIsDeletedButRecoverable');
    if (method === 'PUT' && state === 'deleting') return conflict('ObjectIsBeingDeleted');
    if (method === 'PUT' && state === 'recovering') return conflict('ObjectIsBeingRecovered');
    if (method === 'PUT') state = 'active';
    return state === 'active' ? { body: secret() } : missing;
  };
  return { handler, seen, state: () => state };
}

test('a soft-deleted secret is recovered, waited for and then written', async () => {
  const fake = softDeleting('deleted');
  const { vault, slept } = await setup(fake.handler);
  expect(await vault.setSecret('name', { value: 'v' })).toMatchObject({ name: 'name' });
  expect(fake.seen[0]).toBe('PUT /secrets/name');
  expect(fake.seen[1]).toBe('POST /deletedsecrets/name/recover');
  expect(fake.seen.at(-1)).toBe('PUT /secrets/name');
  expect(slept.length).toBeGreaterThan(0);
  expect(fake.state()).toBe('active');
});

test('recovery can be refused', async () => {
  const fake = softDeleting('deleted');
  const { vault } = await setup(fake.handler);
  await expect(vault.setSecret('name', { value: 'v' }, { recover: false })).rejects.toMatchObject({
    status: 409,
    innerCode: 'ObjectIsDeletedButRecoverable',
  });
  expect(fake.state()).toBe('deleted');
});

test('a write right after a deletion waits until the deletion is through', async () => {
  const fake = softDeleting('active');
  const { vault } = await setup(fake.handler);
  await vault.delete('secrets', 'name');
  await vault.setSecret('name', { value: 'v' });
  expect(fake.state()).toBe('active');
});

test('purge right after delete waits for the deleted secret to show up', async () => {
  const fake = softDeleting('active');
  const { vault } = await setup(fake.handler);
  await vault.delete('secrets', 'name');
  await vault.purge('secrets', 'name', { justDeleted: true });
  expect(fake.state()).toBe('absent');
  await vault.purge('secrets', 'name');
});

test('waiting for a state ends after the bound', async () => {
  const { vault, slept } = await setup(() => ({
    status: 409,
    body: { error: { code: 'Conflict', innererror: { code: 'ObjectIsBeingDeleted' } } },
  }));
  await expect(vault.setSecret('name', { value: 'v' })).rejects.toThrow(/did not finish deleting/);
  expect(slept).toHaveLength(60);
});
