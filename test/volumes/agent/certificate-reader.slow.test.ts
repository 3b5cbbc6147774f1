import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type { VaultSecret } from '../../../runtime/azure/key-vault/vault-items.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { CertificateReader } from '../../../runtime/volumes/agent/pool/certificate-reader.ts';
import { secretParts } from '../../../runtime/volumes/vault/formats.ts';

const signal = new AbortController().signal;
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

let open: CertificateReader | undefined;
afterEach(() => open?.close());
function start(options: { readonly maxMs?: number } = {}): { reader: CertificateReader; clock: ManualClock } {
  const clock = new ManualClock();
  open = new CertificateReader({ clock, ...options });
  return { reader: open, clock };
}

test('a key in PEM is read in another process, and other text is neither PEM nor PKCS#12', async () => {
  const { reader } = start();
  expect(await reader.read('a', `${key}`, signal)).toEqual({ privateKey: key, certificates: [] });
  expect(await reader.read('a', 'just text', signal)).toBeUndefined();
  await expect(
    reader.read('a', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', signal),
  ).rejects.toThrow();
});

test('a key for which OpenSSL computes for minutes ends at the limit, and the event loop goes on meanwhile', async () => {
  const { reader, clock } = start({ maxMs: 300 });
  await reader.read('a', 'the process has started', signal);
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  const request = { name: 'one', type: 'secret', version: '', file: 'one', format: 'pem', encoding: 'utf-8' } as const;
  const secret = { id: 'i', name: 'one', value: slowKey() } as unknown as VaultSecret;
  const reading = secretParts(request, secret, (value) => reader.read('a', value, signal));
  await expect(reading).rejects.toMatchObject({
    code: 'AZ_VOLUME_CONTENT',
    message: expect.stringMatching(/"one" cannot be written as pem: .* more than 300 ms; use raw, or a key of/),
  });
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
  expect(await reader.read('a', `${key}`, signal)).toBeDefined();
  expect(clock.monotonic()).toBe(0);
});

test('a namespace that has used up its time waits for its credit; its neighbour does not', async () => {
  const { reader, clock } = start({ maxMs: 2600 });
  const slow = () => reader.read('a', slowKey(), signal);
  let error: unknown;
  for (let tries = 0; !isRefusal(error) && tries < 4; tries++) error = await slow().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'AZ_VOLUME_AGENT', retryAfterMs: expect.any(Number) });
  expect(await reader.read('b', `${key}`, signal)).toBeDefined();
  await expect(reader.read('a', `${key}`, signal)).rejects.toThrow(/took too long to read/);
  await clock.advance(5000);
  expect(await reader.read('a', `${key}`, signal)).toBeDefined();
});

test('a mount that ends while it waits for the process does not wait longer', async () => {
  const { reader } = start({ maxMs: 300 });
  const stop = new AbortController();
  const slow = reader.read('a', slowKey(), signal).catch(() => undefined);
  const waiting = reader.read('a', `${key}`, stop.signal);
  stop.abort(new Error('the driver has gone'));
  await expect(waiting).rejects.toThrow('the driver has gone');
  await slow;
});

test('a closed reader refuses texts', async () => {
  const { reader } = start();
  reader.close();
  await expect(reader.read('a', `${key}`, signal)).rejects.toMatchObject({ code: 'AZ_VOLUME_AGENT' });
});

function isRefusal(error: unknown): boolean {
  return (error as { readonly code?: string } | undefined)?.code === 'AZ_VOLUME_AGENT';
}

/** A DSA key of 22 KB in PKCS#8, which has no public part: OpenSSL computes it with a modulus of 32,768 bits. */
function slowKey(): string {
  const number = Buffer.alloc(4096, 0xa5);
  const integer = der(0x02, Buffer.from([0]), number);
  const algorithm = der(0x30, Buffer.from('06072a8648ce380401', 'hex'), der(0x30, integer, integer, integer));
  const body = der(0x30, Buffer.from('020100', 'hex'), algorithm, der(0x04, integer)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

/** One element of DER with a length of two bytes. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, 0x82, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}
