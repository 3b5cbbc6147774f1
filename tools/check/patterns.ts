/**
 * Step of the gate: every regular expression of runtime/ takes time linear in its input, as `recheck` proves it. Proofs are
 * kept in patterns.json, so that the gate proves new ones alone; `node tools/check/patterns.ts --write` completes the file.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Node } from '@babel/types';
import { childrenOf, parseSource } from './source-tree.ts';

/** A pattern with the places that have it. */
interface Found {
  readonly source: string;
  readonly flags: string;
  readonly places: string[];
}

/** The results for patterns, each as `/source/flags`. */
interface Known {
  /** Why a pattern that cannot be proved linear, or that is not, does no harm: how its input is bounded. */
  readonly exceptions: Readonly<Record<string, string>>;
  readonly linear: readonly string[];
}

const file = new URL('patterns.json', import.meta.url);
/** Milliseconds for one proof. */
const timeout = 120_000;

/** Every literal, and every `new RegExp` of a literal text, in the files; of other texts the expression itself. */
export function patternsIn(path: string, text: string): { readonly pattern: string; readonly line: number }[] {
  const found: { pattern: string; line: number }[] = [];
  const textOf = ({ start, end }: Node) => text.slice(start ?? 0, end ?? 0);
  const visit = (node: Node): void => {
    const line = node.loc?.start.line ?? 0;
    if (node.type === 'RegExpLiteral') found.push({ pattern: textOf(node), line });
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && textOf(node.callee) === 'RegExp') {
      found.push({ pattern: textOf(node).replaceAll(/\s+/g, ' '), line });
    }
    childrenOf(node).forEach(visit);
  };
  visit(parseSource(path, text));
  return found;
}

function allPatterns(): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const path of globSync('runtime/**/*.ts').sort()) {
    if (/[\\/]generated[\\/]/.test(path)) continue;
    for (const { pattern, line } of patternsIn(path, readFileSync(path, 'utf8'))) {
      const [, source = '', flags = ''] = /^\/([\s\S]*)\/([a-z]*)$/.exec(pattern) ?? [];
      const entry = all.get(pattern) ?? { source, flags, places: [] };
      entry.places.push(`${path}:${line}`);
      all.set(pattern, entry);
    }
  }
  return all;
}

/** The problem of a pattern; undefined when it is linear. */
async function problemOf({ source, flags }: Found): Promise<string | undefined> {
  if (source === '') return 'is made of a text, which cannot be proved';
  // Runs everywhere. The native program, which proves more in less time, is not installed: 50 MB with its Java.
  process.env['RECHECK_BACKEND'] ??= 'pure';
  const { check } = await import('recheck');
  const result = await check(source, flags.replaceAll(/[dv]/g, ''), { timeout, checker: 'automaton' });
  if (result.status === 'safe') return undefined;
  if (result.status === 'vulnerable') return `takes more than linear time (${result.complexity.summary})`;
  return `cannot be proved linear (${result.error.kind})`;
}

if (import.meta.main) {
  const { exceptions, linear } = JSON.parse(readFileSync(file, 'utf8')) as Known;
  const proved = new Set(linear);
  const all = allPatterns();
  const fresh = [...all].filter(([pattern]) => !proved.has(pattern) && !(pattern in exceptions));
  let failed = false;
  for (const [pattern, found] of fresh) {
    const problem = await problemOf(found);
    if (problem === undefined) proved.add(pattern);
    else {
      failed = true;
      console.error(
        `${found.places.join(', ')}: ${pattern} ${problem}: write it otherwise, or bound its input and say so in tools/check/patterns.json`,
      );
    }
  }
  const unused = Object.keys(exceptions).filter((pattern) => !all.has(pattern));
  for (const pattern of unused) console.error(`tools/check/patterns.json: nobody has ${pattern} any more`);
  if (process.argv.includes('--write')) {
    const kept = [...proved].filter((pattern) => all.has(pattern)).sort();
    writeFileSync(file, `${JSON.stringify({ exceptions, linear: kept }, undefined, 2)}\n`);
  }
  process.exitCode = failed ? 1 : 0;
}
