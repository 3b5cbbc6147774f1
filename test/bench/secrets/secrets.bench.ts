import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import type { Bench } from '../bench.ts';
import type { Usage } from '../usage.ts';

const machines = 1000;
const requests = 20_000;
const turns = 3;

/** A server in a process of its own. */
interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
}

export const bench: Bench = {
  name: 'secrets',
  description:
    'the secret endpoint under 1,000 polling machines, against a bare node:https server that answers as many bytes',
  async run() {
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
    const servers: Server[] = [];
    try {
      const ours = await start('endpoint', directory, 0);
      servers.push(ours);
      const request = (more = '') =>
        `GET /v1/secrets/shop/key HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ours.token}\r\n${more}\r\n`;
      const whole = request();
      const known = request('If-None-Match: "1-0123456789abcdef"\r\n');
      const first = await load(ours.port, whole, 1, 1);
      const bare = await start('bare', directory, first.bodyBytes);
      servers.push(bare);
      const results: { values: Cost; unchanged: Cost; bare: Cost }[] = [];
      for (let turn = 0; turn < turns; turn++) {
        results.push({
          values: await cost(ours, whole),
          unchanged: await cost(ours, known),
          bare: await cost(bare, whole),
        });
      }
      const of = (which: 'values' | 'unchanged' | 'bare', what: keyof Cost) =>
        median(results.map((result) => result[which][what]));
      const memory = (await usage(ours.child)).rss / 2 ** 20;
      const theirs = (await usage(bare.child)).rss / 2 ** 20;
      const row = (what: string, which: 'values' | 'unchanged', goal: number) => {
        const ratio = of('bare', 'micros') / of(which, 'micros');
        return {
          what: `${what}: requests a second, CPU of a request (medians of ${turns} turns)`,
          ours: `${of(which, 'perSecond').toFixed(0)}/s, ${of(which, 'micros').toFixed(0)} us`,
          theirs: `${of('bare', 'perSecond').toFixed(0)}/s, ${of('bare', 'micros').toFixed(0)} us`,
          ratio,
          goal: `CPU within ${goal}x`,
          ok: ratio >= 1 / goal,
        };
      };
      return [
        row('304, unchanged', 'unchanged', 2),
        row('200, with its audit line', 'values', 3),
        {
          what: `RSS with ${machines} connections`,
          ours: `${memory.toFixed(0)} MB`,
          theirs: `${theirs.toFixed(0)} MB`,
          ratio: theirs / memory,
          goal: 'within 1.5x',
          ok: memory <= 1.5 * theirs,
        },
      ];
    } finally {
      for (const { child } of servers) child.kill('SIGKILL');
      rmSync(directory, { recursive: true });
    }
  },
};

interface Cost {
  readonly perSecond: number;
  readonly micros: number;
}

async function cost(server: Server, request: string): Promise<Cost> {
  const before = await usage(server.child);
  const { perSecond } = await load(server.port, request, machines, requests);
  const after = await usage(server.child);
  return { perSecond, micros: (after.cpuMicros - before.cpuMicros) / requests };
}

async function start(what: string, directory: string, bytes: number): Promise<Server> {
  const here = import.meta.dirname;
  const child = fork(join(here, 'secrets-servers.ts'), [what, directory, String(bytes)], {
    execArgv: ['--import', join(here, '../usage.ts')],
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
  });
  const [{ port, token = 'none' }] = (await once(child, 'message')) as [{ port: number; token?: string }];
  return { child, port, token };
}

async function usage(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [answer] = (await once(child, 'message')) as [Usage];
  return answer;
}

/** Sends requests from so many machines, each with a connection that it keeps. */
async function load(port: number, request: string, callers: number, count: number) {
  const sockets = await Promise.all(
    Array.from({ length: callers }, async () => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      return socket.setEncoding('latin1');
    }),
  );
  let left = count;
  let bodyBytes = 0;
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) bodyBytes = await ask(socket, request);
    }),
  );
  const perSecond = count / ((performance.now() - started) / 1000);
  for (const socket of sockets) socket.destroy();
  return { perSecond, bodyBytes };
}

function ask(socket: TLSSocket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const read = (part: string) => {
      received += part;
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      socket.off('data', read).off('error', reject);
      if (/^HTTP\/1\.1 (200|304)/.test(received)) resolve(length);
      else reject(new Error(received.slice(0, 500)));
    };
    socket.on('data', read);
    socket.once('error', reject);
    socket.write(request);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
