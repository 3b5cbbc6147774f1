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

/** Whether a stream shows colours: a terminal, unless NO_COLOR has a value or the terminal is dumb. */
export function showsColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
