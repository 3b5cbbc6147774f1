import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AgentAway, askAgent, successParts } from '../../../runtime/volumes/driver/agent-client.ts';

let directory: string;
let server: Server;
let serve: (socket: Socket) => void;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-agent-'));
  server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(join(directory, 's'), resolve));
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (silenceMs: number, timeoutMs = 60_000) =>
  askAgent(
    { directory: '/a/b', document: '{}' },
    { socket: join(directory, 's'), timeoutMs, silenceMs, signal: new AbortController().signal },
  );

test('an agent that takes the request and sends nothing is as one that is not there', async () => {
  serve = () => undefined;
  await expect(ask(50)).rejects.toThrow(AgentAway);
});

test('an agent that falls silent after a while is as one that is not there', async () => {
  serve = (socket) => socket.write('\n');
  await expect(ask(200)).rejects.toThrow(AgentAway);
});

test('an agent that works for longer than the silence is waited for', async () => {
  serve = (socket) => {
    let beats = 0;
    const heart = setInterval(() => {
      socket.write('\n');
      if (++beats < 20) return;
      clearInterval(heart);
      socket.end('{"status":"Failure","message":"no such vault"}');
    }, 100);
  };
  await expect(ask(1500)).rejects.toThrow('no such vault');
});

test.each([
  ['with all members', { group: 7, versions: { 'a "b"': '1' } }],
  ['with none but files', {}],
  ['with a member that is undefined', { group: undefined }],
])('content is the same after its way in parts, %s', async (_, members) => {
  const files = ['a "b"', 'c'].map((name) => ({ name, mode: 0o440, content: Buffer.from([0, 255, 10]) }));
  serve = (socket) => {
    for (const part of successParts({ files, ...members })) socket.write(part);
    socket.end();
  };
  expect(await ask(60_000)).toEqual({ files, ...members });
});

test('aliases of one object are encoded once', () => {
  const content = Buffer.from('a certificate');
  const files = ['a', 'b', 'c'].map((name) => ({
    name,
    mode: 0o440,
    content: name === 'c' ? Buffer.from('x') : content,
  }));
  const [first, second, third] = [...successParts({ files })].filter((part) => typeof part !== 'string');
  expect(second).toBe(first);
  expect(third?.toString()).toBe('eA==');
});
