import type { Felt, Times } from './good-tenant.ts';

/** At most this much longer than in calm. */
const allowed = 2;
const uses = ['tokens', 'ready', 'mounts'] as const;
type Figure = readonly [use: (typeof uses)[number], which: 'median' | 'p99'];

/** The figures that decide. */
const decisive: readonly Figure[] = uses.flatMap((use): Figure[] => [
  [use, 'p99'],
  [use, 'median'],
]);

/** The mean of the measurements in calm: the longest times of one alone differ by half from run to run. */
const inCalm = (calm: readonly Felt[], [use, which]: Figure) => mean(calm.map((each) => each[use][which]));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Milliseconds by which the 99th percentile of mounts may be longer still. A mount passes from process to process four
 * times, and each of them may wait for the next tick of the scheduler, 4 ms, while both processors are busy.
 */
const handOverMs = 4 * 4;

/**
 * Milliseconds that a program without tenants loses in its 99th percentile: what the processors and the embedded Azure
 * of this machine lack during the attacks, whatever the programs do (docs/adr/0027).
 */
const lostAnyway = (calm: readonly Felt[], { bare }: Felt) =>
  Math.max(0, bare.p99 - mean(calm.map((each) => each.bare.p99)));

/** The decisive figures that were above their limits in most measurements, each with its values. */
export function slower(calm: readonly Felt[], measured: readonly Felt[]): string[] {
  return decisive.flatMap(([use, which]) => {
    const before = inCalm(calm, [use, which]);
    const above = measured.flatMap((each) => {
      const now = each[use][which];
      const handOver = use === 'mounts' ? handOverMs : 0;
      const limit = before * allowed + (which === 'p99' ? lostAnyway(calm, each) + handOver : 0);
      return now > limit ? [`${ms(now)} (${times(now / before)}; the limit is ${ms(limit)})`] : [];
    });
    if (above.length * 2 <= measured.length) return [];
    return [`the ${which} of ${use} was ${above.join(', ')}, in calm ${ms(before)}`];
  });
}

/** What a tenant felt, as one line. */
export function inWords(felt: Felt): string {
  const each = ([...uses, 'bare'] as const).map((use) => {
    const { median, p99, count }: Times = felt[use];
    return `${use} ${ms(median)} (p99 ${ms(p99)}, ${count} of them)`;
  });
  return `${each.join(', ')}, lost ${felt.lost.length}`;
}

/** How much longer than in calm, as one line. */
export function ratios(calm: readonly Felt[], attacked: Felt): string {
  const ratio = (...[use, which]: Figure) => times(attacked[use][which] / inCalm(calm, [use, which]));
  const anyway = `a program without tenants loses ${ms(lostAnyway(calm, attacked))} in its p99`;
  return [...uses.map((use) => `${use} ${ratio(use, 'median')} (p99 ${ratio(use, 'p99')})`), anyway].join(', ');
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
const times = (ratio: number) => `${ratio.toFixed(2)} times`;
