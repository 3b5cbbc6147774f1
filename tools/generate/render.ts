import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { dataPath } from '../../runtime/api/arm-kind-data.ts';
import { compactJson } from './compact-json.ts';
import { meaningAt } from './meanings.ts';
import type { CatalogueEntry } from './merge-versions.ts';
import { type FieldTexts, specType } from './spec-type.ts';

const header = '// Written by `npm run generate` from tools/catalogue; changes here are lost.';

/**
 * The types of a kind; with the texts of Azure's SDK for the package, without them for the repository. The catalogue's
 * own words are in both.
 */
export function typesFile(entry: CatalogueEntry, texts: FieldTexts = new Map()): string {
  const { text, imports } = specType(entry, {
    get: (path) => texts.get(path) ?? meaningAt(entry.meanings, path),
  });
  const { arm } = entry;
  const local = new Set(['OperatorSpec']);
  const common = imports.filter((name) => !local.has(name));
  return [
    header,
    `import type { ArmStatus, ${arm.generatedCredentials ? 'CredentialsSpec, ' : ''}OperatorSpec } from '../../arm-kind.ts';`,
    ...(common.length > 0 ? [`import type { ${common.join(', ')} } from '../../common-schemas.ts';`] : []),
    '',
    text,
    '',
    `export interface ${entry.kind} {`,
    `  spec: ${entry.kind}Spec;`,
    '  status?: ArmStatus;',
    '}',
    '',
  ].join('\n');
}

/** Letters of a group and a kind, unique as those are: `networkfrontdoorWebApplicationFirewallPolicy`. */
const nameOf = ({ group, kind }: ArmKindEntry) =>
  `${group.replace(/\.azure\.com$/, '').replaceAll('.', '')}${kind}Spec`;

/** The types of all specs by group and kind, apart from the index so that programs that need no type load none. */
function specsFile(entries: readonly ArmKindEntry[]): string {
  return [
    header,
    ...entries
      .map((each) => `import type { ${each.kind}Spec as ${nameOf(each)} } from './${dataPath(each)}.ts';`)
      .sort(),
    '',
    '/** The spec of every kind of the catalogue, by group and kind. */',
    'export interface ArmSpecs {',
    ...entries.map((each) => `  '${each.group}/${each.kind}': ${nameOf(each)};`),
    '}',
    '',
  ].join('\n');
}

/** The names of all kinds; their data are in the files beside it. */
function indexFile(entries: readonly CatalogueEntry[]): string {
  return `${compactJson(entries.map(({ arm: _, meanings: __, ...names }) => names))}\n`;
}

/** Every generated file below runtime/api/generated, by its path there. */
export function render(entries: readonly CatalogueEntry[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of entries) {
    files.set(`${dataPath(entry)}.json`, `${compactJson(entry.arm)}\n`);
    files.set(`${dataPath(entry)}.ts`, typesFile(entry));
  }
  files.set('index.json', indexFile(entries));
  files.set('specs.ts', specsFile(entries));
  return files;
}
