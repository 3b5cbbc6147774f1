import { connect } from 'node:net';
import { claimsOf } from './harness.ts';

/** Small, quick and repeatable: the same seed makes the same requests. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const segments = [
  'metadata',
  'Metadata',
  'METADATA',
  'identity',
  'Identity',
  'oauth2',
  'OAuth2',
  'token',
  'Token',
  'instance',
  'host',
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '%5c',
  '\\',
  '%255c',
  '%00',
  '%ff',
  ';a=b',
  'x',
  '\u00e9',
  '%C0%AF',
  '*',
  '%',
  '%zz',
] as const;
const values = [
  'https://vault.azure.net',
  'client-a',
  'client-b',
  '',
  '%00',
  'x'.repeat(3000),
  'a&b',
  "' or 1=1",
  '%',
  '[]',
];
const names = [
  'resource',
  'client_id',
  'object_id',
  'msi_res_id',
  'mi_res_id',
  'api-version',
  'resource[]',
  '__proto__',
];
const methods = [
  'GET',
  'GET',
  'GET',
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'DELETE',
  'TRACE',
  'PATCH',
  'get',
  'CONNECT',
  'BREW',
];
const headers = [
  'Metadata: true',
  'metadata: true',
  'Metadata: True',
  'Metadata: true, true',
  'X-Forwarded-For: 127.0.0.6',
  'x-forwarded-for:',
  'podns: app',
  'podname: a',
  'podname: b',
  'Authorization: Bearer x',
  'Content-Length: 5',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Expect: 100-continue',
  'Connection: Metadata',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Host: 127.0.0.6',
  'Forwarded: for=127.0.0.6',
  'X-Real-IP: 127.0.0.6',
  'Bad Header: x',
  ': empty',
  `Long: ${'y'.repeat(5000)}`,
  'X-\u00e9: x',
  'X: \u0001',
];

/** One request as bytes, near enough to a real one to get past the parser most of the time. */
export function mutatedRequest(next: () => number): Buffer {
  const pick = <T>(list: readonly T[]): T => pickOf(list, next);
  const often = (share: number) => next() < share;
  // Some are right but for one header, so that tokens are given out among all the noise.
  if (often(0.35)) {
    const query = `resource=${encodeURIComponent(pick(values.slice(0, 2)))}&client_id=${pick(['', 'client-a', 'client-b'])}`;
    const odd = often(0.5) ? `${pick(headers.slice(0, 12))}\r\n` : '';
    const right = `${pick(['/metadata', '/Metadata'])}/identity/oauth2/token${pick(['', '/', '/x', '%2F'])}?${query}`;
    return Buffer.from(`GET ${right} HTTP/1.1\r\nHost: h\r\nMetadata: true\r\n${odd}\r\n`, 'latin1');
  }
  let path = often(0.5)
    ? '/metadata/identity/oauth2/token'
    : `${pick(['/', '', '//', 'http://h/', '\\'])}${Array.from({ length: 1 + Math.floor(next() * 6) }, () => pick(segments)).join(pick(['/', '/', '/', '\\', '%2f', '']))}`;
  if (often(0.7)) {
    const query = Array.from({ length: 1 + Math.floor(next() * 4) }, () => `${pick(names)}=${pick(values)}`);
    path += `?${query.join(pick(['&', '&', ';']))}`;
  }
  const chosen = Array.from({ length: Math.floor(next() * 4) }, () => pick(headers));
  if (often(0.7)) chosen.push('Metadata: true');
  if (often(0.9)) chosen.push('Host: 169.254.169.254');
  const end = pick(['\r\n', '\r\n', '\r\n', '\r\n', '\n']);
  const body = often(0.2)
    ? pick(['hello', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', 'GET /host/token HTTP/1.1\r\n\r\n', 'z'.repeat(2000)])
    : '';
  const version = pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.9', 'HTP']);
  const bytes = Buffer.from([`${pick(methods)} ${path} ${version}`, ...chosen, '', body].join(end), 'latin1');
  if (often(0.9)) return bytes;
  for (let i = 0; i < 3; i++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
  return bytes;
}

export interface FuzzTarget {
  readonly port: number;
  /** Source addresses, and the one client id whose tokens each may see. */
  readonly callers: Readonly<Record<string, string>>;
}

export interface FuzzResult {
  requests: number;
  answers: number;
  tokens: number;
  readonly statuses: Record<string, number>;
  /** What must not have happened. */
  readonly wrong: string[];
}

/** Sends mutated requests, several on each connection: at once, each after an answer, cut off or slow. */
export async function fuzz(target: FuzzTarget, count: number, seed: number, parallel = 32): Promise<FuzzResult> {
  const result: FuzzResult = { requests: 0, answers: 0, tokens: 0, statuses: {}, wrong: [] };
  const next = random(seed);
  const addresses = Object.keys(target.callers);
  const worker = async () => {
    while (result.requests < count) {
      const from = addresses[Math.floor(next() * addresses.length)] as string;
      const batch = Array.from({ length: 1 + Math.floor(next() * 4) }, () => mutatedRequest(next));
      result.requests += batch.length;
      const text = await exchange(target.port, from, batch, pickOf(manners, next));
      for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        result.answers++;
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
      }
      for (const [, token = ''] of text.matchAll(/"access_token":"([^"]+)"/g)) {
        result.tokens++;
        const owner = String(claimsOf(token)['appid']);
        if (owner !== target.callers[from])
          result.wrong.push(`${from} got a token of ${owner}: ${batch.map(String).join('\n')}`);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return result;
}

/** Ends each batch, so that the server hangs up as soon as all is answered. */
const last = Buffer.from('GET /metadata/identity/oauth2/token HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
/** Silence after which the server is not going to answer: something in the batch made it wait for more. */
const idleMs = 400;

/** Silence after which the next request is sent without an answer: the one before was no whole request. */
const nextMs = 200;

/** pipelined: at once, which ends the connection; spaced: one after the answer to the other. */
const manners = ['pipelined', 'spaced', 'spaced', 'spaced', 'spaced', 'spaced', 'spaced', 'cut', 'slow'] as const;

function pickOf<T>(list: readonly T[], next: () => number): T {
  return list[Math.floor(next() * list.length)] as T;
}

function exchange(
  port: number,
  from: string,
  batch: readonly Buffer[],
  manner: (typeof manners)[number],
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const parts: Buffer[] = [];
    const whole = Buffer.concat([...batch, last]);
    const spaced = [...batch, last];
    let idle: NodeJS.Timeout;
    let next: NodeJS.Timeout;
    const sendNext = () => {
      clearTimeout(next);
      const part = spaced.shift();
      if (part === undefined) return;
      socket.write(part);
      next = setTimeout(sendNext, nextMs);
    };
    const rest = () => {
      clearTimeout(idle);
      idle = setTimeout(() => socket.destroy(), idleMs);
    };
    socket.on('connect', () => {
      rest();
      if (manner === 'cut') socket.write(whole.subarray(0, Math.floor(whole.length / 2)), () => socket.destroy());
      else if (manner === 'slow') {
        socket.write(whole.subarray(0, 7));
        setTimeout(() => socket.write(whole.subarray(7)), 15);
      } else if (manner === 'spaced') sendNext();
      else socket.write(whole);
    });
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      rest();
      if (manner === 'spaced') sendNext();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(idle);
      clearTimeout(next);
      resolve(Buffer.concat(parts).toString('latin1'));
    });
  });
}
