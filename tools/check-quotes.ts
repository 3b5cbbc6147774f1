/**
 * Step of the gate: every test that the threat model links to exists, with the title that the link has. Links are
 * `[text](../../test/file.test.ts "title")`; the title may be a part of the test's, and leave out its placeholders.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link of a page to a file of `test/`. */
export interface Quote {
  readonly page: string;
  readonly line: number;
  /** Path from the root of the repository. */
  readonly file: string;
  readonly title: string | undefined;
}

/** The links of a page to files of `test/`; `text` is the page's content. */
export function quotesOf(page: string, text: string): Quote[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(/\]\(([^)\s]+)(?: "([^"]*)")?\)/g)]
        .map(([, target = '', title]) => ({ page, line: index + 1, file: join(dirname(page), target), title }))
        .filter(({ file }) => file.startsWith('test/')),
    );
}

/** Whether one string of a test's source contains the title. */
export function hasTitle(source: string, title: string): boolean {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return [`'`, `"`, '`'].some((quote) => new RegExp(`${quote}[^\n]*${escaped}[^\n]*${quote}`).test(source));
}

/** The error text of a quote whose test does not exist; undefined where it exists. */
export function problemOf({ page, line, file, title }: Quote): string | undefined {
  const place = `${page}:${line}`;
  if (!existsSync(file)) return `${place} links to ${file}, which does not exist: write the test's present path`;
  if (title === undefined) return `${place} links to ${file} without a title: add the test's title in quotes`;
  if (hasTitle(readFileSync(file, 'utf8'), title)) return undefined;
  return `${place} quotes the test "${title}", which ${file} does not have: write the test's present title`;
}

if (import.meta.main) {
  const quotes = globSync('docs/**/*.md').flatMap((page) => quotesOf(page, readFileSync(page, 'utf8')));
  const problems = quotes.flatMap((quote) => problemOf(quote) ?? []);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
