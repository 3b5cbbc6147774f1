import { readFileSync, writeFileSync } from 'node:fs';

/** How much of something agrees, in percent with one decimal, and as a number. */
export interface Share {
  readonly percent: number;
  readonly agreeing: number;
}

/** The figures of one group by their names. */
export type Held = Readonly<Record<string, Share>>;

/** The share of `agreeing` in `all`, cut to one decimal; of nothing it is whole. */
export const share = (agreeing: number, all: number): Share => ({
  percent: all === 0 ? 100 : Math.floor((agreeing * 1000) / all) / 10,
  agreeing,
});

/**
 * Names the figures that are lower than those of the file. One of more parts than before may be lower as long as no
 * fewer agree: requests that were refused before bring their members along.
 */
export function fallenFigures(file: string, now: Readonly<Record<string, Held>>): string[] {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Held>;
  return Object.entries(before).flatMap(([group, held]) =>
    Object.entries(held).flatMap(([figure, was]) => {
      const is = now[group]?.[figure] ?? { percent: 0, agreeing: 0 };
      if (is.percent >= was.percent || is.agreeing > was.agreeing) return [];
      return [`${figure} of ${group} is ${is.percent} %, and was ${was.percent} %.`];
    }),
  );
}

/** Writes the present figures. */
export const recordFigures = (file: string, now: Readonly<Record<string, Held>>) =>
  writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
