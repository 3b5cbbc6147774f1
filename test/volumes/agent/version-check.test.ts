import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { KeyVaultError } from '../../../runtime/azure/key-vault/error.ts';
import type { VaultItem } from '../../../runtime/azure/key-vault/vault-items.ts';
import { ListTooLong } from '../../../runtime/azure/key-vault/vault-requests.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { type SeenVersions, VersionCheck } from '../../../runtime/volumes/agent/refresh/version-check.ts';
import type { VolumeObject, VolumeSpec } from '../../../runtime/volumes/options/volume-spec.ts';
import type { FetchOptions } from '../../../runtime/volumes/vault/fetch.ts';

/** Version checks against a vault that is a function here. */
const clock = new ManualClock();
const volume = (uid: string, ...names: string[]): VolumeSpec => ({
  vault: 'kv',
  tenantId: 't',
  cloudName: '',
  region: undefined,
  identity: uid === '' ? { mode: 'vm' } : { mode: 'pod' },
  pod: { namespace: 'n', name: 'p', uid },
  objects: names.map(
    (name): VolumeObject => ({ name, type: 'secret', version: '', file: name, format: 'raw', encoding: 'utf-8' }),
  ),
  filePermission: undefined,
  fsGroup: undefined,
  refreshSeconds: 0,
});
const of = (versions: Record<string, string>) => ({ versions, created: new Map<string, number>() });
const refusal = (status: number, name: string) =>
  new KeyVaultError(
    'kv',
    { objects: 'secrets', permission: 'list', name },
    { status, body: { error: { code: 'No', message: 'no' } }, text: '' },
  );
const item = (name: string): VaultItem => ({ name, id: '', version: 'v1', enabled: true, created: 1 }) as VaultItem;
const vaultOf = (list: (name: string, signal: AbortSignal) => Promise<VaultItem[]>): FetchOptions => ({
  vault: { listVersions: (_: string, name: string, signal: AbortSignal) => list(name, signal) } as unknown as KeyVault,
  clock,
  signal: new AbortController().signal,
  deadline: 0,
});

test('what is remembered of identities that may not list ends with its hour', async () => {
  const newest = new VersionCheck(clock);
  const forbidden = vaultOf(async (name) => {
    throw refusal(403, name);
  });
  for (let pod = 0; pod < 50; pod++) {
    expect(await newest.toRead(volume(`uid-${pod}`, 'a'), of({ a: 'v1' }), forbidden, new Map())).toHaveLength(1);
  }
  expect(newest.remembered).toBe(50);
  // Pods come and go on a node for months.
  await clock.advance(61 * 60_000);
  expect(await newest.toRead(volume('uid-50', 'a'), of({ a: 'v1' }), forbidden, new Map())).toHaveLength(1);
  expect(newest.remembered).toBe(1);
});

test('an object whose list of versions is too long is read by its latest value', async () => {
  const long = vaultOf(async (name) => {
    throw new ListTooLong('kv.vault.test', `/secrets/${name}/versions`, 1024 * 1024);
  });
  const objects = await new VersionCheck(clock).toRead(volume('', 'a'), of({ a: 'v1' }), long, new Map());
  expect(objects).toMatchObject([{ name: 'a', version: '' }]);
});

test('a failed version check of another volume does not count: the object is requested again', async () => {
  const newest = new VersionCheck(clock);
  const seen: SeenVersions = new Map();
  const begun = Promise.withResolvers<void>();
  let asked = 0;
  const list = (name: string, signal: AbortSignal): Promise<VaultItem[]> => {
    if (name === 'gone') return begun.promise.then(() => Promise.reject(refusal(404, name)));
    if (asked++ > 0) return Promise.resolve([item(name)]);
    // Under way still when the other object of the volume fails, which ends it.
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const broken = newest.toRead(volume('', 'gone', 'shared'), of({ gone: 'v1', shared: 'v1' }), vaultOf(list), seen);
  const healthy = newest.toRead(volume('', 'shared'), of({ shared: 'v1' }), vaultOf(list), seen);
  begun.resolve();
  await expect(broken).rejects.toMatchObject({ status: 404, action: { name: 'gone' } });
  expect(await healthy).toBeUndefined();
});

test.each([
  [
    'the version it has',
    [
      { version: 'v1', created: 9 },
      { version: 'v0', created: 8 },
    ],
    undefined,
  ],
  [
    'another one',
    [
      { version: 'v2', created: 10 },
      { version: 'v1', created: 9 },
    ],
    'v2',
  ],
  ['one that cannot be read', [{ version: 'v1', created: 9, enabled: false }], ''],
  [
    'two of one second',
    [
      { version: 'v1', created: 9 },
      { version: 'v2', created: 9 },
    ],
    '',
  ],
  ['none', [], ''],
])('what is read after the check of the newest version: %s', async (_, listed, version) => {
  const vault = vaultOf(async (name) => listed.map((each) => ({ ...item(name), ...each })));
  const objects = await new VersionCheck(clock).toRead(volume('', 'a'), of({ a: 'v1' }), vault, new Map());
  expect(objects?.[0]?.version).toBe(version);
});

test('a vault that does not know the latest versions takes nothing back', async () => {
  // As after a failover to its other region, which hears of changes a little later.
  let listed: { version: string; created: number }[] = [];
  const vault = vaultOf(async (name) => listed.map((each) => ({ ...item(name), ...each })));
  const newest = new VersionCheck(clock);
  const seen = of({ a: 'v2' });
  const check = () => newest.toRead(volume('', 'a'), seen, vault, new Map());
  listed = [
    { version: 'v2', created: 10 },
    { version: 'v1', created: 9 },
  ];
  expect(await check()).toBeUndefined();
  listed = [{ version: 'v1', created: 9 }];
  expect(await check()).toBeUndefined();
  // Deleted for good and made anew: the version is gone there too, but what is there is newer.
  listed = [{ version: 'v3', created: 11 }];
  expect((await check())?.[0]?.version).toBe('v3');
});

test('what is behind is read as it is in the volume, where another object of that has changed', async () => {
  const lists: Record<string, { version: string; created: number }[]> = {
    changed: [{ version: 'v2', created: 10 }],
    behind: [{ version: 'v0', created: 8 }],
  };
  const vault = vaultOf(async (name) => (lists[name] ?? []).map((each) => ({ ...item(name), ...each })));
  const seen = { versions: { changed: 'v1', behind: 'v1' }, created: new Map([['behind', 9]]) };
  const request = volume('', 'changed', 'behind');
  const objects = await new VersionCheck(clock).toRead(request, seen, vault, new Map());
  expect(objects?.map(({ name, version }) => [name, version])).toEqual([
    ['changed', 'v2'],
    ['behind', 'v1'],
  ]);
});
