/** `node tools/test-names.ts`: writes the number of tests of each tier into docs/reference/tests.md. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Node } from '@babel/types';
import { childrenOf, parseSource } from './check/source-tree.ts';

const page = 'docs/reference/tests.md';
const marker = '<!-- generated from here on by tools/test-names.ts -->';
const note = 'A title of `test.each` counts once; the runner counts each of its rows.';
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

if (import.meta.main) {
  const files = globSync('test/**/*.test.ts').sort();
  const titles = new Map(files.map((file) => [file, titlesOf(file, readFileSync(file, 'utf8'))]));
  const rows = tiers.toReversed().map(([tier, command]) => {
    const own = [...titles].filter(([file]) => tierOf(file) === tier);
    return `| ${tier} | \`${command}\` | ${own.length} | ${own.flatMap(([, ofFile]) => ofFile).length} |`;
  });
  const [kept = ''] = readFileSync(page, 'utf8').split(marker);
  const table = ['| tier | command | files | titles |', '|---|---|---|---|', ...rows].join('\n');
  writeFileSync(page, `${kept}${marker}\n\n${table}\n\n${note}\n`);
}
