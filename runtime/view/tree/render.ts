import { styleText } from 'node:util';
import { age } from '../age.ts';
import { type Row, rowTitle, type State } from '../model/row.ts';
import { type Paint, textTable } from '../text-table.ts';
import type { TreeLine } from './tree.ts';

/** How the text is written. */
export interface RenderOptions {
  /** Adds the column of namespaces. */
  readonly namespaces: boolean;
  /** Adds the columns of locations and ARM ids. */
  readonly wide: boolean;
  readonly colours: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Levels that are indented; deeper objects stand at this one. */
const deepest = 40;

const colours: Readonly<Partial<Record<State, Parameters<typeof styleText>[0]>>> = {
  Ready: 'green',
  Failed: 'red',
  Blocked: 'yellow',
  Reconciling: 'cyan',
  Deleting: 'magenta',
};

/** A table with one line for each object, with the branches of the tree before its name. */
export function renderTree(
  lines: readonly TreeLine[],
  { namespaces, wide, colours: coloured, now }: RenderOptions,
): string {
  const table = [
    ['NAMESPACE', 'OBJECT', 'STATE', 'REASON', 'AGE', ...(wide ? ['LOCATION', 'ARM ID'] : []), 'WAITS FOR'],
    ...lines.map(({ row, branches, waits }) => [
      row.namespace,
      `${branchText(branches)}${rowTitle(row)}`,
      row.state,
      row.reason,
      age(row.created, now),
      ...(wide ? [row.location, row.armId] : []),
      waits.map(({ link, why }) => `${link.text} (${why})`).join(', '),
    ]),
  ].map((cells) => (namespaces ? cells : cells.slice(1)));
  const stateColumn = namespaces ? 2 : 1;
  const paint: Paint = (padded, cell, column, row) => {
    const colour = coloured && row > 0 && column === stateColumn ? colours[cell as State] : undefined;
    return colour ? styleText(colour, padded, { validateStream: false }) : padded;
  };
  return textTable(table, paint).join('\n');
}

/** A name for each line, as `kubectl get -o name` writes it. */
export function renderNames(lines: readonly TreeLine[]): string {
  const kindOf = ({ kind, group }: Row) => [kind.toLowerCase(), ...(group === '' ? [] : [group])].join('.');
  return lines.map(({ row }) => `${kindOf(row)}/${row.name}`).join('\n');
}

function branchText(branches: readonly boolean[]): string {
  const levels = branches.slice(0, deepest);
  return levels
    .map((isLast, index) => {
      if (index < levels.length - 1) return isLast ? '  ' : '│ ';
      return isLast ? '└─' : '├─';
    })
    .join('');
}
