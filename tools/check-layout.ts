/**
 * The layout rules of the tree (CONTRIBUTING.md): no circle of files, imports of types included, and at most 18 source
 * files beside each other in a folder of runtime/, sandbox/ and constructs/. Generated files do not count.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourceFiles } from './check-imports.ts';

/** Source files that may lie beside each other in one folder. */
export const mostFiles = 18;

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

/** Folders with more files beside each other than a reader can survey. */
export function crowdedFolders(files: readonly string[]): string[] {
  const counts = Map.groupBy(
    files.filter((file) => !file.includes('/generated/')),
    (file) => dirname(file),
  );
  return [...counts]
    .filter(([folder, { length }]) => /^(runtime|sandbox|constructs)\b/.test(folder) && length > mostFiles)
    .map(([folder, { length }]) => `${folder}: ${length} source files beside each other, at most ${mostFiles}`);
}

if (import.meta.main) {
  const files = sourceFiles();
  const rings = circles(importGraph(files, (file) => readFileSync(file, 'utf8')));
  const problems = [...rings.map((ring) => `circle of imports: ${ring.join(' -> ')}`), ...crowdedFolders(files)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
