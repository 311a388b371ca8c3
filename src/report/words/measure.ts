/** Measures and cuts text, as `visible` leaves it, by the columns of a terminal that it takes. */
export interface Measure {
  displayWidth: (text: string) => number;
  /** The text if it fits into `width` columns, else as much of it as fits, ending in `…`. */
  fitWidth: (text: string, width: number) => string;
}

const ASCII = /^[ -~]*$/;
/** Of printable ASCII every character takes one column. */
const ascii: Measure = {
  displayWidth: (text) => text.length,
  fitWidth: (text, width) =>
    text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}${width > 0 ? '…' : ''}`,
};

/** What measures these texts. To load what knows all scripts takes half as long as to start Node. */
export async function measureFor(texts: readonly string[]): Promise<Measure> {
  return texts.every((text) => ASCII.test(text)) ? ascii : await import('./display-width.ts');
}

/** Lines of cells, each below the one before it; the last cell of a line is as long as it is. */
export async function alignCells(rows: readonly (readonly string[])[]): Promise<string[]> {
  const { displayWidth } = await measureFor(rows.flat());
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries())
      widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell));
  const padded = (cell: string, width = 0): string =>
    cell + ' '.repeat(Math.max(0, width - displayWidth(cell)));
  return rows.map((row) => row.map((cell, at) => padded(cell, widths[at])).join('  '));
}
