/**
 * Step of the gate: the documentation's quotes from the tree exist.
 * - Links to tests, `[text](../../test/file.test.ts "title")`: the test has the title, or a title that contains it.
 * - Paths in code spans, such as `runtime/base/errors.ts`: the file or folder exists.
 * - Rows of tables that end with a path and a name: the file contains the name.
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

/** The error texts of the paths in a page's code spans, and of the names beside them; `text` is the page's content. */
export function pathProblems(page: string, text: string): string[] {
  return text.split('\n').flatMap((content, index) => {
    const place = `${page}:${index + 1}`;
    const paths = [
      ...content.matchAll(/`((?:constructs|docs|examples|runtime|sandbox|stacks|test|tools)\/[^`\s<*{]*)`/g),
    ];
    const gone = paths.flatMap(([, path = '']) =>
      existsSync(path) ? [] : [`${place} names ${path}, which does not exist: write its present path`],
    );
    const [, file = '', name = ''] = /\| `([^`]+\.ts)` \| `([^`]+)` \|$/.exec(content) ?? [];
    if (!existsSync(file) || readFileSync(file, 'utf8').includes(name)) return gone;
    return [...gone, `${place} says that ${file} has \`${name}\`, which it has not: write the present name`];
  });
}

if (import.meta.main) {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('{docs,examples}/**/*.md')];
  const problems = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    return [...quotesOf(page, text).flatMap((quote) => problemOf(quote) ?? []), ...pathProblems(page, text)];
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
