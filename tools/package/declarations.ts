/** The type declarations of the package: those that an entry point reaches, without the packages of the repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Node, TypeNode } from '@typescript/native/unstable/ast';
import { isTypeReferenceNode } from '@typescript/native/unstable/ast/is';
import { type Project, TypeFlags } from '@typescript/native/unstable/sync';
import { root, withProject } from './compiler.ts';

/** A type of a JSON schema, which takes typebox to read. */
const ofSchema = /\bXStatic<[^<>]*>/g;
const importOfTypebox = /^import .* from 'typebox\/schema';\n/m;
const relativeImport = /((?:from |import\()['"])(\.[^'"]+)\.ts(?=['"])/g;
// typeToString: print everything, and the alias's own type instead of its name.
const noTruncation = 1;
const inTypeAlias = 1 << 23;

/**
 * Writes the declarations of `entries`, sources below the repository, to `directory`, as a tree like the repository's.
 *
 * @param instead the text of sources of which the package has another than the repository, by path
 */
export function writeDeclarations(
  entries: readonly string[],
  directory: string,
  instead: ReadonlyMap<string, string> = new Map(),
): void {
  const texts = new Map([...instead].map(([source, text]) => [declarationOf(source), text]));
  withProject(entries, ({ config, output, project }) => {
    execFileSync('tsc', ['--project', config], { cwd: root, stdio: 'inherit' });
    const typeOf = schemaTypes(project);
    const pending = entries.map(declarationOf);
    const written = new Set<string>();
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (written.has(path)) continue;
      written.add(path);
      const of = path;
      const text = (texts.get(path) ?? readFileSync(join(output, path), 'utf8'))
        .replaceAll(ofSchema, (type) => typeOf(of, type))
        .replace(importOfTypebox, '');
      for (const [, , specifier = ''] of text.matchAll(relativeImport)) {
        pending.push(`${join(dirname(path), specifier)}.d.ts`);
      }
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text.replaceAll(relativeImport, '$1$2.js'));
    }
  });
}

/** Where the declarations of a source are below the directory. */
const declarationOf = (source: string) => source.replace(/\.ts$/, '.d.ts');

/** Writes out a type of a schema, `XStatic<typeof name>` in a source, by the path of its declarations. */
function schemaTypes({ program, checker }: Project): (path: string, type: string) => string {
  const types = new Map<string, string>();
  for (const file of program.getSourceFileNames()) {
    const path = relative(root, file);
    if (path.startsWith('..') || path.startsWith('node_modules')) continue;
    const visit = (node: Node): void => {
      const text = isTypeReferenceNode(node) ? node.getText() : '';
      if (!text.startsWith('XStatic<')) return void node.forEachChild(visit);
      const type = checker.getTypeFromTypeNode(node as TypeNode);
      if (!type) throw new Error(`${path}: the type ${text} could not be read`);
      const written = checker.typeToString(type, node, noTruncation | inTypeAlias);
      types.set(`${declarationOf(path)} ${text}`, type.flags & TypeFlags.Union ? `(${written})` : written);
    };
    program.getSourceFile(file)?.forEachChild(visit);
  }
  return (path, type) => {
    const text = types.get(`${path} ${type}`);
    if (text === undefined) throw new Error(`${path}: the compiler has no type ${type}`);
    return text;
  };
}
