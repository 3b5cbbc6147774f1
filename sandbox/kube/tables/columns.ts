import type { Column } from '../model/resource.ts';

/** The Name column. */
export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  value: ({ metadata }) => metadata.name,
};
/** The Age column. */
export const ageColumn: Column = { name: 'Age', type: 'date', value: ({ metadata }) => metadata.creationTimestamp };
/** A printer column; priority 0 is shown without `-o wide`. */
export const column = (title: string, value: Column['value'], type = 'string', priority = 0): Column => ({
  name: title,
  type,
  priority,
  value,
});
/** The columns of a kind: its name, those of its own, its age. */
export const table = (...columns: Column[]): { columns: Column[] } => ({
  columns: [nameColumn, ...columns, ageColumn],
});
/** How many members a map has; 0 for none. */
export const size = (value: unknown) => (value && typeof value === 'object' ? Object.keys(value).length : 0);
