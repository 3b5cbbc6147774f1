import { compareRows } from '../../../view/model/forest.ts';
import { type Row, states } from '../../../view/model/row.ts';

/** The columns of the list from left to right; the cells have these names as classes. */
export const columns = ['state', 'namespace', 'kind', 'name', 'location', 'age', 'reason'] as const;
/** One of `columns`. */
export type Column = (typeof columns)[number];

/** The order of the list. */
export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

/** The states that need somebody come first. */
const usual: Sort = { column: 'state', descending: false };

/** The order that an address names, such as `name` or `-age`; by state where it names none. */
export function sortFrom(text: string): Sort {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = columns.find((each) => each === name);
  return column === undefined ? usual : { column, descending };
}

/** The text of an order for an address; '' for the usual one. */
export function sortText({ column, descending }: Sort): string {
  if (column === usual.column && descending === usual.descending) return '';
  return `${descending ? '-' : ''}${column}`;
}

/** The order after a column was chosen: the other direction of the same column, or ascending. */
export function chosenSort(now: Sort, column: Column): Sort {
  return { column, descending: now.column === column && !now.descending };
}

type Value = (row: Row) => string | number;

const values: Readonly<Record<Column, Value>> = {
  state: ({ state }) => states.indexOf(state),
  namespace: ({ namespace }) => namespace,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  location: ({ location }) => location,
  // The latest time is the lowest age.
  age: ({ created }) => (Number.isNaN(Date.parse(created)) ? '' : -Date.parse(created)),
  reason: ({ reason, message }) => `${reason} ${message}`.trim(),
};

/** The rows in an order. Rows without a value come last, equal ones by namespace, kind and name. */
export function sortRows(rows: readonly Row[], { column, descending }: Sort): Row[] {
  const value = values[column];
  const entries = rows.map((row) => ({ row, value: value(row) }));
  const direction = descending ? -1 : 1;
  entries.sort((a, b) => {
    if (a.value === b.value) return compareRows(a.row, b.row);
    if (a.value === '') return 1;
    if (b.value === '') return -1;
    return a.value < b.value ? -direction : direction;
  });
  return entries.map(({ row }) => row);
}
