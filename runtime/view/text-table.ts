/** A cell with its column, for the colour of the cell. */
export type Paint = (padded: string, cell: string, column: number, row: number) => string;

/** Rows of cells in columns of equal width, two blanks apart. `paint` may colour a cell; its text stays. */
export function textTable(rows: readonly (readonly string[])[], paint: Paint = (padded) => padded): string[] {
  const widths: number[] = [];
  for (const cells of rows)
    for (const [column, cell] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((cells, row) =>
    cells
      .map((cell, column) => {
        const padded = column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0);
        return paint(padded, cell, column, row);
      })
      .join('  ')
      .trimEnd(),
  );
}

/** The time since an RFC 3339 time as kubectl prints it, in the largest unit: 5s, 7m, 3h, 12d. '' where it is no time. */
export function age(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** Whether a stream shows colours: a terminal, unless NO_COLOR has a value or the terminal is dumb. */
export function showsColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
