import { CsvError, Parser } from 'csv-parse';
import { InputError } from '../../errors.ts';
import type { CsvDialect } from './csv-dialect.ts';
import type { TableRecord, TableRecords } from '../source/table-record.ts';
import { countLineEnds } from '../text/text-decoder.ts';

const LONGEST_RECORD = 1024 * 1024;
/** No spreadsheet program writes wider rows. */
const MOST_CELLS = 16_384;

const QUOTE = 0x22;
const EQUALS = 0x3d;

/** What is not in the published types of csv-parse, which is why its version is pinned. */
interface Inner {
  api: {
    state: {
      record: string[];
      field: { length: number; buf: Buffer; reset: () => void };
      quoting: boolean;
      expectedRecordLength: number | undefined;
    };
    __onRecord: (push: unknown) => unknown;
    __isQuote: (buffer: Buffer, at: number) => boolean;
  };
}

/**
 * csv-parse, collecting records instead of streaming them one by one: that is half again as fast.
 * Lines are counted here from what was read, because `info.lines` counts a CRLF inside quotes twice.
 */
class RecordCollector extends Parser {
  #records: TableRecord[] = [];
  #nextLine: number;
  /** Of the record being read, the cells that are written as `="4711"`. */
  #textCells: number[] = [];

  constructor(dialect: CsvDialect) {
    super({
      delimiter: dialect.delimiter,
      quote: dialect.quote ?? null,
      escape: dialect.quote ?? null,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: LONGEST_RECORD,
    });
    this.#nextLine = dialect.firstLine;
    this.#expectAnyLength();
    if (dialect.quote === '"') this.#allowTextCells();
    // Errors come through the callback of each write; without a listener they would be thrown as well.
    this.on('error', () => {});
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#records.push({ cells: record, line: this.#nextLine });
    for (const at of this.#textCells.splice(0)) record[at] = `="${(record[at] ?? '').replaceAll('"', '""')}"`;
    this.#nextLine += 1 + lineEndsIn(record);
    return true;
  }

  /** The records since the last call. */
  takeRecords(): TableRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  feed(chunk: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }

  finish(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.once('error', reject);
      this.once('finish', resolve);
      this.end();
    });
  }

  /** Whether the row being read has more cells than any table: their number costs memory, not their size. */
  isTooWide(): boolean {
    return this.#unfinished.record.length > MOST_CELLS;
  }

  /** The cell that was being read when an error came. */
  unfinishedCell(): { line: number; quoted: boolean } {
    const { record, quoting } = this.#unfinished;
    return { line: this.#nextLine + lineEndsIn(record), quoted: quoting };
  }

  /**
   * Keeps csv-parse from making an error of every record that is not as long as the first one, only to
   * drop it: that is ten times the work of reading the record.
   */
  #expectAnyLength(): void {
    const { api } = this as unknown as Inner;
    const { __onRecord: onRecord, state } = api;
    api.__onRecord = (push) => {
      state.expectedRecordLength = state.record.length;
      return onRecord.call(api, push);
    };
  }

  /**
   * Cells such as `="4711"`, by which shops keep Excel from making a number of a text: the quote begins the cell although
   * a sign stands in front of it. They are given on as they stand, to be read like any other escape.
   */
  #allowTextCells(): void {
    const { api } = this as unknown as Inner;
    const { state } = api;
    api.__isQuote = (buffer, at) => {
      if (buffer[at] !== QUOTE) return false;
      if (!state.quoting && state.field.length === 1 && state.field.buf[0] === EQUALS) {
        state.field.reset();
        this.#textCells.push(state.record.length);
      }
      return true;
    };
  }

  get #unfinished(): Inner['api']['state'] {
    return (this as unknown as Inner).api.state;
  }
}

function lineEndsIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) count += countLineEnds(cell);
  return count;
}

/**
 * Splits UTF-8 text into records, one array of them per chunk that completes any. Throws an InputError
 * naming the line where a wrong quote opened, and showing that line.
 */
export async function* splitCsv(
  text: AsyncIterable<Buffer>,
  file: string,
  dialect: CsvDialect,
  showLine: (line: number) => Promise<string>,
): TableRecords {
  const collector = new RecordCollector(dialect);
  let skip = dialect.skipBytes;
  try {
    for await (const chunk of text) {
      await collector.feed(chunk.subarray(skip));
      skip = Math.max(0, skip - chunk.length);
      yield collector.takeRecords();
      if (collector.isTooWide()) throw tooWide(file, collector.unfinishedCell().line);
    }
    await collector.finish();
    yield collector.takeRecords();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, quoted } = collector.unfinishedCell();
    const [what, hint] = complain(error, quoted, dialect.quote ?? '"');
    const details = [await showLine(line)];
    throw new InputError(`${file}:${line}: ${what}`, { hint, details, cause: error });
  } finally {
    collector.destroy();
  }
}

function tooWide(file: string, line: number): InputError {
  return new InputError(`${file}:${line}: this row has more than ${MOST_CELLS.toLocaleString('en')} cells.`, {
    hint: 'Check that this is the right file and that its lines end.',
  });
}

/** What is wrong with a cell that the parser refuses, as a clause, and how to mend it. */
function complain(error: CsvError, quoted: boolean, quote: string): readonly [string, string] {
  const name = nameQuote(quote);
  const doubleIt = `Put the whole cell in ${name}s, and write a ${name} inside it twice (${quote}${quote}).`;
  const neverClosed = [`the ${name} that opens here is never closed.`, doubleIt] as const;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return neverClosed;
    case 'CSV_MAX_RECORD_SIZE':
      return quoted
        ? neverClosed
        : ['this row is longer than 1 MiB.', 'Check that this is the right file and that its lines end.'];
    case 'CSV_INVALID_CLOSING_QUOTE':
      return ['text follows the closing quote of the quoted cell that opens here.', doubleIt];
    case 'INVALID_OPENING_QUOTE':
      return [`a cell without quotes round it holds a ${name}.`, doubleIt];
    default:
      return ['this row is not readable as CSV.', doubleIt];
  }
}

function nameQuote(quote: string): string {
  if (quote === '"') return 'double quote';
  return quote === "'" ? 'single quote' : `quote ${quote}`;
}
