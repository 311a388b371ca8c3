import { InputError } from '../../errors.ts';
import type { CsvDialect } from './csv-dialect.ts';

/** One record of a CSV text, as it stands there. */
interface CsvRecord {
  cells: readonly string[];
  /** Physical line on which the record starts. */
  line: number;
}

/** What is wrong with a cell or its row, as a clause, and how to mend it. */
type Fault = readonly [what: string, hint: string];

/** In characters. */
const LONGEST_RECORD = 1024 * 1024;
/** No spreadsheet program writes wider rows: their number costs memory, not their size. */
const MOST_CELLS = 16_384;
const CHECK = 'Check that this is the right file and that its lines end.';
const TOO_WIDE: Fault = [`this row has more than ${MOST_CELLS.toLocaleString('en')} cells.`, CHECK];

/** A cell, up to what ends it: the delimiter, a line end, or the end of the text. */
export function cellPattern(delimiter: string, quote: string | undefined): RegExp {
  const [separator, sign] = [delimiter, quote ?? ''].map(escapeSign);
  const plain = `[^${separator}${sign}\\r\\n]*`;
  const content = quote === undefined ? plain : `(?:${openPattern(quote)}${sign}|${plain})`;
  return new RegExp(`${content}(${separator}|\\r\\n?|\\n|$)`, 'yu');
}

/** A cell in quotes but for the last of them. It may begin as `="4711"`, by which shops keep Excel from making a number of a text. */
function openPattern(quote: string): string {
  const sign = escapeSign(quote);
  return `${quote === '"' ? '=?' : ''}${sign}[^${sign}]*(?:${sign}${sign}[^${sign}]*)*`;
}

const escapeSign = (sign: string): string => (sign === '' ? '' : `\\u{${sign.codePointAt(0)?.toString(16)}}`);

const isQuoted = (cell: string, quote = ''): boolean =>
  quote !== '' && (cell.startsWith(quote) || (quote === '"' && cell.startsWith('="')));

const isUnclosed = (text: string, quote: string): boolean =>
  new RegExp(`^${openPattern(quote)}$`, 'u').test(text);

/** What is wrong where a text begins with no cell; `isLong`: with one whose row is too long. */
function faultOf(text: string, isLong: boolean, quote = '"'): Fault {
  const name = quote === '"' ? 'double quote' : quote === "'" ? 'single quote' : `quote ${quote}`;
  const doubleIt = `Put the whole cell in ${name}s, and write a ${name} inside it twice (${quote}${quote}).`;
  if (!isQuoted(text, quote))
    return isLong
      ? ['this row is longer than 1 MiB.', CHECK]
      : [`a cell without quotes round it holds a ${name}.`, doubleIt];
  return isLong || isUnclosed(text, quote)
    ? [`the ${name} that opens here is never closed.`, doubleIt]
    : ['text follows the closing quote of the quoted cell that opens here.', doubleIt];
}

/** Reads records out of a text that comes piece by piece. */
class RecordReader {
  readonly #dialect: CsvDialect;
  readonly #cell: RegExp;
  /** The line of the record that is read, its cells so far, their characters, and the line ends in them. */
  #line: number;
  #cells: string[] = [];
  #length = 0;
  #lineEnds = 0;
  /** The beginning of a cell that goes on. */
  #rest = '';

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
    this.#cell = cellPattern(dialect.delimiter, dialect.quote);
    this.#line = dialect.firstLine;
  }

  /** The line on which the cell begins that is read. */
  get line(): number {
    return this.#line + this.#lineEnds;
  }

  /** Adds the records that a piece completes; stops at what is wrong. */
  read(piece: string, isEnd: boolean, records: CsvRecord[]): Fault | undefined {
    const { delimiter, quote } = this.#dialect;
    const text = this.#rest + piece;
    let at = 0;
    while (at < text.length || this.#cells.length > 0) {
      this.#cell.lastIndex = at;
      const [whole = '', end] = this.#cell.exec(text) ?? [];
      if (end === undefined && (isEnd || !isUnclosed(text.slice(at), quote ?? '')))
        return faultOf(text.slice(at), false, quote);
      // Behind it one more quote may follow, or the line feed of a carriage return.
      const mayGoOn = end === '' || (end === '\r' && this.#cell.lastIndex === text.length);
      if (end === undefined || (mayGoOn && !isEnd)) break;
      this.#add(whole.slice(0, whole.length - end.length));
      at += whole.length;
      if (this.#length > LONGEST_RECORD) return faultOf(whole, true, quote);
      if (this.#cells.length > MOST_CELLS) return TOO_WIDE;
      if (end !== delimiter) records.push(this.#finish());
    }
    this.#rest = text.slice(at);
    const isLong = this.#length + this.#rest.length > LONGEST_RECORD;
    return isLong ? faultOf(this.#rest, true, quote) : undefined;
  }

  #add(cell: string): void {
    const { quote = '' } = this.#dialect;
    this.#length += cell.length;
    if (isQuoted(cell, quote)) this.#lineEnds += cell.match(/\r\n?|\n/g)?.length ?? 0;
    const isEnclosed = quote !== '' && cell.startsWith(quote);
    this.#cells.push(isEnclosed ? cell.slice(1, -1).replaceAll(quote + quote, quote) : cell);
  }

  #finish(): CsvRecord {
    const record = { cells: this.#cells, line: this.#line };
    this.#line += this.#lineEnds + 1;
    this.#cells = [];
    this.#length = 0;
    this.#lineEnds = 0;
    return record;
  }
}

/**
 * Splits UTF-8 text into records, one array of them for each chunk. Throws an InputError naming the line where a wrong quote
 * opened, and showing that line.
 */
export async function* splitCsv(
  text: AsyncIterable<Buffer>,
  file: string,
  dialect: CsvDialect,
  showLine: (line: number) => Promise<string>,
): AsyncGenerator<CsvRecord[]> {
  const reader = new RecordReader(dialect);
  const read = async (piece: string, isEnd: boolean): Promise<CsvRecord[]> => {
    const records: CsvRecord[] = [];
    const fault = reader.read(piece, isEnd, records);
    if (fault === undefined) return records;
    const details = [await showLine(reader.line)];
    throw new InputError(`${file}:${reader.line}: ${fault[0]}`, { hint: fault[1], details });
  };
  let skip = dialect.skipBytes;
  for await (const chunk of text) {
    yield await read(chunk.subarray(skip).toString(), false);
    skip = Math.max(0, skip - chunk.length);
  }
  yield await read('', true);
}
