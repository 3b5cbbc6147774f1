/**
 * The length of pages that people read as a whole: decisions, the threat model, the changelog. Words are those that a
 * reader sees: targets of links, titles of quoted tests and marks of Markdown do not count.
 */
import { globSync, readFileSync } from 'node:fs';

/** The most words of each page. */
const limits: readonly (readonly [pages: readonly string[], most: number])[] = [
  [globSync('docs/adr/[0-9]*.md'), 500],
  [['docs/guides/threat-model.md'], 4000],
  [['CHANGELOG.md'], 1500],
];

/** The number of words that a reader of a page sees. */
export function wordsOf(page: string): number {
  const seen = page.replaceAll(/\]\([^)\s]+(?: "[^"]*")?\)/g, ']');
  return seen.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The error text of a page that is too long; undefined for all others. */
export function problemOf(page: string, text: string, most: number): string | undefined {
  const words = wordsOf(text);
  if (words <= most) return undefined;
  return `${page} has ${words} words, at most ${most}: move figures to docs/adr/measurements.md, behaviour to docs/reference`;
}

if (import.meta.main) {
  const problems = limits.flatMap(([pages, most]) =>
    pages.flatMap((page) => problemOf(page, readFileSync(page, 'utf8'), most) ?? []),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
