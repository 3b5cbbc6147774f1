/** Reads the models of a package of Azure's SDK out of its type declarations: members, their meaning and their types. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTextOfJSDocComment, type Node } from '@typescript/native/unstable/ast';
import {
  isExpressionWithTypeArguments,
  isIdentifier,
  isInterfaceDeclaration,
  isIntersectionTypeNode,
  isJSDoc,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
} from '@typescript/native/unstable/ast/is';
import { API } from '@typescript/native/unstable/sync';

/** A member of a model. */
export interface ModelMember {
  /** Its meaning, one line; empty when the package has none. */
  readonly text: string;
  /** The names of the models and aliases in its type. */
  readonly types: readonly string[];
}

/** An interface, or an alias of a type, which has `types` alone. */
export interface Model {
  readonly text: string;
  /** The models that it extends or is an alias of. */
  readonly types: readonly string[];
  /** By the names of the declaration and those of Azure's bodies, in lower case. */
  readonly members: ReadonlyMap<string, ModelMember>;
}

/** Models by their name. */
export type Models = ReadonlyMap<string, Model>;

/** The first of these that a package has; newer packages have the first. */
export const declarations = ['dist/esm/models/**/*.d.ts', 'types/*.d.ts', 'esm/models/index.d.ts'];
/** What has the names in Azure's bodies of members that a package calls otherwise. */
export const scripts = ['dist/esm/models/**/*.js', 'dist-esm/src/models/mappers.js', 'esm/models/mappers.js'];

const firstOf = (folder: string, patterns: readonly string[]) =>
  patterns.map((pattern) => globSync(pattern, { cwd: folder }).sort()).find((files) => files.length > 0) ?? [];

/** Reads the models of each package, by the folder of the package. @throws Error for one without declarations */
export function readModels(folders: readonly string[]): ReadonlyMap<string, Models> {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-models-'));
  const api = new API({ cwd: work });
  try {
    const byFolder = new Map(folders.map((folder) => [folder, firstOf(folder, declarations)]));
    const config = join(work, 'tsconfig.json');
    const files = [...byFolder].flatMap(([folder, names]) => names.map((name) => join(folder, name)));
    writeFileSync(config, JSON.stringify({ compilerOptions: { noLib: true, noResolve: true, types: [] }, files }));
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const read = (folder: string, names: readonly string[]) => {
      const models = new Map<string, Model>();
      const wireNames = readWireNames(folder);
      for (const name of names) {
        project?.program.getSourceFile(join(folder, name))?.forEachChild((node) => addModel(node, models, wireNames));
      }
      if (models.size === 0) throw new Error(`${folder} has no declarations of models`);
      return models;
    };
    return new Map([...byFolder].map(([folder, names]) => [folder, read(folder, names)]));
  } finally {
    api.close();
    rmSync(work, { recursive: true, force: true });
  }
}

type WireNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Adds an interface, or an alias: of another type, or of types and members together. Of two with one name the first stays. */
function addModel(node: Node, models: Map<string, Model>, wireNames: WireNames): void {
  if (isInterfaceDeclaration(node)) {
    const types = (node.heritageClauses ?? []).flatMap((clause) => clause.types.flatMap(typesIn));
    put(node.name.text, { text: textOf(node), types, members: membersOf(node.members, wireNames) });
  } else if (isTypeAliasDeclaration(node)) {
    const parts = isIntersectionTypeNode(node.type) ? [...node.type.types] : [node.type];
    const literals = parts.filter(isTypeLiteralNode);
    const types = parts.filter((part) => !isTypeLiteralNode(part)).flatMap(typesIn);
    const members = literals.flatMap((literal) => [...membersOf(literal.members, wireNames)]);
    put(node.name.text, { text: textOf(node), types, members: new Map(members) });
  }
  function put(name: string, model: Model): void {
    if (!models.has(name)) models.set(name, model);
  }
}

function membersOf(nodes: readonly Node[], wireNames: WireNames): ReadonlyMap<string, ModelMember> {
  const members = new Map<string, ModelMember>();
  const renamed: [string, ModelMember][] = [];
  for (const each of nodes) {
    if (!isPropertySignatureDeclaration(each) || !(isIdentifier(each.name) || isStringLiteral(each.name))) continue;
    const member = { text: textOf(each), types: each.type ? typesIn(each.type) : [] };
    members.set(each.name.text.toLowerCase(), member);
    for (const name of wireNames.get(each.name.text) ?? []) renamed.push([name, member]);
  }
  for (const [name, member] of renamed) if (!members.has(name)) members.set(name, member);
  return members;
}

/** The names in Azure's bodies, in lower case, of each member that the package calls otherwise anywhere. */
function readWireNames(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const add = (member: string, wire: string) => {
    const last = wire.replaceAll('\\\\.', '').split('.').at(-1) ?? wire;
    if (last === member) return;
    names.set(member, (names.get(member) ?? new Set()).add(last.toLowerCase()));
  };
  for (const file of firstOf(folder, scripts)) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, wire = '', member = ''] of text.matchAll(/^ +"?([\w$.@-]+)"?: .*?item\["([^"]+)"\]/gm))
      add(member, wire);
    for (const [, member = '', wire = ''] of text.matchAll(
      /"?(\w+)"?: \{\s+(?:\w+: [^,{}]+,\s+)*serializedName: ["']([^"']+)["']/g,
    ))
      add(member, wire);
  }
  return names;
}

/** The names of the types that a type refers to, at any depth. */
function typesIn(type: Node): string[] {
  const names: string[] = [];
  const visit = (node: Node): void => {
    if (isTypeReferenceNode(node) && isIdentifier(node.typeName)) names.push(node.typeName.text);
    if (isExpressionWithTypeArguments(node) && isIdentifier(node.expression)) names.push(node.expression.text);
    node.forEachChild(visit);
  };
  visit(type);
  return names;
}

/** The comment of a declaration as one line, without what is about the package alone. */
function textOf(node: Node): string {
  const comments = (node.jsDoc ?? []).map((each) => (isJSDoc(each) ? getTextOfJSDocComment(each.comment) : '') ?? '');
  return comments
    .join(' ')
    .replaceAll(/NOTE: This property will not be serialized\. It can only be populated by the server\./g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
