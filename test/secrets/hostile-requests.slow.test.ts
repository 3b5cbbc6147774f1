/** Requests that no poller sends, on the wire of a running endpoint. */
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverCertificate } from '../fakes/certificates.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let replica: Replica;
let machine: Identity;
let token: string;
const path = '/v1/secrets/shop/key';
const value = 'value-of-the-hostile-test';

beforeAll(async () => {
  world = await EndpointWorld.start();
  machine = await world.identity('machine');
  await world.write(await world.secret('shop', 'key', { consumers: [{ objectId: machine.objectId }] }), 1, value);
  replica = await world.replica(['--caller-requests=2000']);
  token = await world.token(machine);
  await eventually('the secret is served', async () => {
    await pass(world.clock, 1000, 1000);
    return (await replica.get(path, { authorization: `Bearer ${token}` })).status === 200;
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function open(): Promise<TLSSocket> {
  const port = await replica.endpoint.listening;
  const socket = connect({ port, host: '127.0.0.1', ca: serverCertificate().ca, servername: 'localhost' });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return socket;
}

/** Sends bytes as they are; resolves to all that comes back until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = await open();
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  await closed;
  return answer;
}

const request = (target: string, headers: readonly string[] = [], method = 'GET') =>
  [
    `${method} ${target} HTTP/1.1`,
    'host: x',
    'connection: close',
    `authorization: Bearer ${token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

test('only the exact path of a secret leads to it: no other case, encoding, dots, or form of the target', async () => {
  expect(await raw(request(path))).toContain(value);
  const targets = [
    '/v1/secrets/SHOP/key',
    '/v1/secrets/shop/KEY',
    '/v1/Secrets/shop/key',
    '/v1/secrets/%73hop/key',
    '/v1/secrets/shop/%6bey',
    '/v1/secrets/shop%2fkey',
    '/v1/secrets/shop/key%00',
    '/v1/secrets/shop/key/',
    '/v1/secrets//shop/key',
    '//v1/secrets/shop/key',
    '/v1/secrets/other/../shop/key',
    '/v1/secrets/other/%2e%2e/shop/key',
    '/v1/secrets/other/..%2fshop/key',
    '/v1/secrets/other/..;/shop/key',
    '\\v1\\secrets\\shop\\key',
    '/v1/secrets/shop\\key',
    '/v1/secrets/shop/key;x',
    '/v1/secrets/shop/key#x',
    'https://127.0.0.1/v1/secrets/shop/key',
    '*',
    `/v1/secrets/shop/${'a'.repeat(2000)}`,
    '/v1/secrets/__proto__/constructor',
  ];
  const answers = await Promise.all(targets.map(async (target) => [target, await raw(request(target))] as const));
  for (const [target, answer] of answers) {
    expect({ target, refused: [400, 404].includes(statusOf(answer)) }).toEqual({ target, refused: true });
    expect(answer).not.toContain(value);
  }
});

test('other methods, two bodies in one, and names with control characters get an error and no value', async () => {
  const requests = [
    request(path, [], 'HEAD'),
    request(path, [], 'OPTIONS'),
    request(path, [], 'TRACE'),
    request(path, ['x-http-method-override: GET'], 'DELETE'),
    request(path, ['content-length: 5', 'transfer-encoding: chunked']),
    request(path, ['content-length: 5', 'content-length: 6']),
    request(path, ['transfer-encoding: chunked']),
    request(path, ['x: a\r\n b', 'content-length: 1']),
    request('/v1/secrets/shop/key\u0001'),
    request(`${path}?wait=-1`),
    request(`${path}?wait=1e1`),
    request(`${path}?wait=%31&wait=1`),
    request(`${path}?version=1`),
    request(`${path}?Version=previous`),
    request(path).replace('host: x\r\n', ''),
    request(path, ['expect: 100-continue']),
    request(path, ['expect: anything']),
    `\r\n\r\n${'\0'.repeat(100)}`,
  ];
  for (const text of requests) {
    const answer = await raw(text);
    const status = statusOf(answer);
    expect({ text, status, refused: [400, 405].includes(status) }).toEqual({ text, status, refused: true });
    expect(answer).not.toContain(value);
  }
});

test('headers beyond 32 KB, and thousands of them, end the connection', async () => {
  expect(statusOf(await raw(request(path, [`x: ${'a'.repeat(40_000)}`])))).toBe(431);
  const many = Array.from({ length: 5000 }, (_, i) => `h${i}: ${i}`);
  expect(statusOf(await raw(request(path, many)))).toBe(431);
  expect(statusOf(await raw(request(path)))).toBe(200);
});

test('clients that send nothing, half a handshake, or a byte a second are cut off', async () => {
  const port = await replica.endpoint.listening;
  const silent = connectTcp(port, '127.0.0.1');
  const half = connectTcp(port, '127.0.0.1');
  half.write(Buffer.from('16030100ff01', 'hex'));
  const slow = await open();
  slow.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx: `);
  const timer = setInterval(() => slow.write('a'), 1000);
  const idle = await open();
  const ended = [silent, half, slow, idle].map((socket) => {
    socket.on('error', () => undefined).resume();
    return new Promise((resolve) => socket.once('close', resolve));
  });
  const started = performance.now();
  await Promise.all(ended);
  clearInterval(timer);
  expect(performance.now() - started).toBeGreaterThan(5000);
  expect(statusOf(await raw(request(path)))).toBe(200);
}, 60_000);

test('who sends requests without waiting for their answers is cut off', async () => {
  const plain = request(path).replace('connection: close\r\n', '');
  expect(await raw(plain.repeat(600))).toBe('');
  // Each of these arrives alone, and the first two wait.
  const tag = /etag: (\S+)/i.exec(await raw(request(path)))?.[1] ?? '';
  const poll = request(`${path}?wait=60`, [`if-none-match: ${tag}`]).replace('connection: close\r\n', '');
  const socket = await open();
  const answers = text(socket).catch(() => '');
  for (let sent = 0; sent < 3; sent++) {
    socket.write(poll);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // It ends before any of the polls is answered.
  expect(await answers).toBe('');
});

test('a tag of a caller is compared as one text, and a token is read from one header only', async () => {
  const tag = /etag: (\S+)/i.exec(await raw(request(path)))?.[1] ?? '';
  expect(statusOf(await raw(request(path, [`if-none-match: ${tag}`])))).toBe(304);
  for (const other of ['*', `W/${tag}`, `${tag}, "x"`, '""', 'a'.repeat(5000)])
    expect(statusOf(await raw(request(path, [`if-none-match: ${other}`])))).toBe(200);
  const none = request(path).replace(/authorization: .*\r\n/, '');
  for (const header of [
    `cookie: authorization=Bearer ${token}`,
    `x-authorization: Bearer ${token}`,
    'authorization: Bearer',
  ])
    expect(statusOf(await raw(none.replace('host: x', `host: x\r\n${header}`)))).toBe(401);
  expect(statusOf(await raw(none.replace(path, `${path}?access_token=${token.slice(0, 100)}`)))).toBe(400);
});

test('ten thousand names that do not exist get one answer, and leave nothing behind', async () => {
  const before = replica.endpoint.held.ages().length;
  const headers = { authorization: `Bearer ${token}` };
  const answers = new Set<string>();
  for (let round = 0; round < 100; round++) {
    const names = Array.from({ length: 100 }, (_, i) => `n${round}-${i}`);
    const round_ = names.map((name) => replica.get(`/v1/secrets/${name}/${name}`, headers));
    for (const [index, { status, text }] of (await Promise.all(round_)).entries())
      answers.add(`${status} ${text.replaceAll(names[index] ?? '', 'NAME')}`);
    await pass(world.clock, 1000, 1000);
  }
  expect([...answers]).toEqual([expect.stringMatching(/^403 .*"not_a_consumer".* NAME\/NAME/)]);
  expect(replica.endpoint.held.ages()).toHaveLength(before);
}, 120_000);

test('an audit line of a hostile request is one line, and has no token', async () => {
  await raw(request('/v1/secrets/shop/other', ['user-agent: x", "outcome":"served']));
  const lines = replica.lines.filter((line) => line.includes('"managedSecret":"shop/other"'));
  expect(lines).toHaveLength(1);
  for (const line of replica.lines) {
    expect(JSON.parse(line)).toMatchObject({ component: 'audit' });
    expect(line.includes(token) || line.includes(value)).toBe(false);
  }
});

test('long polls of one caller end at its limit, and another namespace is still served', async () => {
  const other = await world.identity('other');
  await world.write(await world.secret('calm', 'key', { consumers: [{ objectId: other.objectId }] }), 1, 'calm');
  const calm = { authorization: `Bearer ${await world.token(other)}` };
  await eventually('the other secret is served', async () => {
    await pass(world.clock, 1000, 1000);
    return (await replica.get('/v1/secrets/calm/key', calm)).status === 200;
  });
  const { headers } = await replica.get('/v1/secrets/calm/key', calm);
  const tag = /etag: (\S+)/i.exec(await raw(request(path)))?.[1] ?? '';
  // A connection carries two.
  const poll = request(`${path}?wait=60`, [`if-none-match: ${tag}`]).replace('connection: close\r\n', '');
  const sockets: TLSSocket[] = [];
  // A handshake has ten seconds, and so has the first request after it: a slow machine does few of them in that time.
  while (sockets.length < 1050) {
    const opened = await Promise.all(Array.from({ length: 50 }, open));
    for (const socket of opened) socket.resume().write(poll.repeat(2));
    sockets.push(...opened);
  }
  await eventually('a hundred of them are refused', async () => {
    const metrics = await replica.metrics.metrics();
    return Number(/refusals_total\{reason="wait_limit"\} (\d+)/.exec(metrics)?.[1]) === 100;
  });
  expect((await replica.get('/v1/secrets/calm/key', calm)).status).toBe(200);
  const waiting = replica.get('/v1/secrets/calm/key?wait=1', { ...calm, 'if-none-match': String(headers['etag']) });
  await eventually('the wait of the other namespace ends by its time', async () => {
    await pass(world.clock, 1000, 1000);
    return (await Promise.race([waiting, undefined]))?.status === 304;
  });
  for (const socket of sockets) socket.destroy();
  await eventually('the waits of the connections end with them', async () => {
    await pass(world.clock, 1000, 1000);
    return (await replica.metrics.metrics()).includes('azimuth_secrets_waiting_requests 0');
  });
}, 120_000);
