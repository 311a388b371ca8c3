import { PassThrough } from 'node:stream';
import * as readline from 'node:readline';
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
    this.on('data', (chunk: Buffer) => {
      this.written += chunk.toString();
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
