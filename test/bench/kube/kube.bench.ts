import { join } from 'node:path';
import { type Bench, type Figure, measure } from '../bench.ts';
import { type Mode, PodServer } from './kube-server.ts';

interface Measured {
  readonly listMs: number;
  readonly cpuMs: number;
  readonly heapMb: number;
  readonly size: number;
  readonly updates: number;
  readonly eventsMs: number;
}

/** Pairs of one process each, in turns. The median of their ratios counts, as both of a pair meet the same load. */
const rounds = 7;
const pods = 5000;
const events = 20_000;
const idleMs = 2000;

const ms = (value: number) => `${Math.round(value)} ms`;
const mb = (value: number) => `${value.toFixed(1)} MB`;

export const bench: Bench = {
  name: 'kube',
  description:
    'reflector and cache against the informer of @kubernetes/client-node 2, one process for each measurement',
  async run() {
    const server = new PodServer();
    const base = await server.listen();
    try {
      return [...(await lists(base)), ...(await streams(base)), ...(await faults(base, server))];
    } finally {
      await server.close();
    }
  },
};

function child(base: string, client: string, mode: Mode, session: string, ...rest: number[]): Promise<Measured> {
  return measure(join(import.meta.dirname, 'kube-child.ts'), [
    client,
    `${base}/${mode}/${session}`,
    ...rest.map(String),
  ]);
}

async function lists(base: string): Promise<Figure[]> {
  const pairs: { readonly ours: Measured; readonly theirs: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    const measured = (client: string) => child(base, client, 'quiet', `list-${client}-${round}`);
    const first = round % 2 === 0 ? await measured('azimuth') : undefined;
    const theirs = await measured('client-node');
    pairs.push({ ours: first ?? (await measured('azimuth')), theirs });
  }
  const complete = pairs.every(({ ours, theirs }) => ours.size === pods && theirs.size === pods);
  const compare = (figure: (each: Measured) => number, text: (value: number) => string) => ({
    ours: text(median(pairs.map(({ ours }) => figure(ours)))),
    theirs: text(median(pairs.map(({ theirs }) => figure(theirs)))),
    ratio: median(pairs.map(({ ours, theirs }) => figure(theirs) / figure(ours))),
  });
  const time = compare(({ listMs }) => listMs, ms);
  const cpu = compare(({ cpuMs }) => cpuMs, ms);
  const heap = compare(({ heapMb }) => heapMb, mb);
  const goal = 'at least 2x';
  return [
    { what: `time to LIST + cache ${pods} pods`, ...time, goal: `${goal} faster`, ok: complete && time.ratio >= 2 },
    { what: 'processor time for it, all threads', ...cpu, goal: 'shown', ok: true },
    { what: 'heap retained for them', ...heap, goal: `${goal} less`, ok: complete && heap.ratio >= 2 },
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

async function streams(base: string): Promise<Figure[]> {
  const ours = await child(base, 'azimuth', 'events', 'ours', events);
  const theirs = await child(base, 'client-node', 'events', 'theirs', events);
  const lost = (measured: Measured) => `${events - measured.updates} lost of ${events}`;
  const rate = (measured: Measured) => (measured.updates / measured.eventsMs) * 1000;
  return [
    { what: 'watch events', ours: lost(ours), theirs: lost(theirs), goal: 'none lost', ok: ours.updates === events },
    {
      what: 'watch events a second',
      ours: String(Math.round(rate(ours))),
      theirs: String(Math.round(rate(theirs))),
      // Above one is in our favour, as elsewhere.
      ratio: rate(ours) / rate(theirs),
      goal: 'shown',
      ok: true,
    },
  ];
}

async function faults(base: string, server: PodServer): Promise<Figure[]> {
  await Promise.all([
    child(base, 'azimuth', 'silent', 'ours', 0, idleMs * 3, idleMs),
    child(base, 'azimuth', 'broken', 'ours', 0, 10_000),
    child(base, 'client-node', 'silent', 'theirs', 0, 35_000),
    child(base, 'client-node', 'broken', 'theirs', 0, 10_000),
  ]);
  const reopened = (session: string) => {
    const [first, second] = server.visits(session).filter(({ watch }) => watch);
    return first && second ? second.at - first.at : undefined;
  };
  const text = (value: number | undefined) => (value === undefined ? 'never' : `after ${ms(value)}`);
  const silent = reopened('silent/ours');
  const broken = reopened('broken/ours');
  return [
    {
      what: `silent watch reopened, idle time ${ms(idleMs)} (compared: fixed)`,
      ours: text(silent),
      theirs: text(reopened('silent/theirs')),
      goal: 'idle time and one delay',
      ok: silent !== undefined && silent < idleMs + 1000,
    },
    {
      what: 'watch reopened after a 500, within 10 s',
      ours: text(broken),
      theirs: text(reopened('broken/theirs')),
      goal: 'recovers',
      ok: broken !== undefined,
    },
  ];
}
