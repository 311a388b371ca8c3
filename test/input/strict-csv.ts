/** One record as a strict reading finds it. */
export interface StrictRecord {
  line: number;
  cells: string[];
}

/** Every record of a text, or those in front of the first fault and the line of the cell that has it. */
export interface StrictReading {
  records: StrictRecord[];
  faultLine: number | undefined;
}

/**
 * RFC 4180 to the letter, but for the delimiter, cells such as ="4711", and line ends, which are CRLF, LF or CR: an oracle
 * for the reader, one character at a time and without any of its code.
 */
export function readStrictly(text: string, delimiter: string, quote: string, firstLine = 1): StrictReading {
  const records: StrictRecord[] = [];
  let line = firstLine;
  let at = 0;
  const lineEndAt = (): number =>
    text.startsWith('\r\n', at) ? 2 : text[at] === '\n' || text[at] === '\r' ? 1 : 0;
  while (at < text.length) {
    const record: StrictRecord = { line, cells: [] };
    for (;;) {
      const start = line;
      let cell = '';
      // A text that shops write as a formula is a cell in quotes, given on as it stands.
      const isFormula = text[at] === '=' && text[at + 1] === quote;
      if (isFormula) at += 1;
      if (text[at] === quote) {
        for (at += 1; at < text.length; ) {
          if (text[at] === quote && text[at + 1] !== quote) break;
          const length = text[at] === quote ? 2 : Math.max(1, lineEndAt());
          if (lineEndAt() > 0) line += 1;
          cell += text[at] === quote ? quote : text.slice(at, at + length);
          at += length;
        }
        if (at >= text.length) return { records, faultLine: start };
        at += 1;
        if (isFormula) cell = `="${cell.replaceAll('"', '""')}"`;
        if (at < text.length && text[at] !== delimiter && lineEndAt() === 0)
          return { records, faultLine: start };
      }
      for (; at < text.length && text[at] !== delimiter && lineEndAt() === 0; at += 1) {
        if (text[at] === quote) return { records, faultLine: start };
        cell += text[at];
      }
      record.cells.push(cell);
      if (at >= text.length || text[at] !== delimiter) break;
      at += 1;
    }
    records.push(record);
    if (at < text.length) line += 1;
    at += lineEndAt();
  }
  return { records, faultLine: undefined };
}
