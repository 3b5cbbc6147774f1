import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { providerFiles } from '../../../runtime/volumes/csi/provider-files.ts';
import type { ProviderObject } from '../../../runtime/volumes/csi/provider-object.ts';

/** Classes that ask for very much, of a vault that is a function here. */
const history = 100;
const object = (name: string): ProviderObject => ({
  name,
  type: 'secret',
  version: '',
  file: name,
  format: 'pem',
  encoding: 'utf-8',
  label: name,
  history,
  mode: 0o644,
});

function vaultOf(bytes: number) {
  const seen = { reads: 0, atOnce: 0, most: 0 };
  const each = async <T>(answer: T): Promise<T> => {
    seen.most = Math.max(seen.most, ++seen.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    seen.atOnce--;
    return answer;
  };
  const vault = {
    listVersions: (_: string, name: string) =>
      each(
        Array.from({ length: history }, (_, at) => ({ id: 'i', name, version: `v${at}`, enabled: true, created: at })),
      ),
    getSecret: (name: string, version: string) => {
      seen.reads++;
      return each({ id: 'i', name, version, value: 'x'.repeat(bytes), keyId: undefined });
    },
  };
  return { seen, vault: vault as unknown as KeyVault };
}
const read = (names: number, vault: KeyVault) =>
  providerFiles(
    Array.from({ length: names }, (_, at) => object(`s${at}`)),
    { vault, clock: systemClock, signal: new AbortController().signal, deadline: Infinity, separate: false },
  );

test('what is too much for one answer ends the reading: a class does not fill the memory of the agent', async () => {
  const { vault, seen } = vaultOf(24_000);
  await expect(read(50, vault)).rejects.toThrow(/take more than \d+ bytes.*spread the objects over several/);
  // 4 MiB are 175 of these; a few are under way when that is found.
  expect(seen.reads).toBeLessThan(200);
});

test('histories are read a few versions at a time, as all else', async () => {
  const { vault, seen } = vaultOf(10);
  const { files, versions } = await read(3, vault);
  expect(files).toHaveLength(300);
  expect(files.slice(99, 101).map(({ path }) => path)).toEqual(['s0/99', 's1/0']);
  expect(versions[1]).toEqual({ id: 'secret/s0/1', version: 'v1' });
  expect(seen.most).toBeLessThanOrEqual(8);
});

test('only values that take time to convert wait for their turn', async () => {
  let turns = 0;
  const convert = async <T>(work: () => T | Promise<T>): Promise<T> => {
    turns++;
    return work();
  };
  const options = { clock: systemClock, signal: new AbortController().signal, deadline: Infinity };
  const turnsFor = async (value: string, keyId?: string) => {
    const secret = { id: 'i', name: 's', version: 'v', value, keyId, contentType: 'application/x-pem-file' };
    const vault = { getSecret: async () => secret } as unknown as KeyVault;
    turns = 0;
    await providerFiles([{ ...object('s'), history: 1 }], { ...options, vault, convert, separate: false });
    return turns;
  };
  expect(await turnsFor('plain')).toBe(0);
  expect(await turnsFor('certificate', 'k')).toBe(1);
});

test.each([
  ['s0', 's0/x'],
  ['s0/x', 's0'],
  ['s0/0', 's0/0'],
  ['s0', 's0/x/y'],
])('%s and %s cannot be in one volume', async (one, other) => {
  const { vault } = vaultOf(10);
  const objects = [one, other].map((file) => ({ ...object('s'), file, history: 1 }));
  const options = { vault, clock: systemClock, signal: new AbortController().signal, deadline: Infinity };
  await expect(providerFiles(objects, { ...options, separate: false })).rejects.toThrow(/would both be the file/);
});
