import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault.ts';
import { KeyVaultError } from '../../../runtime/azure/key-vault-error.ts';
import type { VaultItem } from '../../../runtime/azure/key-vault-objects.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { Newest, type SeenVersions } from '../../../runtime/volumes/agent/newest.ts';
import type { FetchOptions } from '../../../runtime/volumes/fetch.ts';
import type { ObjectRequest, VolumeRequest } from '../../../runtime/volumes/volume-request.ts';

/** Looks at the versions of a vault that is a function here. */
const clock = new ManualClock();
const volume = (uid: string, ...names: string[]): VolumeRequest => ({
  vault: 'kv',
  tenantId: 't',
  cloudName: '',
  region: undefined,
  identity: uid === '' ? { mode: 'vm' } : { mode: 'pod', nmiPort: 1 },
  pod: { namespace: 'n', name: 'p', uid },
  objects: names.map(
    (name): ObjectRequest => ({ name, type: 'secret', version: '', file: name, format: 'raw', encoding: 'utf-8' }),
  ),
  filePermission: undefined,
  fsGroup: undefined,
  refreshSeconds: 0,
});
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
  const newest = new Newest(clock);
  const forbidden = vaultOf(async (name) => {
    throw refusal(403, name);
  });
  for (let pod = 0; pod < 50; pod++) {
    expect(await newest.mayDiffer(volume(`uid-${pod}`, 'a'), { a: 'v1' }, forbidden, new Map())).toBe(true);
  }
  expect(newest.remembered).toBe(50);
  // Pods come and go on a node for months.
  await clock.advance(61 * 60_000);
  expect(await newest.mayDiffer(volume('uid-50', 'a'), { a: 'v1' }, forbidden, new Map())).toBe(true);
  expect(newest.remembered).toBe(1);
});

test('a look that failed for another volume is none: the object is asked for anew', async () => {
  const newest = new Newest(clock);
  const seen: SeenVersions = new Map();
  const begun = Promise.withResolvers<void>();
  let asked = 0;
  const list = (name: string, signal: AbortSignal): Promise<VaultItem[]> => {
    if (name === 'gone') return begun.promise.then(() => Promise.reject(refusal(404, name)));
    if (asked++ > 0) return Promise.resolve([item(name)]);
    // Under way still when the other object of the volume fails, which ends it.
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const broken = newest.mayDiffer(volume('', 'gone', 'shared'), { gone: 'v1', shared: 'v1' }, vaultOf(list), seen);
  const healthy = newest.mayDiffer(volume('', 'shared'), { shared: 'v1' }, vaultOf(list), seen);
  begun.resolve();
  await expect(broken).rejects.toMatchObject({ status: 404, action: { name: 'gone' } });
  expect(await healthy).toBe(false);
});

test.each([
  [
    'the version it has',
    [
      { version: 'v1', created: 9 },
      { version: 'v0', created: 8 },
    ],
    false,
  ],
  [
    'another one',
    [
      { version: 'v2', created: 10 },
      { version: 'v1', created: 9 },
    ],
    true,
  ],
  ['one that cannot be read', [{ version: 'v1', created: 9, enabled: false }], true],
  [
    'two of one second',
    [
      { version: 'v1', created: 9 },
      { version: 'v2', created: 9 },
    ],
    true,
  ],
  ['none', [], true],
])('a volume may differ by what the vault lists as the newest: %s', async (_, listed, differs) => {
  const vault = vaultOf(async (name) => listed.map((each) => ({ ...item(name), ...each })));
  expect(await new Newest(clock).mayDiffer(volume('', 'a'), { a: 'v1' }, vault, new Map())).toBe(differs);
});
