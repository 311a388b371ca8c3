import type { CsvError } from 'csv-parse';

/** What is wrong with a cell that the parser refuses, as a clause, and how to mend it. */
export function complain(error: CsvError, quoted: boolean, quote: string): readonly [string, string] {
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
