/** One secret of a vault, without a vault: what is written, renewed and left. */
import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { KeyVaultError } from '../../../runtime/azure/key-vault/error.ts';
import {
  deleteVaultSecret,
  type VaultWrite,
  vaultOwnerTag,
  writeVaultSecret,
} from '../../../runtime/operator/export/key-vault-secrets.ts';

const resourceId = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a';
const own = { [vaultOwnerTag]: resourceId.toLowerCase() };
const hour = 3_600_000;
const now = Date.parse('2026-01-01T00:00:00Z');

interface Found {
  readonly value: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly expires?: number;
}

/** A vault with one secret or none, and what was asked of it beside reading. */
function vaultWith(found: Found | undefined) {
  const asked: unknown[][] = [];
  const secret = found && { version: 'v1', tags: {}, ...found };
  const vault = {
    url: new URL('https://v.vault.azure.net'),
    tryGetSecret: async () => secret,
    setSecret: async (...given: unknown[]) => void asked.push(['set', ...given.slice(0, 2)]),
    updateSecret: async (...given: unknown[]) => void asked.push(['update', ...given.slice(0, 3)]),
    delete: async (...given: unknown[]) => void asked.push(['delete', ...given.slice(0, 2)]),
  } as unknown as KeyVault;
  return { vault, asked };
}

async function write(found: Found | undefined, more: Partial<VaultWrite> = {}) {
  const { vault, asked } = vaultWith(found);
  const given = { vault, resourceId, isShared: false, expiresMs: undefined, json: false, hidden: [], now, ...more };
  const outcome = await writeVaultSecret('n', 'x', { ...given, signal: new AbortController().signal });
  return { outcome, asked };
}

test('an expiry that somebody gave to a secret of theirs is no reason for a new version; one of ours is', async () => {
  expect(await write({ value: 'x', expires: now + hour })).toEqual({ outcome: { did: 'same' }, asked: [] });
  const ours = await write({ value: 'x', expires: now + hour, tags: own });
  expect(ours.asked).toEqual([['set', 'n', { value: 'x', tags: own }]]);
});

test('an expiry is renewed when half of its time is over, when it is too late, and when there is none', async () => {
  const expires = (at: number | undefined) =>
    write({ value: 'x', tags: own, ...(at !== undefined && { expires: at }) }, { expiresMs: 2 * hour });
  const renewed = [['update', 'n', 'v1', { expires: now + 2 * hour, tags: own }]];
  for (const at of [undefined, now + hour - 1, now + 2 * hour + 1001]) {
    expect(await expires(at)).toEqual({ outcome: { did: 'renewed', renewAt: now + hour }, asked: renewed });
  }
  for (const at of [now + hour, now + 2 * hour, now + 2 * hour + 1000]) {
    expect(await expires(at)).toEqual({ outcome: { did: 'same', renewAt: at - hour }, asked: [] });
  }
});

test('a new value keeps the tags of others, and is not written over the value of another resource', async () => {
  const { asked } = await write({ value: 'old', tags: { team: 'a' } }, { json: true });
  expect(asked).toEqual([['set', 'n', { value: 'x', contentType: 'application/json', tags: { team: 'a', ...own } }]]);
  await expect(write({ value: 'old', tags: { [vaultOwnerTag]: '/other' } })).rejects.toMatchObject({
    code: 'AZ_CONFLICT_OWNED',
  });
});

test('a soft-deleted secret is recovered and is nobody’s, whoever had it', async () => {
  const { vault, asked } = vaultWith(undefined);
  const body = { error: { code: 'Conflict', message: '', innererror: { code: 'ObjectIsDeletedButRecoverable' } } };
  const gone = new KeyVaultError('v', { permission: 'set', objects: 'secrets' }, { status: 409, body, text: '' });
  let sets = 0;
  Object.assign(vault, {
    setSecret: async (...given: unknown[]) => {
      sets += 1;
      if (sets === 1) throw gone;
      asked.push(['set', ...given.slice(0, 2)]);
    },
    recover: async (...given: unknown[]) => void asked.push(['recover', ...given.slice(0, 2)]),
    getSecret: async () => ({ version: 'v1', value: 'old', tags: { [vaultOwnerTag]: '/other' } }),
  });
  const given = { vault, resourceId, isShared: false, expiresMs: undefined, json: false, hidden: [], now };
  const outcome = await writeVaultSecret('n', 'x', { ...given, signal: new AbortController().signal });
  expect(outcome).toEqual({ did: 'written' });
  expect(asked).toEqual([
    ['recover', 'secrets', 'n'],
    ['set', 'n', { value: 'x', tags: own }],
  ]);
});

test('an ARM id longer than a tag may be is known by its hash, for writing and for deleting', async () => {
  const long = `${resourceId}${'/children/a'.repeat(30)}`;
  const { asked } = await write(undefined, { resourceId: long });
  const sent = asked[0]?.[2] as { readonly tags: Record<string, string> } | undefined;
  const tags = sent?.tags ?? {};
  const tag = tags[vaultOwnerTag] ?? '';
  expect(tag.length).toBeLessThanOrEqual(256);
  expect(tag).not.toBe('');
  const again = await write({ value: 'x', tags }, { resourceId: long });
  expect(again).toEqual({ outcome: { did: 'same' }, asked: [] });
  const signal = new AbortController().signal;
  for (const [found, deleted] of [
    [{ value: 'x', tags }, [['delete', 'secrets', 'n']]],
    [{ value: 'x', tags: own }, []],
    [{ value: 'x' }, []],
    [undefined, []],
  ] as const) {
    const { vault, asked: done } = vaultWith(found);
    await deleteVaultSecret('n', { vault, resourceId: long, signal });
    expect(done).toEqual(deleted);
  }
});
