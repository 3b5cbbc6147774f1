import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { type CatalogueKind, idOf } from './catalogue.ts';
import { compactJson } from './compact-json.ts';
import { mergeVersions } from './merge-versions.ts';
import { specType } from './spec-type.ts';

const kebab = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();

const header = '// Written by `npm run generate` from tools/catalogue; changes here are lost.';

function kindFile(entry: ArmKindEntry): string {
  const { text, imports } = specType(entry);
  const { arm } = entry;
  const local = new Set(['OperatorSpec']);
  const common = imports.filter((name) => !local.has(name));
  return [
    header,
    `import type { ArmKindEntry, ArmStatus, ${arm.generatedCredentials ? 'CredentialsSpec, ' : ''}OperatorSpec } from '../../arm-kind.ts';`,
    ...(common.length > 0 ? [`import type { ${common.join(', ')} } from '../../common-schemas.ts';`] : []),
    '',
    text,
    '',
    `export interface ${entry.kind} {`,
    `  spec: ${entry.kind}Spec;`,
    '  status?: ArmStatus;',
    '}',
    '',
    `export const entry: ArmKindEntry = ${compactJson(entry)};`,
    '',
  ].join('\n');
}

interface SpecOfKind {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** The types of all specs by group and kind, apart from the index so that programs that need no type load none. */
function specsFile(specs: readonly SpecOfKind[]): string {
  return [
    header,
    ...specs.map(({ kind, name, path }) => `import type { ${kind}Spec as ${name} } from './${path}';`).sort(),
    '',
    '/** The spec of every kind of the catalogue, by group and kind. */',
    'export interface ArmSpecs {',
    ...specs.map(({ group, kind, name }) => `  '${group}/${kind}': ${name};`),
    '}',
    '',
  ].join('\n');
}

/** Every generated file below runtime/api/generated, by its path there. */
export function render(
  catalogue: readonly CatalogueKind[],
  served: readonly string[],
  shortNames: Readonly<Record<string, readonly string[]>>,
): Map<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const names: string[] = [];
  const specs: SpecOfKind[] = [];
  for (const id of served) {
    const kind = catalogue.find((candidate) => idOf(candidate) === id);
    if (!kind) throw new Error(`${id} is not in tools/catalogue; take it over with npm run generate -- --from <file>`);
    const path = `${id.split('/', 1)[0]}/${kebab(kind.kind)}.ts`;
    files.set(path, kindFile(mergeVersions(kind, shortNames[id] ?? [])));
    const name = `${kind.group.split('.', 1)[0]}${kind.kind}`;
    imports.push(`import { entry as ${name} } from './${path}';`);
    names.push(name);
    specs.push({ group: kind.group, kind: kind.kind, name: `${name}Spec`, path });
  }
  const list = names.map((name) => `  ${name},`).join('\n');
  const index = [
    header,
    "import type { ArmKindEntry } from '../arm-kind.ts';",
    ...imports.sort(),
    '',
    `export const armKindEntries: readonly ArmKindEntry[] = [\n${list}\n];`,
    '',
  ];
  files.set('index.ts', index.join('\n'));
  files.set('specs.ts', specsFile(specs));
  return files;
}
