import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { KeyVaultError } from '../../../runtime/azure/key-vault/error.ts';
import type { VaultItem } from '../../../runtime/azure/key-vault/vault-items.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { providerFiles } from '../../../runtime/volumes/csi/provider-files.ts';
import { readProviderObjects } from '../../../runtime/volumes/csi/provider-object.ts';
import { mostReads } from '../../../runtime/volumes/csi/selected-objects.ts';
import { listed } from './provider-world.ts';

type Item = Pick<VaultItem, 'name'> & Partial<VaultItem>;

function vaultOf(items: readonly Item[]) {
  const seen = { lists: 0 };
  const vault = {
    list: async (collection: string) => {
      seen.lists++;
      return items.map((item) => ({ enabled: true, managed: false, tags: {}, ...item, collection }));
    },
    getSecret: async (name: string) => ({ id: 'i', name, version: 'v1', value: `value of ${name}`, keyId: undefined }),
  };
  return { seen, vault: vault as unknown as KeyVault };
}

const objectsOf = (...objects: Record<string, string>[]) =>
  readProviderObjects(listed(...objects.map((object) => ({ objectType: 'secret', ...object }))), 0o644);

async function mount(vault: KeyVault, ...objects: Record<string, string>[]) {
  const options = { vault, clock: systemClock, signal: new AbortController().signal, deadline: Infinity };
  return providerFiles(await objectsOf(...objects), { ...options, separate: false });
}
const pathsOf = async (...call: Parameters<typeof mount>) => (await mount(...call)).files.map(({ path }) => path);

const items = [
  { name: 'app-b', tags: { team: 'shop', tier: 'web' } },
  { name: 'App-a', tags: { team: 'bank' } },
  { name: 'app-off', enabled: false, tags: { team: 'shop' } },
  { name: 'app-certificate', managed: true },
  { name: 'other', tags: { team: 'shop' } },
  { name: '../etc', tags: { team: 'shop' } },
];

test.each([
  ['a pattern, in any case', { objectNamePattern: 'APP-*' }, ['App-a', 'app-b']],
  ['one character', { objectNamePattern: 'app-?' }, ['App-a', 'app-b']],
  ['a tag', { objectTag: 'team=shop' }, ['app-b', 'other']],
  ['a tag with any value', { objectTag: 'tier' }, ['app-b']],
  ['both', { objectNamePattern: 'app-*', objectTag: 'team=shop' }, ['app-b']],
  ['a name that nothing has', { objectNamePattern: 'none*' }, []],
  ['no member of every object', { objectTag: 'constructor' }, []],
])(
  '%s selects enabled objects that are of no certificate, each as the file of its name',
  async (_, object, expected) => {
    expect(await pathsOf(vaultOf(items).vault, object)).toEqual(expected);
  },
);

test('an alias has the name of each object, and the versions are those of the objects', async () => {
  const { vault } = vaultOf(items);
  const alias = '"conf/{name}.txt"';
  const { files, versions } = await mount(vault, { objectNamePattern: 'app-*', objectAlias: alias });
  expect(files.map(({ path, contents }) => [path, contents.toString()])).toEqual([
    ['conf/App-a.txt', 'value of App-a'],
    ['conf/app-b.txt', 'value of app-b'],
  ]);
  expect(versions.map(({ id }) => id)).toEqual(['secret/App-a', 'secret/app-b']);
});

test('each mount lists again: new objects appear and removed ones go; entries share one list', async () => {
  const changing: Item[] = [{ name: 'a-1' }, { name: 'b-1' }];
  const { vault, seen } = vaultOf(changing);
  const objects = [{ objectNamePattern: 'a-*' }, { objectNamePattern: 'b-*' }];
  expect(await pathsOf(vault, ...objects)).toEqual(['a-1', 'b-1']);
  expect(seen.lists).toBe(1);
  changing.splice(0, 1, { name: 'a-2' });
  expect(await pathsOf(vault, ...objects)).toEqual(['a-2', 'b-1']);
  expect(await pathsOf(vault, { objectName: 'b-1' })).toEqual(['b-1']);
  expect(seen.lists).toBe(2);
});

test('100 objects of an entry and 500 of a class are read, and one more is refused', async () => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `${prefix}-${at}` }));
  const entry = (prefix: string) => ({ objectNamePattern: `${prefix}-*` });
  expect(await pathsOf(vaultOf(many(100, 'a')).vault, entry('a'))).toHaveLength(100);
  await expect(mount(vaultOf(many(101, 'a')).vault, entry('a'))).rejects.toThrow(
    'failed to get objectType:secret, objectNamePattern:a-*: the vault has 101 such objects, 100 is the most of one entry',
  );
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { vault } = vaultOf(six.flatMap((prefix) => many(90, prefix)));
  await expect(mount(vault, ...six.map(entry))).rejects.toThrow('The class means 540 objects of the vault, 500 is the');
  await expect(objectsOf(...Array.from({ length: 21 }, () => entry('a')))).rejects.toThrow(
    'objects has 21 patterns and tags, 20 is the most',
  );
  expect(mostReads(await objectsOf(entry('a'), { objectName: 'b' }))).toBe(101);
});

test('a vault that does not let the identity list says which permission it needs', async () => {
  const { vault } = vaultOf([]);
  const action = { objects: 'secrets', permission: 'list' } as const;
  vault.list = async () => {
    const body = { error: { code: 'Forbidden', message: 'no', innererror: { code: 'AccessDenied' } } };
    throw new KeyVaultError('contoso.vault.azure.net', action, { status: 403, body, text: '' });
  };
  await expect(mount(vault, { objectTag: 'team=shop' })).rejects.toThrow(
    /objectType:secret, objectTag:team=shop: Key Vault contoso.vault.azure.net refused to list secrets.*list/,
  );
});

test.each([
  [{ objectNamePattern: 'a/*' }, 'objectNamePattern must be 1 to 127 letters, digits, hyphens, * and ?'],
  [{ objectTag: '=shop' }, 'objectTag must be <name>=<value> or <name>'],
  [{ objectNamePattern: 'a*', objectAlias: 'one' }, 'objectAlias must have {name}'],
  [{ objectNamePattern: 'a*', objectName: 'a' }, 'go without objectName, objectVersion and objectVersionHistory'],
  [{ objectTag: 'a', objectVersion: 'abc' }, 'go without objectName, objectVersion and objectVersionHistory'],
  [{ objectTag: 'a', objectVersionHistory: '2' }, 'go without objectName, objectVersion and objectVersionHistory'],
])('%j is refused', async (object, message) => {
  await expect(objectsOf(object)).rejects.toThrow(message);
});
