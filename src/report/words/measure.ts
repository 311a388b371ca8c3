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
