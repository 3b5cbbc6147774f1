import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Bench, Figure } from './bench.ts';

const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net';

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly lines: Interface;
}

export const bench: Bench = {
  name: 'nmi',
  description: 'the node daemon against a bare node:http server that answers the same',
  async run() {
    const [daemon, bare] = await Promise.all([start('nmi'), start('bare')]);
    try {
      for (const server of [daemon, bare]) await load(server.port, 5000, 50);
      const ours = await cpuPerRequest(daemon, 30_000, 50);
      const theirs = await cpuPerRequest(bare, 30_000, 50);
      const many = await load(daemon.port, 20_000, 200);
      const manyBare = await load(bare.port, 20_000, 200);
      const half = (await usage(daemon)).rss;
      const total = Number(process.env['BENCH_REQUESTS'] ?? 200_000);
      await load(daemon.port, total, 100);
      const after = (await usage(daemon)).rss;
      const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
      const figures: Figure[] = [
        {
          what: 'CPU per token request (audit line and event counted)',
          ours: `${ours.toFixed(0)} us`,
          theirs: `${theirs.toFixed(0)} us`,
          ratio: theirs / ours,
          goal: 'within 2x',
          ok: ours <= 2 * theirs,
        },
        {
          what: 'p99 with 200 callers at a time',
          ours: `${many.toFixed(1)} ms`,
          theirs: `${manyBare.toFixed(1)} ms`,
          ratio: manyBare / many,
          goal: 'under 250 ms',
          ok: many < 250,
        },
        {
          what: `RSS before and after ${total} more requests`,
          ours: `${mb(half)}, ${mb(after)}`,
          theirs: mb((await usage(bare)).rss),
          goal: 'at most 80 MB of its own, flat',
          ok: after < half * 1.15,
        },
      ];
      return figures;
    } finally {
      for (const { child } of [daemon, bare]) child.kill('SIGKILL');
    }
  },
};

async function start(kind: string): Promise<Server> {
  const script = join(import.meta.dirname, 'nmi-server.ts');
  const child = spawn(process.execPath, ['--expose-gc', script, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  return { child, port: (JSON.parse(first) as { port: number }).port, lines };
}

async function usage({ child, lines }: Server): Promise<{ cpuMicros: number; rss: number }> {
  const line = once(lines, 'line');
  child.stdin?.write('\n');
  const [text] = (await line) as [string];
  return JSON.parse(text) as { cpuMicros: number; rss: number };
}

async function cpuPerRequest(server: Server, count: number, parallel: number): Promise<number> {
  const before = await usage(server);
  await load(server.port, count, parallel);
  const after = await usage(server);
  return (after.cpuMicros - before.cpuMicros) / count;
}

/** Milliseconds at the 99th percentile. */
async function load(port: number, count: number, parallel: number): Promise<number> {
  let sent = 0;
  const times: number[] = [];
  const worker = async (index: number) => {
    const localAddress = `127.0.1.${(index % 10) + 1}`;
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    while (sent++ < count) {
      const started = performance.now();
      await ask(port, agent);
      times.push(performance.now() - started);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: parallel }, (_, index) => worker(index)));
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent, headers: { metadata: 'true' } }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`HTTP ${response.statusCode}`));
      });
    });
    sent.on('error', reject).end();
  });
}
