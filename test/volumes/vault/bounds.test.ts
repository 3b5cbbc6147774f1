import { expect, test } from '@jest/globals';
import type { HttpAnswer } from '../../../runtime/azure/http-call.ts';
import { AuthError, type AuthErrorInfo, AuthUnavailable } from '../../../runtime/azure/identity/entra-errors.ts';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import type { VaultSecret } from '../../../runtime/azure/key-vault/vault-items.ts';
import { type Clock, systemClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import type { VolumeObject } from '../../../runtime/volumes/options/volume-spec.ts';
import type { Convert } from '../../../runtime/volumes/vault/conversion.ts';
import { type FetchOptions, fetchObjects } from '../../../runtime/volumes/vault/fetch.ts';
import { tryReadPem } from '../../../runtime/volumes/vault/key-and-chain.ts';

const pauses: number[] = [];
const clock: Clock = { ...systemClock, sleep: async (ms) => void pauses.push(ms) };
const object = (file: string, format: VolumeObject['format'] = 'raw'): VolumeObject => ({
  name: 'one',
  type: 'secret',
  version: '',
  file,
  format,
  encoding: 'utf-8',
});
function options(getSecret: () => Promise<string>, change: Partial<FetchOptions> = {}): FetchOptions {
  const secret = async () =>
    ({ id: 'i', name: 'one', version: 'v', value: await getSecret() }) as unknown as VaultSecret;
  const vault = { getSecret: secret } as unknown as KeyVault;
  return { vault, clock, signal: AbortSignal.timeout(60_000), deadline: clock.monotonic() + 60_000, ...change };
}
const megabyte = 1024 * 1024;

test('five hundred aliases of one secret are converted once', async () => {
  let conversions = 0;
  let reads = 0;
  const convert: Convert = async (work) => {
    conversions++;
    return work();
  };
  const value = 'x'.repeat(25_000);
  const read = async () => {
    reads++;
    return value;
  };
  const aliases = Array.from({ length: 500 }, (_, index) => object(`alias-${index}`));
  const fetched = await fetchObjects(aliases, 16 * megabyte, options(read, { convert }));
  expect(fetched.map(({ request }) => request.file)).toEqual(aliases.map(({ file }) => file));
  expect(new Set(fetched.map(({ content }) => content)).size).toBe(1);
  expect([conversions, reads]).toEqual([1, 1]);
});

test('files that are more than the volume holds are found out while reading', async () => {
  const aliases = Array.from({ length: 500 }, (_, index) => object(`alias-${index}`));
  const reading = fetchObjects(
    aliases,
    megabyte,
    options(async () => 'x'.repeat(25_000)),
  );
  await expect(reading).rejects.toThrow(/more than the 1048576 bytes of the volume; raise volumeBytes/);
});

test('a value that is longer than vaults keep is not parsed', async () => {
  const reading = fetchObjects(
    [object('a', 'pem')],
    megabyte,
    options(async () => 'x'.repeat(70_000)),
  );
  await expect(reading).rejects.toThrow(/more than 65536 characters; use raw/);
});

test.each([
  ['blocks without an end', '-----BEGIN CERTIFICATE-----'.repeat(2400), /^$/],
  ['blocks of many kinds without an end', many((index) => `-----BEGIN K${index}-----`), /^$/],
  [
    'more blocks than a chain has',
    many((index) => `-----BEGIN A-----${index}-----END A-----`),
    /more than 100 PEM blocks/,
  ],
  ['ends before their beginnings', '-----END A----------BEGIN A-----'.repeat(2000), /^$/],
])('PEM with %s is read in one pass', (_, text, problem) => {
  const message = () => {
    try {
      tryReadPem(text);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(text.length).toBeGreaterThan(2000);
  expect(message()).toMatch(problem);
});

const refusal = (info: Partial<AuthErrorInfo>) => new AuthError('Entra', 'client', info as AuthErrorInfo);

test.each([500, 503, 429, 408])('a token endpoint that answers %i is asked again within the call', async (status) => {
  let calls = 0;
  const fetched = await fetchObjects(
    [object('a')],
    megabyte,
    options(async () => {
      if (++calls < 3) throw new AuthUnavailable('Entra', 'client', { status } as HttpAnswer, undefined);
      return 'value';
    }),
  );
  expect(fetched[0]?.content.toString()).toBe('value');
  expect(calls).toBe(3);
});

test('a token endpoint that refuses the client is not asked again', async () => {
  let calls = 0;
  const reading = fetchObjects(
    [object('a')],
    megabyte,
    options(async () => {
      calls++;
      throw refusal({ status: 401 });
    }),
  );
  await expect(reading).rejects.toThrow(AuthError);
  expect(calls).toBe(1);
});

test.each([
  ['ENOTFOUND', 1],
  ['EAI_AGAIN', 3],
  ['ECONNREFUSED', 3],
])('a host that fails with %s is tried as often as that can help', async (code, tries) => {
  let calls = 0;
  const cause = Object.assign(new Error(`getaddrinfo ${code} kv1.vault.azure.net`), { code });
  const reading = fetchObjects(
    [object('a')],
    megabyte,
    options(async () => {
      if (++calls < 3) throw new AzimuthError('AZ_KEYVAULT_UNREACHABLE', `did not answer: ${code}`, { cause });
      return 'value';
    }),
  );
  await reading.catch(() => undefined);
  expect(calls).toBe(tries);
});

function many(make: (index: number) => string): string {
  return Array.from({ length: 1500 }, (_, index) => make(index)).join('\n');
}
