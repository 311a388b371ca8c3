/** The delimiters that are looked for. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** How well a delimiter splits a text. */
export interface DelimiterVote {
  delimiter: string;
  /** The most frequent number of cells in a row; the greater one of two that are equally frequent. */
  width: number;
  /** How many rows have it, of how many. */
  rows: number;
  allRows: number;
  /** As the width and its rows, but for the rows of three cells and more. */
  table: { width: number; rows: number; firstRow: number };
}

const PLAIN = 0;
const LINE_END = DELIMITERS.length + 1;
const QUOTE = LINE_END + 1;
/** A cell may begin as `="4711"`, by which shops keep Excel from making a number of a text. */
const EQUALS = QUOTE + 1;
const LF = 10;
/** One bit a delimiter. */
const ALL = (1 << DELIMITERS.length) - 1;
/** Rows of more cells are counted together: no table of registrations is that wide. */
const WIDEST = 2047;
const NARROWEST_TABLE = 3;

/**
 * Counts, for every delimiter at once, how many cells the rows of a text have: one pass over its bytes,
 * cut anywhere, in any encoding that leaves ASCII alone. Quotes are read as the strict reader does; a row
 * whose quotes make no sense with a delimiter counts as no row of it.
 */
export class DelimiterVotes {
  readonly #kinds = new Uint8Array(256);
  readonly #quote: number;
  /** Rows by delimiter and width; width 0 is for rows that make no sense. */
  readonly #tally = DELIMITERS.map(() => new Uint32Array(WIDEST + 1));
  readonly #firstRow = DELIMITERS.map(() => new Uint32Array(WIDEST + 1));
  readonly #ends = new Uint32Array(DELIMITERS.length);
  #rows = 0;
  #last = LF;
  #inQuotes = false;
  #justClosed = false;
  #sound = ALL;
  /** With which delimiters the last `=` begins a cell. */
  #equalsAt = 0;

  /** `quote` is one ASCII character, or undefined where quotes are no more than characters. */
  constructor(quote: string | undefined) {
    for (const [at, delimiter] of DELIMITERS.entries()) this.#kinds[delimiter.charCodeAt(0)] = at + 1;
    this.#kinds[LF] = LINE_END;
    this.#kinds[13] = LINE_END;
    this.#quote = quote?.charCodeAt(0) ?? -1;
    if (quote !== undefined) this.#kinds[this.#quote] = QUOTE;
    if (quote === '"') this.#kinds['='.charCodeAt(0)] = EQUALS;
  }

  push(bytes: Uint8Array): void {
    const kinds = this.#kinds;
    const { length } = bytes;
    let at = 0;
    while (at < length) {
      if (this.#inQuotes) at = this.#skipQuoted(bytes, at);
      else if (this.#justClosed) at = this.#leaveQuotes(bytes, at);
      else {
        const kind = kinds[bytes[at] ?? 0] ?? PLAIN;
        if (kind !== PLAIN) this.#take(kind, at === 0 ? this.#last : (bytes[at - 1] ?? 0));
        at++;
      }
    }
    this.#last = bytes[length - 1] ?? this.#last;
  }

  /** What was counted, the last row included. Call it once. */
  end(): readonly DelimiterVote[] {
    if (this.#kinds[this.#last] !== LINE_END || this.#inQuotes) this.#endRow();
    return DELIMITERS.map((delimiter, at) => this.#voteFor(delimiter, at));
  }

  /** Takes a byte outside of quotes that is not plain. */
  #take(kind: number, previous: number): void {
    const before = this.#kinds[previous] ?? PLAIN;
    if (kind === LINE_END) {
      // Empty lines are no rows; that also makes one end of CRLF.
      if (before !== LINE_END) this.#endRow();
    } else if (kind === QUOTE) {
      const startsCell = before === EQUALS ? this.#equalsAt : cellsBehind(before);
      this.#sound &= startsCell;
      this.#inQuotes = startsCell !== 0;
    } else if (kind === EQUALS) {
      this.#equalsAt = cellsBehind(before);
    } else {
      this.#ends[kind - 1] = (this.#ends[kind - 1] ?? 0) + 1;
    }
  }

  /** Goes to behind the next quote. */
  #skipQuoted(bytes: Uint8Array, from: number): number {
    const quote = this.#quote;
    let at = from;
    while (at < bytes.length && bytes[at] !== quote) at++;
    if (at === bytes.length) return at;
    this.#inQuotes = false;
    this.#justClosed = true;
    return at + 1;
  }

  /** Looks at the byte behind a quote: a doubled quote, or what must end the cell. */
  #leaveQuotes(bytes: Uint8Array, at: number): number {
    this.#justClosed = false;
    const kind = this.#kinds[bytes[at] ?? 0] ?? PLAIN;
    if (kind === QUOTE) {
      this.#inQuotes = true;
      return at + 1;
    }
    if (kind !== LINE_END) this.#sound &= maskOf(kind);
    return at;
  }

  #endRow(): void {
    this.#rows++;
    for (const [at, tally] of this.#tally.entries()) {
      const cells = Math.min((this.#ends[at] ?? 0) + 1, WIDEST);
      const width = (this.#sound & (1 << at)) === 0 ? 0 : cells;
      const count = tally[width] ?? 0;
      const firstRow = this.#firstRow[at];
      if (count === 0 && firstRow !== undefined) firstRow[width] = this.#rows;
      tally[width] = count + 1;
    }
    this.#ends.fill(0);
    this.#sound = ALL;
  }

  #voteFor(delimiter: string, at: number): DelimiterVote {
    const tally = this.#tally[at] ?? new Uint32Array();
    const width = mostFrequent(tally, 1);
    const wide = mostFrequent(tally, NARROWEST_TABLE);
    const firstRow = this.#firstRow[at]?.[wide] ?? 0;
    const table = { width: wide, rows: tally[wide] ?? 0, firstRow };
    return { delimiter, width, rows: tally[width] ?? 0, allRows: this.#rows, table };
  }
}

/** The delimiters with which a cell begins behind a byte of this kind. */
function cellsBehind(kind: number): number {
  return kind === LINE_END ? ALL : maskOf(kind);
}

/** The bit of a delimiter; 0 for other kinds. */
function maskOf(kind: number): number {
  return kind > PLAIN && kind < LINE_END ? 1 << (kind - 1) : 0;
}

function mostFrequent(tally: Uint32Array, from: number): number {
  let best = from;
  for (let width = from; width < tally.length; width++) {
    if ((tally[width] ?? 0) >= Math.max(1, tally[best] ?? 0)) best = width;
  }
  return best;
}
