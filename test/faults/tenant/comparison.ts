import type { MeterOutput } from './good-meter.ts';

const uses = ['tokens', 'ready', 'mounts'] as const;
const shares = { median: 0.5, p99: 0.99 } as const;
const figures = uses.flatMap((use) => (['median', 'p99'] as const).map((which) => ({ use, which })));
type Figure = (typeof figures)[number];

/** How many times as long as in calm the median and the 99th percentile of a use may be. */
export type AllowedRatios = Readonly<Record<keyof typeof shares, number>>;

/** All times of several measurements: the 99th percentile of one alone differs by half from run to run. */
export function together(measurements: readonly MeterOutput[]): MeterOutput {
  return {
    tokens: measurements.flatMap(({ tokens }) => tokens),
    ready: measurements.flatMap(({ ready }) => ready),
    mounts: measurements.flatMap(({ mounts }) => mounts),
    lost: measurements.flatMap(({ lost }) => lost),
  };
}

/** The figures that are more than `allowed` times as long as without attacks, each with its values. */
export function slower(calm: MeterOutput, attacked: MeterOutput, allowed: AllowedRatios): string[] {
  return figures.flatMap((figure) => {
    const [before, now] = [timeOf(calm, figure), timeOf(attacked, figure)];
    if (now <= before * allowed[figure.which]) return [];
    return [`the ${figure.which} of ${figure.use} was ${ms(now)} (${times(now / before)}), in calm ${ms(before)}`];
  });
}

/** What a tenant felt, as one line. */
export function inWords(felt: MeterOutput): string {
  const each = uses.map((use) => {
    const [median, p99] = (['median', 'p99'] as const).map((which) => ms(timeOf(felt, { use, which })));
    return `${use} ${median} (p99 ${p99}, ${felt[use].length} of them)`;
  });
  return `${each.join(', ')}, lost ${felt.lost.length}`;
}

/** How much longer than in calm, as one line. */
export function ratios(calm: MeterOutput, attacked: MeterOutput): string {
  const ratio = (figure: Figure) => times(timeOf(attacked, figure) / timeOf(calm, figure));
  return figures.map((figure) => `${figure.use} ${figure.which} ${ratio(figure)}`).join(', ');
}

function timeOf(felt: MeterOutput, { use, which }: Figure): number {
  const sorted = felt[use].toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * shares[which])] ?? 0;
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
const times = (ratio: number) => `${ratio.toFixed(2)} times`;
