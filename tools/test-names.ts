/**
 * `node tools/test-names.ts [COMMIT]`: writes docs/reference/tests.md, with the number of tests in each tier, and the
 * explanation of each title that the commit had and the tree has not. Explanations in the page are kept while the title
 * that they name exists; a title without one gets the most similar new title of its file, or a question mark, with
 * which the tool ends non-zero.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Node } from '@babel/types';
import { childrenOf, parseSource } from './check/source-tree.ts';

const page = 'docs/reference/tests.md';
const firstCommit = '4966c19';
const tiers: readonly (readonly [name: string, command: string, has: (file: string) => boolean])[] = [
  ['cluster', 'npm run test:cluster', (file) => file.startsWith('test/cluster/')],
  ['node', 'npm run test:node', (file) => file.startsWith('test/node/')],
  ['browser', 'npm run test:judges -- browser', (file) => file.startsWith('test/browser/')],
  ['pulumi', 'npm run test:judges -- pulumi', (file) => file.startsWith('test/pulumi/')],
  ['gitops', 'npm run test:judges -- gitops', (file) => file.startsWith('test/gitops/')],
  ['databases', 'npm run test:judges -- databases', (file) => file.startsWith('test/database-servers/')],
  ['aso', 'npm run test:judges -- aso', (file) => file.startsWith('test/aso/')],
  ['slow', 'npm run test:slow', (file) => file.endsWith('.slow.test.ts')],
  ['quick', 'npm test', () => true],
];
const tierOf = (file: string) => tiers.find(([, , has]) => has(file))?.[0] ?? '';

/** Titles of the tests of a file; one of `test.each` counts once, with its placeholders. */
export function titlesOf(file: string, text: string): string[] {
  const titles: string[] = [];
  // `const mounting = canMount ? describe : describe.skip` is a group too.
  const groups = new Set(['describe']);
  for (const [, name = ''] of text.matchAll(/^ *const (\w+) = [^\n]*\bdescribe\b/gm)) groups.add(name);
  const isGroup = (callee: string) => callee.split(/\W+/).some((word) => groups.has(word));
  // A call with a title and a function, outside of functions, is a test, or a group whose function has tests.
  const textOf = ({ start, end }: Node) => text.slice(start ?? 0, end ?? 0);
  const visit = (node: Node): void => {
    if (isFunction(node)) return;
    if (node.type === 'CallExpression') {
      const [first, second] = node.arguments;
      if (!first || !second || !isFunction(second)) return;
      if (isGroup(textOf(node.callee))) childrenOf(second).forEach(visit);
      else if (first.type === 'StringLiteral') titles.push(first.value);
      else if (first.type === 'TemplateLiteral') {
        const [only] = first.quasis;
        titles.push(first.expressions.length === 0 ? (only?.value.cooked ?? '') : textOf(first).slice(1, -1));
      }
    } else childrenOf(node).forEach(visit);
  };
  visit(parseSource(file, text));
  return titles;
}

const isFunction = ({ type }: Node) => /Function|Method/.test(type);

/** The share of words that two titles have in common. */
function similarity(a: string, b: string): number {
  const [left, right] = [new Set(a.split(/\W+/)), new Set(b.split(/\W+/))];
  const common = [...left].filter((word) => right.has(word)).length;
  return (2 * common) / (left.size + right.size);
}

/** A title as a cell of the table. */
const cellOf = (title: string) => title.replaceAll('|', '\\|').replaceAll('\n', ' ');

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e8 });

if (import.meta.main) {
  const commit = process.argv[2] ?? firstCommit;
  const files = globSync('test/**/*.test.ts').sort();
  const now = new Map(files.map((file) => [file, titlesOf(file, readFileSync(file, 'utf8'))]));
  const all = new Set([...now.values()].flat());
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `(.+?)` \| (.+?) \| (.+) \|$/gm)];
  const cells = new Set([...all].map(cellOf));
  // An explanation that names a title which was reworded again no longer counts.
  const current = rows.filter(([, , , why = '']) => {
    const named = /^reworded: (.+)$/.exec(why)?.[1];
    return why !== '?' && (named === undefined || cells.has(named));
  });
  const known = new Map(current.map(([, , title = '', why = '']) => [title, why]));

  const gone: string[] = [];
  const before = git('ls-tree', '-r', '--name-only', commit, 'test')
    .split('\n')
    .filter((file) => file.endsWith('.test.ts'));
  const counts = { before: 0, unexplained: 0 };
  for (const file of before) {
    const titles = titlesOf(file, git('show', `${commit}:${file}`));
    counts.before += titles.length;
    const here = [...(now.get(file) ?? []), ...(now.get(file.replace(/\.test\.ts$/, '.slow.test.ts')) ?? [])];
    for (const title of titles) {
      if (all.has(title)) continue;
      const cell = cellOf(title);
      const [best] = (here.length > 0 ? here : [...all]).toSorted(
        (a, b) => similarity(title, b) - similarity(title, a),
      );
      const guess = best && similarity(title, best) > 0.5 ? `reworded: ${cellOf(best)}` : '?';
      const why = known.get(cell) ?? guess;
      if (why === '?') counts.unexplained += 1;
      gone.push(`| \`${file}\` | ${cell} | ${why} |`);
    }
  }
  const table = tiers.toReversed().map(([tier, command]) => {
    const own = [...now].filter(([file]) => tierOf(file) === tier);
    return `| ${tier} | \`${command}\` | ${own.length} | ${own.flatMap(([, titles]) => titles).length} |`;
  });
  const kept = readFileSync(page, 'utf8').split('<!-- generated from here on by tools/test-names.ts -->')[0] ?? '';
  const text = `${kept}<!-- generated from here on by tools/test-names.ts -->

| tier | command | files | titles |
|---|---|---|---|
${table.join('\n')}

A title of \`test.each\` counts once; the runner counts each of its rows.

## Titles that are gone

Of ${counts.before} titles at commit ${commit}, ${gone.length} are gone. All others are still there, in the same file, in its slow
twin, or in another file.

| file then | title then | what became of it |
|---|---|---|
${gone.join('\n')}
`;
  writeFileSync(page, text.replaceAll(/\n{3,}/g, '\n\n'));
  console.log(`${all.size} titles, ${gone.length} gone, ${counts.unexplained} of them without an explanation`);
  process.exitCode = counts.unexplained === 0 ? 0 : 1;
}
