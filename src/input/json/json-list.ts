import { InputError } from '../../errors.ts';
import { firstNonBlank } from '../source/file-kind.ts';
import { JsonValueScanner } from './json-value-scanner.ts';
import { LineCounter } from '../text/text-decoder.ts';

/** One element of a JSON list, or one line of NDJSON, as it stands in the file. */
export interface JsonElement {
  text: string;
  /** Line on which it starts. */
  line: number;
}

/** Names under which an object at the root may hold the list. */
export const LIST_NAMES: readonly string[] = ['registrations', 'data', 'items', 'results', 'attendees'];
export const LONGEST_ELEMENT = 1024 * 1024;

/** What may come next. */
type State =
  | 'root'
  | 'first'
  | 'element'
  | 'afterElement'
  | 'firstKey'
  | 'key'
  | 'colon'
  | 'member'
  | 'afterMember'
  | 'end';

/** Of each: what waits for a value, where punctuation leads (`listEnd` depends on the root), and what is wrong when nothing fits. */
const STATES: Readonly<
  Record<State, { takes?: 'value' | 'key'; next: Record<string, State | 'listEnd'>; complaint: string }>
> = {
  root: { next: { '[': 'first', '{': 'firstKey' }, complaint: 'JSON must begin with [ or {.' },
  first: { takes: 'value', next: { ']': 'listEnd' }, complaint: 'a registration is expected here.' },
  element: {
    takes: 'value',
    next: {},
    complaint: 'a registration is expected here: there is a comma too many.',
  },
  afterElement: { next: { ',': 'element', ']': 'listEnd' }, complaint: 'a comma is missing before this.' },
  firstKey: { takes: 'key', next: { '}': 'end' }, complaint: 'a name in double quotes is expected here.' },
  key: {
    takes: 'key',
    next: {},
    complaint: 'a name in double quotes is expected here: there may be a comma too many.',
  },
  colon: { next: { ':': 'member' }, complaint: 'a colon is missing before this.' },
  member: { takes: 'value', next: {}, complaint: 'a value is expected here.' },
  afterMember: { next: { ',': 'key', '}': 'end' }, complaint: 'a comma is missing before this.' },
  end: { next: {}, complaint: 'there is more text after the end of the list.' },
};
const HINT = 'Mend the JSON in this line, or write the file again with the program that made it.';

/**
 * Cuts the elements out of a JSON list, at the root or in an object at the root, over chunks of bytes.
 * Memory stays flat: at most one element, of at most 1 MiB, is held. An element may be wrong inside;
 * throws an InputError naming the line where the list itself is wrong.
 */
export class JsonListSplitter {
  readonly #file: string;
  readonly #lines = new LineCounter();
  #elements = 0;
  #counted = 0;
  #state: State = 'root';
  #inObject = false;
  #listSeen = false;
  #isOurs = false;
  #key = '';
  #value: { scanner: JsonValueScanner; parts: Buffer[]; size: number; line: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** The elements that this chunk completes. */
  push(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    this.#counted = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#value === undefined) at = this.#step(chunk, at);
      if (this.#value !== undefined) at = this.#takeValue(chunk, at, elements);
    }
    this.#countTo(chunk, chunk.length);
    return elements;
  }

  /** Throws an InputError unless the text was complete. */
  end(): void {
    if (this.#value !== undefined)
      throw this.#error(this.#value.line, 'the file ends inside what begins here.');
    if (this.#state !== 'end') throw this.#error(this.#lines.line, 'the file ends before the list does.');
    if (!this.#listSeen) {
      throw new InputError(`${this.#file}: the object holds no list of registrations.`, {
        hint: `Put the registrations in a list [ ... ], or under one of the names ${LIST_NAMES.join(', ')}.`,
      });
    }
  }

  /** Goes over white space and one sign of punctuation, or begins a value; returns the next index. */
  #step(chunk: Buffer, from: number): number {
    const at = firstNonBlank(chunk, from);
    if (at === chunk.length) return at;
    const sign = String.fromCharCode(chunk[at] ?? 0);
    const { takes, next: steps } = STATES[this.#state];
    const next = steps[sign];
    if (next !== undefined) {
      this.#enter(next);
      return at + 1;
    }
    this.#countTo(chunk, at);
    const isWrong = takes === undefined || ',:]}'.includes(sign) || (takes === 'key' && sign !== '"');
    if (isWrong) throw this.#unexpected(sign);
    if (this.#state === 'member' && sign === '[' && LIST_NAMES.includes(this.#key)) {
      if (this.#listSeen)
        throw this.#error(this.#lines.line, `"${this.#key}" is a second list of registrations.`);
      this.#enter('first');
      this.#listSeen = true;
      return at + 1;
    }
    this.#value = { scanner: new JsonValueScanner(), parts: [], size: 0, line: this.#lines.line };
    return at;
  }

  #enter(next: State | 'listEnd'): void {
    if (this.#state === 'root') {
      this.#inObject = next === 'firstKey';
      this.#listSeen = next === 'first';
    }
    if (next === 'listEnd') this.#state = this.#inObject ? 'afterMember' : 'end';
    else this.#state = next;
  }

  #takeValue(chunk: Buffer, from: number, elements: JsonElement[]): number {
    const value = this.#value;
    if (value === undefined) return from;
    const end = value.scanner.scan(chunk, from);
    const to = end === -1 ? chunk.length : end;
    if (value.scanner.mismatch) throw this.#mismatch(chunk, to, value.line);
    value.size += to - from;
    if (value.size > LONGEST_ELEMENT) throw tooLong(this.#file, value.line);
    value.parts.push(chunk.subarray(from, to));
    if (end !== -1) this.#finishValue(Buffer.concat(value.parts).toString(), value.line, elements);
    return to;
  }

  #finishValue(text: string, line: number, elements: JsonElement[]): void {
    this.#value = undefined;
    if (this.#state === 'first' || this.#state === 'element') {
      this.#elements += 1;
      // Where the list stands in one line, its number tells an element apart.
      elements.push({ text, line: line === 1 ? this.#elements : line });
      this.#state = 'afterElement';
      return;
    }
    const parsed = this.#parse(text, line);
    const isKey = this.#state !== 'member';
    if (!isKey) this.#heed(parsed, line);
    if (isKey) this.#key = String(parsed);
    this.#state = isKey ? 'colon' : 'afterMember';
  }

  /** A list of eventreg says at its end why it has become no longer. */
  #heed(value: unknown, line: number): void {
    if (this.#key === 'schema') this.#isOurs = String(value).startsWith('eventreg/');
    if (!this.#isOurs || this.#key !== 'error' || value === null) return;
    throw new InputError(`${this.#file}:${line}: this list is not whole: the command that made it failed.`, {
      hint: 'Make it again.',
    });
  }

  #parse(text: string, line: number): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#error(line, 'what begins here is not valid JSON.');
    }
  }

  #countTo(chunk: Buffer, to: number): void {
    this.#lines.advance(chunk, this.#counted, to);
    this.#counted = to;
  }

  #unexpected(sign: string): InputError {
    const complaint =
      this.#state === 'element' && sign === ']'
        ? 'there is a comma before the closing ].'
        : STATES[this.#state].complaint;
    return this.#error(this.#lines.line, complaint);
  }

  #mismatch(chunk: Buffer, at: number, start: number): InputError {
    this.#countTo(chunk, at);
    const sign = String.fromCharCode(chunk[at] ?? 0);
    return this.#error(this.#lines.line, `this ${sign} does not close what begins in line ${start}.`);
  }

  #error(line: number, what: string): InputError {
    return new InputError(`${this.#file}:${line}: ${what}`, { hint: HINT });
  }
}

/** The error for one element or line of more than 1 MiB. */
export function tooLong(file: string, line: number): InputError {
  return new InputError(`${file}:${line}: what begins here is longer than 1 MiB, so it is no registration.`, {
    hint: 'Check that this is the right file and that quotes and brackets are closed.',
  });
}
