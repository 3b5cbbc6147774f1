/**
 * The documentation rule of the tree (CONTRIBUTING.md): every exported declaration of runtime/, sandbox/, constructs/ and
 * tools/ has a docstring directly above it. Generated files do not count, nor do overloads after the first and `export *`.
 */
import { globSync, readFileSync } from 'node:fs';
import type { Node, Statement } from '@babel/types';
import { parseSource } from './source-tree.ts';

/** Each exported declaration of a file without a docstring, as `file:line: name`. */
export function undocumented(file: string, text: string): string[] {
  const problems: string[] = [];
  let before = '';
  for (const statement of parseSource(file, text).program.body) {
    const name = exportedName(statement, text);
    // The docstring of an overloaded function stands above its first signature.
    if (name !== undefined && name !== before && !hasDocstring(statement, text)) {
      problems.push(`${file}:${statement.loc?.start.line}: ${name}`);
    }
    before = name ?? '';
  }
  return problems;
}

function exportedName(statement: Statement, text: string): string | undefined {
  if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration') return undefined;
  const { declaration } = statement;
  if (!declaration || !/Declaration$|^TSDeclareFunction$/.test(declaration.type)) return undefined;
  // The place of an identifier includes its type.
  const nameOf = (id: Node) => (id.type === 'Identifier' ? id.name : text.slice(id.start ?? 0, id.end ?? 0));
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.map(({ id }) => nameOf(id)).join(', ');
  return 'id' in declaration && declaration.id ? nameOf(declaration.id) : 'default';
}

/** Whether the last comment before the statement is a docstring that ends on the line above, or on the same line. */
function hasDocstring({ leadingComments, start }: Statement, text: string): boolean {
  const last = leadingComments?.at(-1);
  if (last?.type !== 'CommentBlock' || !last.value.startsWith('*')) return false;
  return text.slice(last.end ?? 0, start ?? 0).split('\n').length <= 2;
}

/** The files that the rule is about. */
export function documentedFiles(): string[] {
  return globSync(['runtime/**/*.ts', 'sandbox/**/*.ts', 'constructs/**/*.ts', 'tools/**/*.ts'])
    .filter((file) => !/generated|node_modules/.test(file))
    .sort();
}

if (import.meta.main) {
  const folders = process.argv.slice(2);
  const files = documentedFiles().filter((file) => folders.length === 0 || folders.some((at) => file.startsWith(at)));
  const problems = files.flatMap((file) => undocumented(file, readFileSync(file, 'utf8')));
  for (const problem of problems) console.error(`${problem}: exported without a docstring`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
