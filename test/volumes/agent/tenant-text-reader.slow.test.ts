import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import type { VaultSecret } from '../../../runtime/azure/key-vault/vault-items.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { TenantTextReader } from '../../../runtime/volumes/agent/pool/tenant-text-reader.ts';
import { VaultPool } from '../../../runtime/volumes/agent/pool/vault-pool.ts';
import { readYaml } from '../../../runtime/volumes/options/bounded-yaml.ts';
import { defaultSettings } from '../../../runtime/volumes/options/settings.ts';
import { secretParts } from '../../../runtime/volumes/vault/formats.ts';
import { nodeDaemonAt } from '../../../runtime/volumes/vault/node-daemon-client.ts';

const signal = new AbortController().signal;
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

let open: TenantTextReader | undefined;
afterEach(() => open?.close());
function start(options: { readonly maxMs?: number } = {}): { reader: TenantTextReader; clock: ManualClock } {
  const clock = new ManualClock();
  // On a busy machine the process, which has a low priority, gets a twentieth of a processor.
  open = new TenantTextReader({ clock, waitMs: 600_000, ...options });
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
}, 900_000);

test('a mount that ends while it waits for the process does not wait longer', async () => {
  const { reader } = start({ maxMs: 300 });
  const stop = new AbortController();
  const slow = reader.read('a', slowKey(), signal).catch(() => undefined);
  const waiting = reader.read('a', `${key}`, stop.signal);
  stop.abort(new Error('the driver has gone'));
  await expect(waiting).rejects.toThrow('the driver has gone');
  await slow;
});

test('YAML is read in another process, and the event loop goes on meanwhile', async () => {
  const { reader } = start();
  await reader.read('a', 'the process has started', signal);
  const item = `- |\n  objectName: name\n  objectAlias: "a/file"\n`;
  const job = { texts: [`array:\n${item.repeat(400)}`, 'a: [1, b]', '{'], parts: 7 };
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const answer = await reader.readYaml('a', job, signal);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
  expect(answer).toEqual(readYaml(job));
  expect(answer).toMatchObject({
    values: [{ array: expect.any(Array) }, { a: ['1', 'b'] }],
    problem: expect.any(String),
  });
});

test('the process has a lower priority than the agent, with which it shares the processors of a pod', async () => {
  const { reader } = start();
  await reader.read('a', 'the process has started', signal);
  const children = readdirSync('/proc').filter((name) => {
    const stat = /^\d+$/.test(name) ? tryRead(`/proc/${name}/stat`) : '';
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return parent === String(process.pid) && tryRead(`/proc/${name}/cmdline`).includes('tenant-text-program');
  });
  expect(children).toHaveLength(1);
  expect(getPriority(Number(children[0]))).toBe(Math.max(10, getPriority()));
});

test('a long class is read by the process for texts, a short one without it', async () => {
  const { clock } = start();
  const nodeDaemon = nodeDaemonAt('/nonexistent/nmi.sock');
  const pool = new VaultPool({ settings: defaultSettings, env: {}, clock, nodeDaemon });
  await pool.close();
  const read = (text: string) => pool.readYaml('a', { texts: [text], parts: 0 }, signal);
  expect(await read('a: b')).toMatchObject({ values: [{ a: 'b' }] });
  await expect(read(`a: ${'b'.repeat(5000)}`)).rejects.toMatchObject({ code: 'AZ_VOLUME_AGENT' });
});

test('a class that the driver asks for again is not parsed again', async () => {
  const { clock } = start();
  const nodeDaemon = nodeDaemonAt('/nonexistent/nmi.sock');
  const pool = new VaultPool({ settings: defaultSettings, env: {}, clock, nodeDaemon });
  const read = (text: string) => pool.readYaml('a', { texts: [text], parts: 0 }, signal);
  const first = await read('a: b');
  expect(await read('a: b')).toBe(first);
  expect(await read('a: c')).toMatchObject({ values: [{ a: 'c' }] });
  await pool.close();
});

test('a closed reader refuses texts', async () => {
  const { reader } = start();
  reader.close();
  await expect(reader.read('a', `${key}`, signal)).rejects.toMatchObject({ code: 'AZ_VOLUME_AGENT' });
});

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

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
