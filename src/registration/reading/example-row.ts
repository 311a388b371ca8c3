import type { ColumnMapping } from '../model/columns.ts';
import { EXAMPLE_BARCODE, EXAMPLE_EMAIL, EXAMPLE_PHONE } from '../model/own-names.ts';
import type { SourceRow } from '../model/row.ts';
import { cellSource } from '../repairs/cell-text.ts';
import { isExample } from '../rules/example.ts';
import { readRow, type ReadRowOptions } from './read-row.ts';

const OWN: readonly string[] = [EXAMPLE_BARCODE, EXAMPLE_EMAIL, EXAMPLE_PHONE];

/** Finds the rows of a file that are the example of a template, as it was written: no guests, and they show nothing of columns. */
export class ExampleRows {
  readonly lines = new Set<number>();
  readonly #options: ReadRowOptions;

  constructor(options: ReadRowOptions) {
    // What only all rows show need not be known: templates count days from 1900.
    const repairs = { ...options.repairs, dateSerials: options.repairs.dateSerials ?? '1900' } as const;
    this.#options = { ...options, repairs };
  }

  /** Whether a row is one; without a mapping nothing is known of it. */
  add(row: SourceRow, mapping: ColumnMapping | undefined): boolean {
    if (mapping === undefined || !row.cells.some((cell) => OWN.includes(cellSource(cell).trim())))
      return false;
    const result = readRow(row, mapping, this.#options);
    if (!result.ok) return false;
    const { registration } = result.read;
    const persona = this.#options.event.personas.find(({ slug }) => slug === registration.persona);
    const fieldOf = (wanted: string) => persona?.fields.find(({ slug }) => slug === wanted);
    if (!isExample(registration, fieldOf)) return false;
    this.lines.add(row.place.line);
    return true;
  }
}
