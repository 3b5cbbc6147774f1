import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { authorityFilter, PlainAuthority } from '../../../runtime/volumes/csi/authority.ts';

/** HTTP/2 of Node behind the filter; its answer is what it was sent, and the authority that it saw. */
let directory: string;
const http2 = createHttp2Server();
const listener = createServer((socket) => http2.emit('connection', new PlainAuthority(socket)));
const bare = createHttp2Server();
const path = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-h2-'));
  for (const server of [http2, bare]) {
    server.on('stream', (stream, headers) => {
      stream.respond({
        ':status': 200,
        'x-authority': headers[':authority'],
        'x-path': headers[':path'],
        'x-more': headers['x-more'],
      });
      stream.pipe(stream);
    });
  }
  await new Promise<void>((resolve) => listener.listen(path('filtered'), resolve));
  await new Promise<void>((resolve) => bare.listen(path('bare'), resolve));
});
afterAll(async () => {
  listener.close();
  bare.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Requests over one connection, one after the other, so that the later ones use the table of the first. */
async function ask(socket: string, authority: string, bodies: readonly string[]) {
  const session = connectHttp2('http://localhost', { createConnection: () => connect(path(socket)) });
  session.on('error', () => undefined);
  try {
    const answers = [];
    for (const [index, body] of bodies.entries()) {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/v1alpha1.CSIDriverProvider/Mount${index}`,
        ':authority': authority,
        'x-more': 'm'.repeat(index * 50 + 1),
      });
      answers.push(
        await new Promise<Record<string, unknown>>((resolve, reject) => {
          let headers = {};
          let text = '';
          stream.on('response', (given) => {
            headers = given;
          });
          stream.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          stream.on('end', () => resolve({ ...headers, text }));
          stream.on('error', reject);
          stream.end(body);
        }),
      );
    }
    return answers;
  } finally {
    session.close();
  }
}

const socketPath = '/var/run/secrets-store-csi-providers/azure.sock';

test('HTTP/2 in Node refuses the path of a socket as an authority, which is why it is replaced', async () => {
  await expect(ask('bare', socketPath, ['a'])).rejects.toThrow(/PROTOCOL_ERROR/);
});

test.each([
  ['a path', socketPath],
  ['an escaped path', encodeURIComponent(socketPath)],
  ['a long path', `/${'~\u007f{'.repeat(60)}`],
  ['localhost', 'localhost'],
])('a client that names %s is served, over and over', async (_, authority) => {
  const bodies = ['', 'short', 'x'.repeat(100_000), 'again', 'and again'];
  const answers = await ask('filtered', authority, bodies);
  expect(answers.map(({ text }) => text)).toEqual(bodies);
  for (const [index, answer] of answers.entries()) {
    expect(answer).toMatchObject({ ':status': 200, 'x-path': `/v1alpha1.CSIDriverProvider/Mount${index}` });
    expect(answer['x-more']).toBe('m'.repeat(index * 50 + 1));
    expect(answer['x-authority']).toMatch(/^localhostt*$/);
    // HPACK's table has it with its length, and drops old entries by their sizes.
    expect(String(answer['x-authority'])).toHaveLength(Buffer.byteLength(authority));
  }
});

test('a host of any characters has the length of what it replaces, coded or not', async () => {
  const character = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
  await fc.assert(
    fc.asyncProperty(fc.array(character, { minLength: 1, maxLength: 200 }), async (characters) => {
      const [answer] = await ask('filtered', characters.join(''), ['body']);
      expect(String(answer?.['x-authority'])).toHaveLength(Buffer.byteLength(characters.join(''), 'latin1'));
    }),
    { numRuns: 60 },
  );
});

test('pieces of any size and bytes of any kind pass without an end and without a loss', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 20 }), (parts) => {
      const filter = authorityFilter();
      for (const part of parts) filter(Buffer.from(part));
    }),
  );
  // Frames without headers, byte by byte: settings, and data of a length.
  const frames = Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
    Buffer.from([0, 0, 3, 0, 0, 0, 0, 0, 1, 7, 8, 9]),
  ]);
  const filter = authorityFilter();
  expect(Buffer.concat([...frames].flatMap((byte) => filter(Buffer.from([byte]))))).toEqual(frames);
});

test('the bytes of a large request pass without a copy', () => {
  const filter = authorityFilter();
  filter(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'));
  const frame = Buffer.concat([Buffer.from([0, 0x40, 0, 0, 0, 0, 0, 0, 1]), Buffer.alloc(16_384, 7)]);
  const parts = [frame.subarray(0, 5000), frame.subarray(5000)];
  const passed = parts.flatMap((part) => filter(part));
  expect(Buffer.concat(passed)).toEqual(frame);
  const copied = passed.filter(({ buffer }) => buffer !== frame.buffer);
  expect(copied.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(9);
});

test('padding and priority around a header block stay what they are', () => {
  const filter = authorityFilter();
  filter(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'));
  const block = [0x83, 0x41, 2, 0x2f, 0x78, 0x86];
  const frame = (payload: readonly number[], flags: number) =>
    Buffer.from([0, 0, payload.length, 1, flags, 0, 0, 0, 1, ...payload]);
  const plain = [0x83, 0x41, 2, 0x6c, 0x6f, 0x86];
  const around = (inner: readonly number[]) => [3, 0, 0, 0, 0, 15, ...inner, 0, 0, 0];
  expect(Buffer.concat(filter(frame(around(block), 0x2c)))).toEqual(frame(around(plain), 0x2c));
  // One that ends in mid-text goes on in the next frame, which the filter does not read.
  const cut = frame([0x83, 0x41, 9, 0x2f], 0);
  expect(Buffer.concat(filter(cut))).toEqual(cut);
});
