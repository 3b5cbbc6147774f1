import { setTimeout } from 'node:timers/promises';
import { type Bench, type Figure, median } from '../bench.ts';
import { type LoadResult, load } from '../http-load.ts';
import type { Usage } from '../usage.ts';
import { type Measured, NmiWorld, tokenRequest as request } from './nmi-world.ts';

/** Requests between two readings of the CPU time; the servers take turns, so that a noisy machine disturbs both. */
const slice = 10_000;
const slices = 6;
const warmUp = 20_000;
const million = 1_000_000;

export const bench: Bench = {
  name: 'nmi',
  description:
    'the node daemon, bundled and set as in its DaemonSet, against a bare node:http server that answers as many bytes; BENCH_REQUESTS for the memory',
  async run() {
    await using world = new NmiWorld();
    const daemon = await world.daemon();
    const idle = await daemon.usage();
    const { bodyBytes } = await load({ port: daemon.port, request, count: warmUp, callers: 50 });
    const bare = await world.bare(bodyBytes);
    await load({ port: bare.port, request, count: warmUp, callers: 50 });

    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < slices; turn++) {
      ours.push(await cpuPerRequest(daemon));
      theirs.push(await cpuPerRequest(bare));
    }
    const turns: { ours: LoadResult; theirs: LoadResult }[] = [];
    for (let turn = 0; turn < 2 * slices; turn++) {
      const many = { request, count: slice, callers: 200 };
      turns.push({
        ours: await load({ port: daemon.port, ...many }),
        theirs: await load({ port: bare.port, ...many }),
      });
    }
    const latencies = (whose: 'ours' | 'theirs') =>
      (['p50Ms', 'p99Ms'] as const)
        .map((at) => `${median(turns.map((turn) => turn[whose][at])).toFixed(1)} ms`)
        .join(', ');
    const p99Ratio = median(turns.map((turn) => turn.theirs.p99Ms / turn.ours.p99Ms));

    const total = Number(process.env['BENCH_REQUESTS'] ?? million);
    const steps: Usage[] = [];
    let perSecond = 0;
    for (let done = 0; done < total; done += total / 10) {
      ({ perSecond } = await load({ port: daemon.port, request, count: total / 10, callers: 100 }));
      steps.push(await daemon.usage());
    }
    // The daemon checks every ten seconds whether requests have ceased.
    await setTimeout(25_000);
    const rest = await daemon.usage();
    const rss = steps.map((step) => step.rss);
    const [half = 0, last = 0, most] = [rss[4], rss.at(-1), Math.max(...rss)];
    const bareUsage = await bare.usage();
    const micros = (value: number) => `${value.toFixed(1)} us`;
    const figures: Figure[] = [
      {
        what: 'CPU of a token request, audit line and event counted (median)',
        ours: micros(median(ours)),
        theirs: micros(median(theirs)),
        ratio: median(theirs) / median(ours),
        goal: 'within 2x',
        ok: median(ours) <= 2 * median(theirs),
      },
      {
        what: '200 callers at a time: p50, p99 (medians of the turns)',
        ours: latencies('ours'),
        theirs: latencies('theirs'),
        ratio: p99Ratio,
        goal: 'p99 within 2x',
        ok: p99Ratio >= 0.5,
      },
      {
        what: `RSS idle, then in ten steps of ${total / 10} requests (${perSecond.toFixed(0)}/s)`,
        ours: `${megabytes(idle.rss)}; ${rss.map(megabytes).join(' ')} MB`,
        theirs: `${megabytes(bareUsage.rss)} MB`,
        goal: 'at most 85 MB',
        ok: most <= 85 * 2 ** 20,
      },
      {
        what: 'RSS half a minute after the last of them',
        ours: `${megabytes(rest.rss)} MB, ${megabytes(rest.own)} of it its own`,
        theirs: '',
        goal: 'at most 85 MB',
        ok: rest.rss <= 85 * 2 ** 20,
      },
      {
        what: 'of that its own, without the pages of the Node.js program',
        ours: `${megabytes(idle.own)}; ${steps.map(({ own }) => megabytes(own)).join(' ')} MB`,
        theirs: `${megabytes(bareUsage.own)} MB`,
        goal: 'flat: RSS does not grow in the second half',
        ok: last <= half * 1.02,
      },
    ];
    return figures;
  },
};

async function cpuPerRequest(server: Measured): Promise<number> {
  const before = await server.usage();
  await load({ port: server.port, request, count: slice, callers: 50 });
  const after = await server.usage();
  return (after.cpuMicros - before.cpuMicros) / slice;
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
