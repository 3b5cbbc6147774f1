/**
 * Prints how many fields of each kind have a meaning in editors, and where it comes from. Gets the packages first.
 *
 *   node tools/descriptions/share.ts                 every kind, and the sum
 *   node tools/descriptions/share.ts --missing KIND  the fields of kinds whose name begins so that have none
 */
import { parseArgs } from 'node:util';
import { idOf, type Meanings, readCatalogue } from '../generate/catalogue.ts';
import { fieldDoc } from '../generate/field-docs.ts';
import { mergeVersions } from '../generate/merge-versions.ts';
import { kindTexts, meaningInCatalogue } from './kind-texts.ts';
import { fieldsOf, type KindField, type KindTexts, withFieldsBelow } from './match.ts';

/** Fields of a kind, or of all, by the source of their meaning. */
export interface Share {
  /** Of the spec: a package of Azure's SDK says it. */
  readonly packages: number;
  /** Of the spec: the catalogue alone does. */
  readonly catalogue: number;
  /** Of the spec: nothing does. */
  readonly missing: readonly string[];
  readonly status: { readonly described: number; readonly all: number };
}

/** Whether the catalogue says more about a field of a spec than its default: its meaning or its bounds. */
function isInCatalogue(field: KindField, meanings: Meanings | undefined): boolean {
  const { name, tree } = field;
  if (!tree) return false;
  const nothing = { required: true, parent: '', depth: 1, targets: [] };
  return meaningInCatalogue(field, meanings) !== undefined || fieldDoc(name, tree, nothing).length > 0;
}

/** The fields of a kind by the source of their meaning. */
export function shareOf(fields: readonly KindField[], { texts }: Pick<KindTexts, 'texts'>, meanings?: Meanings): Share {
  const all = withFieldsBelow(fields);
  const spec = all.filter(({ tree }) => tree);
  const status = all.filter(({ tree }) => !tree);
  const others = spec.filter(({ path }) => !texts.has(path));
  const missing = others.filter((field) => !isInCatalogue(field, meanings)).map(({ path }) => path);
  return {
    packages: spec.length - others.length,
    catalogue: others.length - missing.length,
    missing,
    status: { described: status.filter(({ path }) => texts.has(path)).length, all: status.length },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function printTable(
  rows: readonly { readonly id: string; readonly models: readonly string[]; readonly share: Share }[],
): void {
  const line = (cells: readonly (string | number)[], rest: string) =>
    console.log(`${cells.map((cell) => String(cell).padStart(9)).join(' ')}  ${rest}`);
  const cells = ({ packages, catalogue, missing, status }: Share) => {
    const all = packages + catalogue + missing.length;
    const percent = all === 0 ? '' : `${((100 * (all - missing.length)) / all).toFixed(1)} %`;
    return [packages, catalogue, missing.length, percent, `${status.described}/${status.all}`];
  };
  line(['packages', 'catalogue', 'none', 'spec', 'status'], 'kind: models');
  for (const { id, models, share } of rows) line(cells(share), `${id}: ${models.join(', ') || 'none'}`);
  const total: Share = {
    packages: sum(rows.map(({ share }) => share.packages)),
    catalogue: sum(rows.map(({ share }) => share.catalogue)),
    missing: rows.flatMap(({ share }) => share.missing),
    status: {
      described: sum(rows.map(({ share }) => share.status.described)),
      all: sum(rows.map(({ share }) => share.status.all)),
    },
  };
  line(cells(total), `${rows.length} kinds`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { missing: { type: 'string' } } });
  const entries = readCatalogue()
    .map(mergeVersions)
    .filter((entry) => idOf(entry).startsWith(values.missing ?? ''));
  const texts = kindTexts(entries);
  const rows = entries.map((entry) => {
    const of = texts.get(idOf(entry)) ?? { models: [], texts: new Map() };
    return { id: idOf(entry), models: of.models, share: shareOf(fieldsOf(entry), of, entry.meanings) };
  });
  if (values.missing === undefined) printTable(rows);
  else for (const { id, share } of rows) for (const path of share.missing) console.log(`${id} ${path}`);
}
