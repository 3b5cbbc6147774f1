import type { Row } from '../../view/model/row.ts';

/** The selection that the page shows; all of it is in the address, so that a link shows the same. */
export interface Filters {
  /** Words that name, kind, reason or message must have, in any case. */
  readonly q: string;
  readonly namespace: string;
  readonly kind: string;
  readonly state: string;
  readonly location: string;
  readonly view: 'list' | 'graph';
  /** The order of the list, as `sortText` has it; '' for the usual one. */
  readonly sort: string;
  /** The only namespace that the server lists; '' for all. */
  readonly scope: string;
  /** Id of the row in the detail. */
  readonly selected: string;
  /** Id of the row around which the graph is drawn; '' for the rows of the list. */
  readonly around: string;
}

/** Members of `Filters` that choose rows by equality. */
export const choices = ['namespace', 'kind', 'state', 'location'] as const;

/** The filters of an address. */
export function filtersFrom(search: string): Filters {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? '';
  return {
    q: text('q'),
    namespace: text('namespace'),
    kind: text('kind'),
    state: text('state'),
    location: text('location'),
    view: text('view') === 'graph' ? 'graph' : 'list',
    sort: text('sort'),
    scope: text('scope'),
    selected: text('selected'),
    around: text('around'),
  };
}

/** The query of an address with these filters, '' without any. */
export function searchOf(filters: Filters): string {
  const set = Object.entries(filters).filter(([name, value]) => value !== '' && !(name === 'view' && value === 'list'));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}

/** The rows that pass. */
export function visibleRows(rows: Iterable<Row>, filters: Filters): Row[] {
  const words = filters.q.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = (row: Row) =>
    choices.every((name) => filters[name] === '' || row[name] === filters[name]) &&
    words.every((word) =>
      `${row.namespace} ${row.kind}/${row.name} ${row.reason} ${row.message}`.toLowerCase().includes(word),
    );
  return [...rows].filter(passes);
}

/** The values of each choice that rows have, sorted. */
export function valuesOf(rows: Iterable<Row>): Record<(typeof choices)[number], string[]> {
  const found = {
    namespace: new Set<string>(),
    kind: new Set<string>(),
    state: new Set<string>(),
    location: new Set<string>(),
  };
  for (const row of rows) for (const name of choices) if (row[name] !== '') found[name].add(row[name]);
  return {
    namespace: [...found.namespace].sort(),
    kind: [...found.kind].sort(),
    state: [...found.state].sort(),
    location: [...found.location].sort(),
  };
}
