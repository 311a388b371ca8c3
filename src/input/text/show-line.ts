import { decodedChunks } from './decoded-chunks.ts';
import type { Encoding } from './encoding.ts';
import { LineCounter } from './line-counter.ts';
import type { StoredInput } from '../source/stored-input.ts';

const LONGEST_SHOWN = 100;
/** No character is longer than four bytes. */
const MOST_BYTES = 4 * (LONGEST_SHOWN + 1);
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A physical line of a text, counted from 1: at most 100 characters, with the unprintable escaped. */
export async function showLine(input: StoredInput, encoding: Encoding, line: number): Promise<string> {
  const lines = new LineCounter();
  const kept: number[] = [];
  for await (const piece of decodedChunks(input, encoding)) {
    for (let at = 0; at < piece.length; at++) {
      lines.advance(piece, at, at + 1);
      if (lines.line > line || kept.length === MOST_BYTES) return printable(Buffer.from(kept).toString());
      if (lines.line === line) kept.push(piece[at] ?? 0);
    }
  }
  return printable(Buffer.from(kept).toString());
}

/** Cuts a text to 100 characters and writes what cannot be printed as `\t` or `\u{200b}`. */
export function printable(text: string): string {
  // The line end before the line is counted with it.
  const characters = Array.from(text.replace(/^[\r\n]+/, ''));
  const cut = characters.length > LONGEST_SHOWN ? [...characters.slice(0, LONGEST_SHOWN), '…'] : characters;
  return cut.join('').replace(UNPRINTABLE, escape);
}

function escape(character: string): string {
  if (character === '\t') return String.raw`\t`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
