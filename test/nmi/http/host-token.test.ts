import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { HostChallenge, hostMac } from '../../../runtime/nmi/http/host-token.ts';
import { RequestHandler } from '../../../runtime/nmi/http/request-handler.ts';
import { simple, startNmi } from '../harness.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const request = { method: 'GET', target: '/host/token/?resource=r', namespace: 'app', name: 'p', uid: '' };
const clock = new ManualClock();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'azimuth-host-token-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function nonceOf(challenge: HostChallenge): string {
  return /^Azimuth-HMAC nonce="([\w-]+)"$/.exec(challenge.challenge())?.[1] ?? '';
}

test('the file is made for root alone and outlives the daemon; one that others could read is closed, a short one replaced', () => {
  const path = join(root, 'nmi', 'token');
  HostChallenge.open(path, clock);
  expect([mode(path), mode(join(root, 'nmi'))]).toEqual(['600', '700']);
  const secret = readFileSync(path, 'utf8').trim();
  chmodSync(path, 0o644);
  const again = HostChallenge.open(path, clock);
  expect(mode(path)).toBe('600');
  const nonce = nonceOf(again);
  expect(again.accepts(`Azimuth-HMAC nonce="${nonce}", mac="${hostMac(secret, request, nonce)}"`, request)).toBe(true);
  writeFileSync(path, 'short');
  HostChallenge.open(path, clock);
  expect(readFileSync(path, 'utf8').trim().length).toBeGreaterThan(32);
});

test('an HMAC is valid once, for its request, for half a minute, and for a nonce of this daemon', async () => {
  const path = join(root, 'token');
  const ours = HostChallenge.open(path, clock);
  const secret = readFileSync(path, 'utf8').trim();
  const header = (nonce: string, about = request, key = secret) =>
    `Azimuth-HMAC nonce="${nonce}", mac="${hostMac(key, about, nonce)}"`;
  const used = header(nonceOf(ours));
  expect([ours.accepts(used, request), ours.accepts(used, request)]).toEqual([true, false]);
  for (const other of ['method', 'target', 'namespace', 'name', 'uid'])
    expect([other, ours.accepts(header(nonceOf(ours), { ...request, [other]: 'other' }), request)]).toEqual([
      other,
      false,
    ]);
  const [one, another] = [nonceOf(ours), nonceOf(ours)];
  expect(ours.accepts(header(one).replace(one, another), request)).toBe(false);
  expect(ours.accepts(header(nonceOf(ours), request, 'guess'), request)).toBe(false);
  // The nonce of a process that listened in the daemon's place, or of the daemon before a restart.
  expect(ours.accepts(header(nonceOf(HostChallenge.open(path, clock))), request)).toBe(false);
  const late = header(nonceOf(ours));
  await clock.advance(30_000);
  expect(ours.accepts(late, request)).toBe(false);
  for (const wrong of [undefined, '', `Bearer ${secret}`, secret]) expect(ours.accepts(wrong, request)).toBe(false);
});

test('nonces that nobody uses are forgotten, the oldest first, beyond a thousand', () => {
  const path = join(root, 'token');
  const ours = HostChallenge.open(path, clock);
  const secret = readFileSync(path, 'utf8').trim();
  const nonces = Array.from({ length: 1001 }, () => nonceOf(ours));
  const accepts = (nonce = '') =>
    ours.accepts(`Azimuth-HMAC nonce="${nonce}", mac="${hostMac(secret, request, nonce)}"`, request);
  expect([accepts(nonces[0]), accepts(nonces[1]), accepts(nonces.at(-1))]).toEqual([false, true, true]);
});

test('by TCP host tokens are off, and by the flag for callers that answer the challenge', async () => {
  const named = { podns: 'app', podname: 'p' };
  {
    await using nmi = await startNmi();
    await simple(nmi);
    expect(await nmi.ask(request.target, { headers: named })).toMatchObject({ status: 404 });
  }
  await using nmi = await startNmi({ args: ['--host-token-tcp'] });
  await simple(nmi);
  const challenged = await nmi.ask(request.target, { headers: named });
  expect(challenged.status).toBe(401);
  const nonce = /nonce="([\w-]+)"/.exec(String(challenged.headers['www-authenticate']))?.[1] ?? '';
  const mac = hostMac(readFileSync(nmi.hostTokenFile, 'utf8').trim(), request, nonce);
  const headers = { ...named, authorization: `Azimuth-HMAC nonce="${nonce}", mac="${mac}"` };
  expect(await nmi.ask(request.target, { headers })).toMatchObject({ status: 200, json: { clientid: 'client-id' } });
  expect(await nmi.ask(request.target, { headers })).toMatchObject({ status: 401 });
});

test.each([
  ['10.244.0.7', 500],
  ['fd00::7', 500],
  ['', 500],
  ['127.0.0.2', 200],
  ['::1', 200],
])('by TCP a caller with the address %p gets no host token unless it is on the loopback', async (address, status) => {
  const granted = { pod: { metadata: {} }, body: '{}', use: undefined };
  const response = { writeHead: () => response, end: () => response, on: () => response };
  const options = {
    tokens: { handleForHost: async () => granted },
    audit: { commit: () => undefined },
    metrics: { operation: () => undefined },
    clock,
    hostTcp: 'anyone',
  };
  const handler = new RequestHandler(options as never, {} as never);
  const exchange = {
    request: { headers: { podns: 'app', podname: 'p' }, method: 'GET', url: request.target },
    response,
    target: { route: 'host', path: '/host/token/', query: new URLSearchParams('resource=r') },
    address,
    addressReused: false,
    fromRoot: false,
    signal: new AbortController().signal,
  };
  const answered = await handler.handle(exchange as never).catch((error: { status: number }) => error.status);
  expect(answered).toBe(status);
});
