import * as readline from 'node:readline';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../../src/pacing/clock.ts';

/** A terminal stream that keeps what is written to it. */
export class FakeTerminal extends PassThrough {
  readonly isTTY = true;
  columns: number;
  written = '';

  constructor(columns: number) {
    super();
    this.columns = columns;
    this.#width = columns;
    this.on('data', (chunk: Buffer) => {
      this.written += chunk.toString();
      this.#show(chunk.toString());
    });
  }

  cursorTo(x: number): boolean {
    return readline.cursorTo(this, x);
  }

  moveCursor(dx: number, dy: number): boolean {
    return readline.moveCursor(this, dx, dy);
  }

  clearLine(direction: -1 | 0 | 1): boolean {
    return readline.clearLine(this, direction);
  }

  /** Another width; the lines that stand there are wrapped anew, and the cursor stays at its character. */
  resize(columns: number): void {
    this.shrink(columns);
    this.columns = columns;
    this.emit('resize');
  }

  /** Another width of which the program does not know yet. */
  shrink(columns: number): void {
    this.#width = columns;
  }

  /** The rows that stand there, without the room at the end of each. */
  screen(): string[] {
    const rows = this.#lines.flatMap((line) =>
      line.length <= this.#width ? [line] : (line.match(new RegExp(`.{1,${this.#width}}`, 'gu')) ?? []),
    );
    return rows.map((row) => row.trimEnd());
  }

  /** Lines as they were written, and where the cursor stands among them: one column a character. */
  readonly #lines = [''];
  #at = 0;
  #width: number;
  #wraps = true;

  #show(text: string): void {
    // oxlint-disable-next-line no-control-regex
    for (const part of text.match(/\u001B\[[\d;?]*[A-Za-z]|[^\u001B]/gu) ?? []) {
      const line = this.#lines.at(-1) ?? '';
      if (part === '\u001B[?7l' || part === '\u001B[?7h') this.#wraps = part.endsWith('h');
      else if (part === '\n') {
        this.#lines.push('');
        this.#at = 0;
      } else if (part === '\r' || part === '\u001B[1G') this.#at -= this.#at % this.#width;
      else if (part === '\u001B[0K') {
        const rest = this.#width - (this.#at % this.#width);
        this.#lines.splice(-1, 1, line.slice(0, this.#at) + ' '.repeat(rest) + line.slice(this.#at + rest));
      } else if (part === '\u001B[J') this.#lines.splice(-1, 1, line.slice(0, this.#at));
      else if (!part.startsWith('\u001B')) {
        this.#lines.splice(-1, 1, line.slice(0, this.#at) + part + line.slice(this.#at + 1));
        // Without wrapping what comes at the end of a row stays there.
        if (this.#wraps || this.#at % this.#width < this.#width - 1) this.#at += 1;
      }
    }
  }

  /** What a person would have seen, without escapes, since the last call. */
  seen(): string {
    const text = stripVTControlCharacters(this.written);
    this.written = '';
    return text;
  }
}

/** A clock that moves only when told to. */
export class HandClock implements Clock {
  ms = 1_000_000;

  now(): number {
    return this.ms;
  }

  sleep(): Promise<void> {
    throw new Error('Nothing in report sleeps.');
  }
}

/** A stream that is no terminal and keeps its text. */
export class TextFile {
  text = '';

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}
