/**
 * The documentation rule of the tree (CONTRIBUTING.md): every exported declaration of runtime/, sandbox/, constructs/ and
 * tools/ has a docstring directly above it. Generated files do not count, nor do overloads after the first and `export *`.
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** Each exported declaration of a file without a docstring, as `file:line: name`. */
export function undocumented(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  let before = '';
  for (const statement of source.statements) {
    const name = exportedName(statement);
    // The docstring of an overloaded function stands above its first signature.
    if (name !== undefined && name !== before && !hasDocstring(statement, text)) {
      const { line } = source.getLineAndCharacterOfPosition(statement.getStart(source));
      problems.push(`${file}:${line + 1}: ${name}`);
    }
    before = name ?? '';
  }
  return problems;
}

function exportedName(statement: ts.Statement): string | undefined {
  const exported = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false;
  if (!exported) return undefined;
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join(', ');
  }
  return (statement as ts.Statement & { readonly name?: ts.Node }).name?.getText() ?? 'default';
}

/** Whether the last comment before the statement is a docstring that ends on the line above, or on the same line. */
function hasDocstring(statement: ts.Statement, text: string): boolean {
  const last = ts.getLeadingCommentRanges(text, statement.getFullStart())?.at(-1);
  if (!last || !text.slice(last.pos, last.end).startsWith('/**')) return false;
  return text.slice(last.end, statement.getStart()).split('\n').length <= 2;
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
