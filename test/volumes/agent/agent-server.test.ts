import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AgentServer } from '../../../runtime/volumes/agent/agent-server.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';

const never = new AbortController().signal;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-agent-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('other volumes have a turn after each file of a large one, and names and contents arrive unchanged', async () => {
  const files = Array.from({ length: 300 }, (_, index) => ({
    name: `directory/"${index}" ü\n`,
    mode: 0o440,
    content: Buffer.alloc(1000, index % 256),
  }));
  let turns = 0;
  const socket = join(directory, 's');
  const server = new AgentServer({
    socket,
    async mount(_call, _signal, deliver) {
      let delivering = true;
      const turn = () => {
        turns++;
        if (delivering) setImmediate(turn);
      };
      setImmediate(turn);
      await deliver({ files, group: undefined });
      delivering = false;
    },
    onAnswer: () => undefined,
  });
  await server.listen();
  const call = { directory: '/a/b', document: '{}' };
  const { files: arrived } = await askAgent(call, { socket, timeoutMs: 60_000, signal: never });
  await server.close();
  expect(arrived).toEqual(files);
  expect(turns).toBeGreaterThanOrEqual(files.length);
});
