import { type Figure, median } from '../bench.ts';

/** A quantity of ours and of the peer's, measured in turn. */
export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

/** A row of the comparison: several pairs of one quantity, of which less is better. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly pairs: readonly Pair[];
  /** In place of the peer's: the most for ours, where Node.js itself takes more than the peer. */
  readonly goal?: { readonly text: string; readonly most: number } | undefined;
}

/** Behind by more than a tenth fails. */
const most = 1.1;

/** Medians of both, and the median of the ratios pair by pair. */
export function figureOf({ what, unit, pairs, goal }: Row): Figure {
  const text = (values: readonly number[]) => `${Number(median(values).toPrecision(3))} ${unit}`;
  const ours = median(pairs.map((pair) => pair.ours));
  const ratio = median(pairs.map((pair) => pair.ours / Math.max(pair.theirs, Number.EPSILON)));
  return {
    what,
    ours: text(pairs.map((pair) => pair.ours)),
    theirs: text(pairs.map((pair) => pair.theirs)),
    ratio: 1 / ratio,
    goal: goal?.text ?? 'at most a tenth more',
    ok: goal ? ours <= goal.most : ours === 0 || ratio <= most,
  };
}

/** Measures ours and the peer in turn. */
export async function inTurn<S>(
  ours: S,
  theirs: S,
  turns: number,
  measure: (side: S) => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let turn = 0; turn < turns; turn++) pairs.push({ ours: await measure(ours), theirs: await measure(theirs) });
  return pairs;
}
