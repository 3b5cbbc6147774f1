/**
 * The line length of prose: lines of README, CONTRIBUTING, CHANGELOG, docs and examples end before column 120. Rows of
 * tables, code blocks, and lines that are one link or one word are excepted, because nobody can wrap them.
 */
import { globSync, readFileSync } from 'node:fs';

/** A line of prose ends before this column. */
export const endColumn = 120;

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('{docs,examples}/**/*.md')];

/** The numbers of the lines of a page that are too long. */
export function longLines(page: string): number[] {
  let fence: string | undefined;
  return page.split('\n').flatMap((text, index) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(text) ?? [];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return [];
    }
    const excepted = fence !== undefined || /^\s*\|/.test(text) || isUnbreakable(text);
    return [...text].length >= endColumn && !excepted ? [index + 1] : [];
  });
}

/** Whether a line is one word or one link, perhaps of a list. */
function isUnbreakable(text: string): boolean {
  const content = text.trim().replace(/^(?:[-*]|\d+\.) /, '');
  return /^(?:\S+|\(?\[[^\]]*\]\([^)]*\)[).,:;]{0,3})$/.test(content);
}

if (import.meta.main) {
  const long = pages.flatMap((page) => longLines(readFileSync(page, 'utf8')).map((line) => `${page}:${line}`));
  for (const place of long) console.error(`${place} is prose that ends after column ${endColumn - 1}: wrap it`);
  if (long.length > 0) process.exitCode = 1;
}
