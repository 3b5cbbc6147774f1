/**
 * Edits that make a name of another one, if they are at most so many: insertions, deletions and replacements of a
 * character, and exchanges of two neighbours. Case does not matter. The time is bounded by the length of `name`.
 */
export function editsOf(given: string, name: string, most: number): number | undefined {
  if (Math.abs(given.length - name.length) > most) return undefined;
  const edits = distance(given.toLowerCase(), name.toLowerCase());
  return edits <= most ? edits : undefined;
}

/** Edits of a misspelling. */
const mostEdits = 2;

/** The first of the candidates that differ least, if a name could be a misspelling of it. */
export function nearest<T>(name: string, candidates: readonly T[], nameOf: (candidate: T) => string): T | undefined {
  const most = Math.min(mostEdits, Math.floor(name.length / 3));
  const near = candidates.flatMap((candidate) => {
    const edits = editsOf(name, nameOf(candidate), most);
    return edits === undefined ? [] : [{ candidate, edits }];
  });
  return near.sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const costs = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = [
        (last[column] as number) + 1,
        (costs[column - 1] as number) + 1,
        (last[column - 1] as number) + Number(!isSame),
        ...(isExchanged ? [(beforeLast[column - 2] as number) + 1] : []),
      ];
      costs.push(Math.min(...edits));
    }
    beforeLast = last;
    last = costs;
  }
  return last[to.length] as number;
}
