import { type AllowedRatios, inWords, together } from './comparison.ts';
import type { Counts, MeterOutput } from './good-meter.ts';
import type { GoodTenant } from './good-tenant.ts';
import { OtherWork } from './other-work.ts';
import type { TenantWorld } from './tenant-world.ts';

/** The first use opens connections, fills caches and lets V8 compile. */
const warmUp: Counts = { tokens: 300, ready: 60, mounts: 200 };
/** Enough for 99th percentiles: the sixth longest time at least. */
const measured: Counts = { tokens: 1000, ready: 600, mounts: 600 };

/**
 * How often the good tenant is measured alone, beside the hostile one, and alone again; all times together decide. The
 * speed of a virtual machine changes by a quarter within minutes, so that calm is measured on both sides.
 */
const repetitions = { before: 2, attacked: 3, after: 2 } as const;

/**
 * Processors that other work of the machine may have in a measurement. Above it the times say more about that work than
 * about the programs, and decide nothing.
 */
const otherWorkLimit = 0.25;

/** What runs on other machines in production, or not at all. */
const partsOfTheRun = ['sandbox', 'kubelet', 'meter', 'hostile pods'];

/**
 * Processors that these parts may have during the attacks. Their work is about the same in each run, so a machine where
 * they take more is too slow: the programs then wait for processors in turn. ADR 27 has the runs behind the numbers.
 */
const partsLimit = 0.7;
/**
 * How many times as long as in calm a time may be: what is promised, and what a machine that is too slow can show. There
 * a 99th percentile is the wait of a program for a processor, and decides nothing.
 */
const allowed = { promised: { median: 2, p99: 2 }, onSlowMachine: { median: 3, p99: Infinity } } as const;

/** Measures what the good tenant feels, and who has the processors meanwhile. */
export class Measurements {
  readonly #world: TenantWorld;
  readonly #tenant: GoodTenant;
  readonly #report: (text: string) => void;
  #otherWork = 0;
  #parts = 0;

  constructor(world: TenantWorld, tenant: GoodTenant, report: (text: string) => void) {
    this.#world = world;
    this.#tenant = tenant;
    this.#report = report;
  }

  async warmUp(): Promise<void> {
    await this.#tenant.use(warmUp);
  }

  /** Measures several times; all times together. */
  async take(when: keyof typeof repetitions): Promise<MeterOutput> {
    const all: MeterOutput[] = [];
    const before = await this.#world.processors();
    const started = performance.now();
    for (let each = 0; each < repetitions[when]; each++) {
      const otherWork = new OtherWork();
      const felt = await this.#tenant.use(measured);
      const others = otherWork.since();
      this.#otherWork = Math.max(this.#otherWork, others);
      all.push(felt);
      this.#report(`${when.padEnd(9)} ${inWords(felt)}, other work had ${others.toFixed(2)} processors`);
    }
    const seconds = (performance.now() - started) / 1000;
    const shares = Object.entries(await this.#world.processors()).map(([name, { used, waited }]) => ({
      name,
      used: (used - (before[name]?.used ?? 0)) / seconds,
      waited: (waited - (before[name]?.waited ?? 0)) / seconds,
    }));
    const words = shares.map(({ name, used, waited }) => `${name} ${used.toFixed(2)} (waited ${waited.toFixed(2)})`);
    this.#report(`${when.padEnd(9)} processors: ${words.join(', ')}`);
    const parts = shares.filter(({ name }) => partsOfTheRun.includes(name));
    this.#parts = Math.max(
      this.#parts,
      parts.reduce((sum, { used }) => sum + used, 0),
    );
    const felt = together(all);
    this.#report(`${when.padEnd(9)} together: ${inWords(felt)}`);
    return felt;
  }

  /** How many times as long as in calm a time may be; says so where that is more than promised. */
  allowed(): AllowedRatios {
    if (this.#parts <= partsLimit) return allowed.promised;
    const own = `the parts of this run (${partsOfTheRun.join(', ')}) had ${this.#parts.toFixed(2)} processors`;
    const { median } = allowed.onSlowMachine;
    const rule = `medians may be ${median} times as long, and 99th percentiles decide nothing`;
    this.#report(`SLOW MACHINE: ${own}, more than ${partsLimit}: ${rule}`);
    return allowed.onSlowMachine;
  }

  /** Why the times decide nothing; empty where they do. */
  get doubts(): string[] {
    const { cpuProblem } = this.#world.groups;
    const others = this.#otherWork.toFixed(2);
    return [
      ...(cpuProblem ? [`who gets the processors is left to chance here: ${cpuProblem}`] : []),
      ...(this.#otherWork > otherWorkLimit
        ? [`other work had ${others} processors; run it again where it has at most ${otherWorkLimit}`]
        : []),
    ];
  }
}
