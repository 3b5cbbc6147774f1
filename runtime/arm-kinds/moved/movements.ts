/** How far Azure may move a declared value. */
export type Movement =
  /** A number up to `most`, and down to `least`, both members of the declared body. @default least: the value itself */
  | { readonly by: 'range'; readonly least?: string; readonly most: string }
  /** A larger number, or a name with a larger number, such as P30 for P10. */
  | { readonly by: 'growth' }
  /** A later version with the same major and minor number. */
  | { readonly by: 'patch' }
  /** A later version with the same major number. */
  | { readonly by: 'minor' }
  /** One of the values at these members, while all of them are declared; else any. */
  | { readonly by: 'exchange'; readonly among: readonly string[] }
  | { readonly by: 'any' };

/** Whether Azure may have moved `declared` to `live`. `at` reads a member of the declared body. */
export function isMoved(movement: Movement, declared: unknown, live: unknown, at: (path: string) => unknown): boolean {
  if (typeof declared !== typeof live || declared === live) return false;
  switch (movement.by) {
    case 'any':
      return true;
    case 'growth':
      return grown(declared, live);
    case 'range': {
      const least = movement.least === undefined ? declared : at(movement.least);
      const most = at(movement.most);
      return typeof live === 'number' && isNumber(least) && isNumber(most) && live >= least && live <= most;
    }
    case 'exchange': {
      const values = movement.among.map(at);
      return values.includes(undefined) || values.includes(live);
    }
    default:
      return isLater(String(declared), String(live), movement.by === 'patch' ? 2 : 1);
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

function grown(declared: unknown, live: unknown): boolean {
  if (isNumber(declared) && isNumber(live)) return live > declared;
  const [before, after] = [declared, live].map((value) => /^([A-Za-z]+)([0-9]{1,9})$/.exec(String(value)));
  return before?.[1] === after?.[1] && before !== null && Number(after?.[2]) > Number(before?.[2]);
}

/** Whether the version is later, with the same first numbers. A number that `declared` lacks may be any. */
function isLater(declared: string, live: string, same: number): boolean {
  const [before, after] = [declared, live].map(numbersOf);
  if (!before || !after || before.length < Math.min(same, after.length)) return false;
  if (before.slice(0, same).some((number, index) => number !== after[index])) return false;
  for (const [index, number] of before.entries()) {
    const other = after[index] ?? 0;
    if (other !== number) return other > number;
  }
  return true;
}

/** Undefined for words, such as `latest`. */
function numbersOf(version: string): number[] | undefined {
  if (!/^v?[0-9]{1,9}(\.[0-9]{1,9}){0,5}$/.test(version)) return undefined;
  return version.replace(/^v/, '').split('.').map(Number);
}
