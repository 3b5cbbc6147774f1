/**
 * Words that the project replaced by those of Kubernetes, Azure and HTTP, in prose, comments and titles of tests. Each
 * use is printed as a warning: a word of a contributor never fails the gate.
 */
import { globSync, readFileSync } from 'node:fs';

/** Former words, and the words to write in their place. */
const former: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\bAAD\b(?![ -]Pod[ -]Identity)/, 'Microsoft Entra ID'],
  [/\b(?:made[- ]up|makes up)\b/, 'generated'],
  [/\b(?:verdicts?|judges?|judged)\b/, 'condition, check'],
  [/\bvouch(?:es|ed)?\b/, 'authenticate'],
  [/\b(?:hand|hands|handed) out\b/, 'issue, grant'],
  [/\bborrow(?:s|ed)?\b/, "the operator's own credential"],
  [/\bat rest\b/, 'in sync, idle'],
  [/\b(?:looks?|looked) (?:again|anew|after|at)\b/, 'read, check, reconcile'],
  [/\b(?:mend|mends|mended|remedy|set right)\b/, 'fix, repair'],
  [/\b(?:let|lets) go of\b/, 'release, remove the finalizer'],
  [/\b(?:anew|afresh)\b/, 'again, new'],
  [/\b(?:gives?|given|giving) out\b/, 'issue, reuse'],
  [/\btold\b/, 'reported; distinguished'],
  [/\bof (?:those|these) that\b/, 'name the thing'],
  [/\bwhat nobody\b/, 'say what exists'],
];

/** A page without code and link targets, with each run of blanks as one: a phrase may go over a line's end. */
const proseOf = (text: string) =>
  text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/\]\([^)\s]+(?: "[^"]*")?\)/g, ']')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\s+/g, ' ');

/** The comments of a TypeScript file, without code in backquotes. */
const commentsOf = (text: string) =>
  [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/(.*)$/gm)]
    .map(([, block = '', line = '']) => block.replaceAll(/^\s*\*/gm, '') + line)
    .join('\n')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\s+/g, ' ');

/** The titles of a file's tests and groups. */
const titlesOf = (text: string) =>
  [...text.matchAll(/(?:\b(?:test|describe|[a-z]+ing)|[\])}`])\(\s*(['"`])(.*?)\1, (?:async )?\(/g)]
    .map(([, , title = '']) => title)
    .join('\n');

/** Each use of a former word in a text, with the words around it and the word to write. */
export function formerWords(name: string, text: string): string[] {
  return former.flatMap(([pattern, write]) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(
      ({ 0: word, index }) => `${name}: "${text.slice(Math.max(0, index - 30), index + 30)}": ${word}; write: ${write}`,
    ),
  );
}

if (import.meta.main) {
  const read = (files: readonly string[], part: (text: string) => string) =>
    files.flatMap((file) => formerWords(file, part(readFileSync(file, 'utf8'))));
  const sources = globSync('{runtime,constructs,stacks}/**/*.ts').filter((file) => !file.includes('/generated/'));
  const uses = [
    ...read(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('{docs,examples}/**/*.md')], proseOf),
    ...read(sources, commentsOf),
    ...read(globSync('test/**/*.test.ts'), titlesOf),
  ];
  const shown = 10;
  for (const use of uses.slice(0, shown)) console.warn(`warning: ${use}`);
  if (uses.length > shown) console.warn(`warning: ${uses.length - shown} more former words`);
}
