/** The types of Azure Service Operator v2, read from the text of its generated Go files. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct that JSON has. */
export interface GoField {
  readonly goName: string;
  /** As Go writes it, such as `[]*Rule_STATUS` or `map[string]string`. */
  readonly type: string;
  readonly json: string;
}

/** A struct that stands for one of its fields in JSON. */
export interface GoOneOf {
  /** The member of the JSON whose word decides on the field. */
  readonly discriminator: string;
  readonly members: readonly { readonly word: string; readonly goName: string }[];
}

/** What the files of one Go package declare, by name. */
export interface GoTypes {
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  readonly oneOfs: ReadonlyMap<string, GoOneOf>;
  /** The structs that are Kubernetes resources, without their lists. */
  readonly kinds: readonly string[];
}

/** A served version of a group: the types of its objects and those of ARM's bodies. */
export interface GoVersion {
  readonly group: string;
  readonly version: string;
  readonly objects: GoTypes;
  readonly arm: GoTypes;
}

/** Every version that Azure Service Operator's module serves of its ARM groups, such as `network` v20250301. */
export function readVersions(module: string): GoVersion[] {
  const groups = join(module, 'api');
  return readdirSync(groups)
    .filter((group) => statSync(join(groups, group)).isDirectory())
    .flatMap((group) =>
      globSync('v[0-9]*', { cwd: join(groups, group) })
        .sort()
        .map((version) => ({ group, version, folder: join(groups, group, version) })),
    )
    .filter(({ folder }) => existsSync(join(folder, 'arm')))
    .map(({ group, version, folder }) => ({
      group,
      version,
      objects: readTypes(folder),
      arm: readTypes(join(folder, 'arm')),
    }));
}

/** The outermost container of a type and the type of its elements; of `*Rule` there is none, and `Rule`. */
export function partsOf(type: string): { readonly container?: '[]' | '{}'; readonly element: string } {
  const plain = type.replace(/^\*/, '');
  if (plain.startsWith('[]')) return { container: '[]', element: plain.slice(2) };
  if (plain.startsWith('map[string]')) return { container: '{}', element: plain.slice('map[string]'.length) };
  return { element: plain };
}

function readTypes(folder: string): GoTypes {
  const structs = new Map<string, GoField[]>();
  const oneOfs = new Map<string, GoOneOf>();
  const kinds: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('_types_gen.go'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      structs.set(name, fieldsOf(body));
      if (body.startsWith('\tmetav1.TypeMeta') && !name.endsWith('List')) kinds.push(name);
    }
    for (const [body, name = ''] of text.matchAll(/^func \(\w+ \*(\w+)\) UnmarshalJSON[\s\S]*?^\}/gm)) {
      const [, discriminator = ''] = /rawJson\["([^"]+)"\]/.exec(body) ?? [];
      const members = [...body.matchAll(/discriminator == "([^"]+)" \{\s*\w+\.(\w+) =/g)];
      oneOfs.set(name, { discriminator, members: members.map(([, word = '', goName = '']) => ({ word, goName })) });
    }
  }
  return { structs, oneOfs, kinds };
}

function fieldsOf(body: string): GoField[] {
  const lines = body.matchAll(/^\t(\w+)\s+(\S+)\s+`.*?json:"([^",]+)/gm);
  return [...lines].map(([, goName = '', type = '', json = '']) => ({ goName, type, json }));
}
