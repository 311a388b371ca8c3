import { formatPlace } from '../../registration/model/row.ts';
import type { TableRecords } from '../source/table-record.ts';
import { damagedWorkbook } from './xlsx-damage.ts';
import type { SheetFindings } from './xlsx-findings.ts';
import { RowsReader } from './xlsx-rows.ts';
import type { SheetEntry, Workbook } from './open-workbook.ts';
import type { InputError } from '../../errors.ts';
import { MOST_COLUMNS } from '../../registration/model/sheet-cell.ts';
import { isTrue, type XmlAttributes, type XmlReader } from './xlsx-xml.ts';

/**
 * The records of a sheet, some hundreds at a time; what is found on the way goes into `findings`. They
 * are to be used only when the iteration has come to its end: damage may show there.
 */
export async function* readRecords(
  workbook: Workbook,
  sheet: SheetEntry,
  leaveOutHidden: boolean,
  findings: SheetFindings,
): TableRecords {
  const { file } = workbook.package.input;
  const { part } = sheet;
  if (typeof part !== 'string') throw damagedWorkbook(file, part.missing);
  const place = (line?: number): string =>
    line === undefined ? `${file}:${sheet.name}` : formatPlace({ file, sheet: sheet.name, line });
  const hiddenColumns = new Set<number>();
  const rows = new RowsReader({ ...workbook, hiddenColumns, leaveOutHidden, place }, findings);
  const reader = new WorksheetReader(rows, findings, hiddenColumns, (what) => damagedWorkbook(place(), what));
  for await (const _ of workbook.package.parse(part, 'worksheet', reader)) {
    const records = rows.take();
    if (records.length > 0) yield records;
  }
}

/** Depths: `<worksheet>` is the root; its rows, columns and merged ranges are items of sections. */
const SECTION = 2;
const ITEM = 3;

/** Reads the XML of a worksheet: rows go to a reader of their own, the rest into the findings. */
class WorksheetReader implements XmlReader {
  readonly #rows: RowsReader;
  readonly #findings: SheetFindings;
  /** Filled while the XML is read; columns are told before the rows. */
  readonly #hiddenColumns: Set<number>;
  readonly #refuse: (what: string) => InputError;
  #columnsTold = 0;
  #section = '';
  #inRow = false;

  constructor(
    rows: RowsReader,
    findings: SheetFindings,
    hiddenColumns: Set<number>,
    refuse: (what: string) => InputError,
  ) {
    this.#rows = rows;
    this.#findings = findings;
    this.#hiddenColumns = hiddenColumns;
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (this.#inRow) this.#rows.open(name, attributes, depth - ITEM);
    else if (depth === SECTION) this.#openSection(name, attributes);
    else if (depth === ITEM) this.#openItem(name, attributes);
  }

  close(name: string, depth: number): void {
    if (!this.#inRow) return;
    if (depth > ITEM) {
      this.#rows.close(name, depth - ITEM);
      return;
    }
    this.#inRow = false;
    this.#rows.closeRow();
  }

  text(text: string): void {
    if (this.#inRow) this.#rows.text(text);
  }

  isFull(): boolean {
    return this.#rows.isFull();
  }

  overlong(): InputError | undefined {
    return this.#inRow ? this.#rows.overlong() : undefined;
  }

  #openSection(name: string, attributes: XmlAttributes): void {
    this.#section = name;
    if (name === 'sheetPr') this.#findings.filtered ||= isTrue(attributes['filterMode']);
  }

  #openItem(name: string, attributes: XmlAttributes): void {
    if (name === 'row' && this.#section === 'sheetData') {
      this.#inRow = true;
      this.#rows.openRow(attributes);
    } else if (name === 'col' && this.#section === 'cols' && isTrue(attributes['hidden'])) {
      this.#hideColumns(Number(attributes['min']), Number(attributes['max']));
    } else if (name === 'mergeCell' && this.#section === 'mergeCells') {
      this.#findings.merged.add(attributes['ref'] ?? '', this.#findings.lastFilled);
    } else if (name === 'filterColumn' && this.#section === 'autoFilter') {
      this.#findings.filtered = true;
    }
  }

  #hideColumns(first: number, last: number): void {
    const from = Math.max(1, first);
    const end = Math.min(last, MOST_COLUMNS);
    // Neither is a number when the file does not say one.
    if (!(from <= end)) return;
    this.#columnsTold += end - from + 1;
    // All columns are 16,384 when they are told once; told without end, they would never be read to an end.
    if (this.#columnsTold > 10 * MOST_COLUMNS) throw this.#refuse('its columns are described too often');
    for (let number = from; number <= end; number++) this.#hiddenColumns.add(number - 1);
  }
}
