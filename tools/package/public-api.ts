/** The names that people can import: the list in docs/reference/public-api.md, which `npm run generate` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SymbolFlags } from '@typescript/native/unstable/sync';
import { root, withProject } from './compiler.ts';
import { entryPoints } from './entry-points.ts';

/** The page, below the repository. */
export const publicApiPage = 'docs/reference/public-api.md';
const beginning = '<!-- npm run generate writes the rest of this page -->\n';

/** A name that an entry point exports. */
export interface PublicName {
  readonly name: string;
  readonly is: 'class' | 'function' | 'value' | 'type' | 'namespace';
  /** The text of `@deprecated`, which names the replacement. */
  readonly deprecated?: string;
}

/** The names of each entry point, such as `azimuth/kinds/storage`, in order of the alphabet. */
export function publicApi(): ReadonlyMap<string, readonly PublicName[]> {
  const entries = Object.entries(entryPoints());
  const sources = entries.map(([, source]) => source);
  return withProject(sources, ({ project: { program, checker } }) => {
    const namesOf = (source: string) => {
      const file = program.getSourceFile(join(root, source));
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${source} exports nothing`);
      const names = checker.getExportsOfModule(module).map((symbol): PublicName => {
        const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        const tag = checker.getJsDocTagsOfSymbol(meant).find(({ name }) => name === 'deprecated');
        return { name: symbol.name, is: sortOf(meant.flags), ...(tag && { deprecated: tag.text ?? '' }) };
      });
      return names.sort((a, b) => (a.name < b.name ? -1 : 1));
    };
    return new Map(
      entries.map(([entry, source]) => [entry === 'index' ? 'azimuth' : `azimuth/${entry}`, namesOf(source)]),
    );
  });
}

function sortOf(flags: SymbolFlags): PublicName['is'] {
  if (flags & SymbolFlags.Class) return 'class';
  if (flags & SymbolFlags.Function) return 'function';
  if (flags & SymbolFlags.Variable) return 'value';
  return flags & SymbolFlags.ValueModule ? 'namespace' : 'type';
}

/** The list of all names as the page has it. A class of a kind has its properties `<class>Props` beside it. */
export function publicApiList(api: ReadonlyMap<string, readonly PublicName[]>): string {
  const groups = [...api].filter(([entry]) => entry !== 'azimuth');
  const ofKinds = new Set(groups.flatMap(([, names]) => names.map(({ name }) => name)));
  const own = (api.get('azimuth') ?? []).filter(({ name, is }) => !ofKinds.has(name) && is !== 'namespace');
  const marked = ({ name, deprecated }: PublicName) =>
    `\`${name}\`${deprecated === undefined ? '' : ` (deprecated: ${deprecated})`}`;
  const list = (names: readonly PublicName[]) => names.map(marked).join(', ');
  const rows = (['class', 'function', 'value', 'type'] as const)
    .map((is) => [is, own.filter((name) => name.is === is)] as const)
    .filter(([, names]) => names.length > 0);
  const kindRows = groups.map(
    ([entry, names]) => `| \`${entry}\` | ${list(names.filter(({ is }) => is === 'class'))} |`,
  );
  return [
    '## Names of `azimuth`\n',
    '| a | names |\n|---|---|',
    ...rows.map(([is, names]) => `| ${is} | ${list(names)} |`),
    '\n## Classes of the kinds\n',
    'Each class has its properties beside it: `StorageAccountProps` of `StorageAccount`.\n',
    '| import from | classes |\n|---|---|',
    ...kindRows,
    '',
  ].join('\n');
}

/** The page as it must be: its own text, and the names that the sources export now. */
export function publicApiText(): string {
  const [text = ''] = readFileSync(join(root, publicApiPage), 'utf8').split(beginning);
  return `${text}${beginning}\n${publicApiList(publicApi())}`;
}
