import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { readMetrics } from '../../fakes/metrics-reader.ts';
import { type Attack, unless } from './attack.ts';
import { podOf } from './hostile-pods.ts';
import { type NodeProgram, nodePrograms } from './metrics-pages.ts';
import type { TenantWorld } from './tenant-world.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const pods = 16;
/** More than the share of an address. */
const connectionsEach = 12;
/** Prometheus reads once in 15 seconds, or less often; the rate of an address is one connection in four. */
const scrapeMs = 4500;

/** Pause of a connection before the next: docs/adr/measurements.md has the cost of a refused one. */
const againMs = 2000;

/** What Prometheus got while hostile pods were at the same port. */
const scrapes = { read: 0, failed: [] as string[] };
const held = { opened: 0, ended: 0 };
const answers = new Map<string, number>();
/** Pages that a hostile pod got. */
let pages = 0;
let tokensSince = 0;

/** Attacks on the metrics ports of the node's programs, which every pod reaches: C4. */
export const metricsAttacks: readonly Attack[] = [
  {
    point: 'C4',
    name: `${pods} pods hold connections to the metrics ports, and send headers without an end`,
    // Prometheus was there first: the programs know its token.
    before: (world) => Promise.all(nodePrograms.map((program) => scrape(world, program))),
    acts: async (world) => {
      for (const index of numbers(pods)) await podOf(world, `holder${index}`);
    },
    // The programs cut connections above the share of an address.
    seen: async () => held.ended > pods,
    async during(world, signal) {
      const holders = numbers(pods).flatMap((index) =>
        nodePrograms.flatMap((program) => numbers(connectionsEach).map((way) => ({ index, program, way }))),
      );
      const holding = holders.map(async ({ index, program, way }) => {
        const localAddress = await podOf(world, `holder${index}`);
        while (!signal.aborted) {
          await hold({ port: world.metrics.port(program), localAddress, way: way % 3 }, signal);
          await pause(againMs);
        }
      });
      await Promise.all([...holding, ...nodePrograms.map((program) => keepScraping(world, program, signal))]);
    },
    async broken() {
      if (scrapes.failed.length > 0) return `Prometheus lost ${scrapes.failed.length} reads: ${scrapes.failed[0]}`;
      return unless(scrapes.read >= 10, `did not happen: Prometheus read ${scrapes.read} times`);
    },
  },
  {
    point: 'C4',
    name: 'pods send invented tokens, their own one and none to the metrics ports',
    acts: async (world) => {
      for (const index of numbers(pods)) await podOf(world, `reader${index}`);
    },
    seen: async () => (answers.get('401') ?? 0) > 0 && (answers.get('403') ?? 0) > 0,
    async during(world, signal) {
      tokensSince = performance.now();
      const reader = async (index: number, program: NodeProgram) => {
        const localAddress = await podOf(world, `reader${index}`);
        for (let turn = 0; !signal.aborted; turn++) {
          const token = [randomBytes(300).toString('base64url'), world.tenantToken, undefined][turn % 3];
          const answer = await readMetrics(world.metrics.port(program), { token, localAddress }).catch(() => undefined);
          const status = String(answer?.status ?? 'reset');
          answers.set(status, (answers.get(status) ?? 0) + 1);
          if (answer?.text.includes('azimuth_')) pages += 1;
          await pause(againMs);
        }
      };
      await Promise.all(numbers(pods).flatMap((index) => nodePrograms.map((program) => reader(index, program))));
    },
    async broken() {
      if (pages > 0) return `hostile pods read ${pages} pages`;
      const seconds = (performance.now() - tokensSince) / 1000;
      const answered = [...answers].reduce((sum, [status, count]) => sum + (status === 'reset' ? 0 : count), 0);
      const most = pods * nodePrograms.length * (8 + seconds / 4);
      return unless(
        answered <= most,
        `${answered} answers in ${seconds.toFixed(0)} s, more than the rate of ${pods} pods`,
      );
    },
  },
];

/** Keeps one connection until the program ends it, or the signal: silent, in TLS without a request, or with endless headers. */
async function hold(
  { port, localAddress, way }: { readonly port: number; readonly localAddress: string; readonly way: number },
  signal: AbortSignal,
): Promise<void> {
  const socket: Socket =
    way === 0
      ? connect({ host: '127.0.0.1', port, localAddress })
      : connectTls({ socket: connect({ host: '127.0.0.1', port, localAddress }), rejectUnauthorized: false });
  held.opened += 1;
  const ended = new Promise((resolve) => socket.on('error', resolve).once('close', resolve));
  const cut = () => void socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  socket.resume();
  const more = setInterval(() => way === 2 && socket.write(`x-${held.opened}: ${'x'.repeat(100)}\r\n`), 200).unref();
  if (way === 2) socket.write('GET /metrics HTTP/1.1\r\nhost: node\r\n');
  await ended;
  clearInterval(more);
  signal.removeEventListener('abort', cut);
  if (!signal.aborted) held.ended += 1;
}

async function keepScraping(world: TenantWorld, program: NodeProgram, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await scrape(world, program);
    await pause(scrapeMs);
  }
}

async function scrape(world: TenantWorld, program: NodeProgram): Promise<void> {
  const answer = await world.metrics.scrape(program).catch((error: Error) => ({ status: 0, text: error.message }));
  if (answer.status === 200 && answer.text.includes('process_resident_memory_bytes')) scrapes.read += 1;
  else scrapes.failed.push(`${program} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
}
