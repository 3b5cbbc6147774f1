import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { listenForRoot } from '../../../runtime/nmi/http/host-socket.ts';
import { simple, startNmi } from '../harness.ts';

const named = { podns: 'app', podname: 'p' };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-host-socket-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('root gets a token for a pod over the Unix socket without an HMAC, and nothing else is served there', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  const { hostSocket: socketPath } = nmi;
  expect((statSync(socketPath).mode & 0o777).toString(8)).toBe('600');
  const answer = await nmi.ask('/host/token/?resource=r', { socketPath, headers: named });
  expect(answer).toMatchObject({ status: 200, json: { clientid: 'client-id', binding: { name: 'b' } } });
  expect(await nmi.ask('/host/token/?resource=r', { socketPath })).toMatchObject({ status: 400 });
  const headers = { metadata: 'true', ...named };
  for (const path of ['/metadata/identity/oauth2/token?resource=r', '/metadata/instance', '/'])
    expect((await nmi.ask(path, { socketPath, headers })).status).toBe(404);
});

test('a socket that an earlier daemon left is replaced, and one that is served, a file, or a directory of others is not', async () => {
  const path = join(directory, 'a', 'nmi.sock');
  const servers = [createServer(), createServer(), createServer()] as const;
  await listenForRoot(servers[0], path);
  await expect(listenForRoot(servers[1], path)).rejects.toThrow(/another program listens on it; set --host-socket/);
  await new Promise((resolve) => servers[0].close(resolve));
  // Node.js removes the socket when it closes it; a program that is killed does not.
  const left = join(directory, 'left.sock');
  const { spawnSync } = await import('node:child_process');
  const script = `require('net').createServer().listen(${JSON.stringify(left)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(statSync(left).isSocket()).toBe(true);
  await listenForRoot(servers[1], left);
  await new Promise((resolve) => servers[1].close(resolve));
  writeFileSync(path, '');
  await expect(listenForRoot(servers[2], path)).rejects.toThrow(/it exists and is no socket/);
  const open = join(directory, 'open', 'nmi.sock');
  mkdirSync(dirname(open));
  chmodSync(dirname(open), 0o777);
  await expect(listenForRoot(servers[2], open)).rejects.toThrow(/others may write its directory/);
});
