/**
 * Whether a text fits a pattern, in which `*` stands for any characters and `?` for one. No pattern takes longer than
 * the product of both lengths, as a regular expression could.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  let [at, next] = [0, 0];
  let star: { readonly next: number; at: number } | undefined;
  while (at < text.length) {
    if (pattern[next] === '*') {
      next += 1;
      star = { next, at };
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at])) {
      at += 1;
      next += 1;
    } else if (star) {
      star.at += 1;
      [at, next] = [star.at, star.next];
    } else return false;
  }
  return /^\**$/.test(pattern.slice(next));
}
