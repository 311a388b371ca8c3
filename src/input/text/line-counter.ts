const LF = 10;
const CR = 13;

/** Counts physical lines over chunks of bytes. LF, CRLF and a bare CR each end one line, also when cut. */
export class LineCounter {
  /** The line that the next byte stands on, from 1. */
  line = 1;
  #afterCr = false;

  /** Goes over the bytes from `from` up to, not including, `to`. */
  advance(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (byte === CR || (byte === LF && !this.#afterCr)) this.line++;
      this.#afterCr = byte === CR;
    }
  }
}

/** How many line ends a text holds: LF, CRLF and bare CR count one each. */
export function countLineEnds(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
