/**
 * The layout rules of the tree (CONTRIBUTING.md): no circle of files, imports of types included, at most 15 source files
 * beside each other in a folder, and no long files and functions. Generated files do not count.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Node } from '@babel/types';
import { sourceFiles } from './imports.ts';
import { childrenOf, parseSource } from './source-tree.ts';

/** Source files that may lie beside each other in one folder. */
export const mostFiles = 15;

/** Lines of a file: a rule of 250 for people, with room for a file that has one concept and is a little longer. */
export const mostLines = 270;

/** Lines of a file below test/, where a table of cases may be long. */
export const mostTestLines = 400;

/** Lines of a function, from its first line to its last brace. */
export const mostFunctionLines = 60;

/** Functions that may be longer, as `file: name`, each with its reason. */
const longFunctionsAllowed: ReadonlySet<string> = new Set([
  // The flags of etcd and kube-apiserver, and what their process shares: parts of it would take all of that.
  'tools/clusters/envtest.ts: startApiServer',
]);

type Graph = ReadonlyMap<string, readonly string[]>;

/** The relative imports of each file, dynamic ones and imports of types included. */
export function importGraph(files: readonly string[], read: (file: string) => string): Graph {
  return new Map(
    files.map((file) => {
      const specifiers = read(file).matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)'/g);
      return [file, [...specifiers].map(([, specifier = '']) => join(dirname(file), specifier))];
    }),
  );
}

/** Each circle of files as the chain of its imports, the first file again at the end. */
export function circles(graph: Graph): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

const isGenerated = (file: string) => file.includes('/generated/');

/** Folders with more files beside each other than a reader can survey. */
export function crowdedFolders(files: readonly string[]): string[] {
  const counts = Map.groupBy(
    files.filter((file) => !isGenerated(file)),
    (file) => dirname(file),
  );
  return [...counts]
    .filter(([, { length }]) => length > mostFiles)
    .map(([folder, { length }]) => `${folder}: ${length} source files beside each other, at most ${mostFiles}`);
}

/** Files with more lines than a reader wants to read in one go. */
export function longFiles(files: readonly string[], read: (file: string) => string): string[] {
  return files
    .filter((file) => !isGenerated(file))
    .flatMap((file) => {
      const lines = read(file).split('\n').length - 1;
      const most = file.startsWith('test/') ? mostTestLines : mostLines;
      return lines > most ? `${file}: ${lines} lines, at most ${most}: split it by responsibility` : [];
    });
}

/** Functions with more lines than a reader can hold, as `file:line: name`. */
export function longFunctions(file: string, text: string): string[] {
  const problems: string[] = [];
  const visit = (node: Node, outerName: string) => {
    const name = nameOf(node) ?? outerName;
    const { start, end } = node.loc ?? { start: { line: 0 }, end: { line: 0 } };
    const lines = end.line - start.line + 1;
    const isLong = 'body' in node && /Function|Method/.test(node.type) && lines > mostFunctionLines;
    if (isLong && !longFunctionsAllowed.has(`${file}: ${name}`)) {
      problems.push(
        `${file}:${start.line}: ${name} has ${lines} lines, at most ${mostFunctionLines}: split it by what it makes`,
      );
    }
    for (const child of childrenOf(node)) visit(child, name);
  };
  visit(parseSource(file, text).program, '');
  return problems;
}

function nameOf(node: Node): string | undefined {
  const id = ('id' in node && node.id) || ('key' in node && node.key);
  if (typeof id !== 'object') return undefined;
  if (id.type === 'Identifier') return id.name;
  return id.type === 'PrivateName' ? `#${id.id.name}` : undefined;
}

if (import.meta.main) {
  const read = (file: string) => readFileSync(file, 'utf8');
  const files = sourceFiles();
  const tools = globSync('tools/**/*.ts');
  const problems = [
    ...circles(importGraph(files, read)).map((ring) => `circle of imports: ${ring.join(' -> ')}`),
    ...crowdedFolders([...files, ...tools]),
    ...longFiles([...files, ...tools, ...globSync('test/**/*.ts')], read),
    ...[...files, ...tools].filter((file) => !isGenerated(file)).flatMap((file) => longFunctions(file, read(file))),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
