import { InputError } from '../../errors.ts';
import { answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import {
  decodeSingleBytes,
  ENCODING_TITLES,
  NO_CHARACTER,
  SINGLE_BYTE_ENCODINGS,
  type SingleByteEncoding,
  UPPER_HALVES,
} from './encoding.ts';
import { printable } from './decoded-chunks.ts';
import { LineCounter, SAVE_AS_UTF8 } from './text-decoder.ts';
import { readWord, weighReadings } from './word-reading.ts';
import { isUtf8 } from 'node:buffer';

const MOST_SAMPLES = 3;

/**
 * Chooses the single-byte encoding of a text that is not UTF-8, by whether its words make sense; with the question when another
 * one is as likely, and what to tell when not. Throws
 * an InputError naming the first line in question when none fits, or when much of the text is UTF-8.
 */
export function chooseSingleByte(found: HighBytes, file: string) {
  const fitting = SINGLE_BYTE_ENCODINGS.flatMap((encoding) => weigh(encoding, found));
  if (found.utf8Characters > found.strayBytes) throw mixed(found, file);
  if (fitting.length === 0) throw noneFits(found, file);
  const least = Math.min(...fitting.map(({ weight }) => weight));
  const likely = withoutEquals(
    fitting.filter(({ weight }) => weight === least).map(({ encoding }) => encoding),
    found.bytes,
  );
  const [encoding = 'windows-1252', ...others] = likely;
  const samples = showSamples(found.words, encoding);
  return {
    encoding,
    question: others.length === 0 ? undefined : ask(likely, found, file),
    remark: `Read as ${ENCODING_TITLES[encoding]}: ${samples} (line ${found.firstStrayLine} is the first).`,
  };
}

/** What must come together to explain the words in an encoding, the less the better; nothing where one makes no sense. */
function weigh(encoding: SingleByteEncoding, { words, bytes }: HighBytes) {
  if (bytes.some((byte) => UPPER_HALVES[encoding][byte - 0x80] === NO_CHARACTER)) return [];
  const readings = words.map((word) => readWord(decodeSingleBytes(word, encoding)));
  const known = readings.filter((reading) => reading !== undefined);
  return known.length < words.length ? [] : [{ encoding, weight: weighReadings(known) }];
}

/** Leaves out encodings that read these bytes as an earlier one does. */
function withoutEquals(
  encodings: readonly SingleByteEncoding[],
  bytes: readonly number[],
): SingleByteEncoding[] {
  const decoded = encodings.map((encoding) => decodeSingleBytes(String.fromCharCode(...bytes), encoding));
  return encodings.filter((_, at) => decoded.indexOf(decoded[at] ?? '') === at);
}

/** Up to three words as an encoding reads them; those with letters first. */
function showSamples(words: readonly string[], encoding: SingleByteEncoding): string {
  const read = words.map((word) => decodeSingleBytes(word, encoding));
  const special = read.filter((word) => /[^\P{L}A-Za-z]/u.test(word));
  return [...new Set([...special, ...read])]
    .slice(0, MOST_SAMPLES)
    .map((word) => `"${printable(word)}"`)
    .join(', ');
}

function ask(encodings: readonly SingleByteEncoding[], found: HighBytes, file: string): ChoiceQuestion {
  const telling = found.words.filter(
    (word) => new Set(encodings.map((encoding) => decodeSingleBytes(word, encoding))).size > 1,
  );
  const titles = encodings.map((encoding) => ENCODING_TITLES[encoding]).join(' or ');
  return {
    text: `${file}:${found.firstStrayLine}: this file is not UTF-8; it may be ${titles}: its words make sense in each.`,
    details: [],
    answers: encodings.map((encoding) =>
      answerOf(`${ENCODING_TITLES[encoding]}: ${showSamples(telling, encoding)}`, 'encoding', encoding),
    ),
  };
}

function mixed({ firstStrayLine }: HighBytes, file: string): InputError {
  return new InputError(
    `${file}:${firstStrayLine}: this file mixes encodings: much of it is UTF-8, but this line holds a character in another one.`,
    { hint: 'Write the characters in this line anew and save the file as UTF-8.' },
  );
}

const ENCODINGS = Object.keys(ENCODING_TITLES).slice(1).join(', ');

function noneFits({ firstStrayLine }: HighBytes, file: string): InputError {
  return new InputError(
    `${file}:${firstStrayLine}: this file is not UTF-8: this line holds a character in another encoding.`,
    {
      hint: `${SAVE_AS_UTF8} Or name its encoding with --set encoding, where it is one of these: ${ENCODINGS}.`,
    },
  );
}

/** What a text that is not UTF-8 holds beyond ASCII. */
interface HighBytes {
  /** Different words with a byte beyond ASCII, one character a byte; at most 10,000. */
  words: readonly string[];
  /** All bytes beyond ASCII that occur. */
  bytes: readonly number[];
  /** Sequences of bytes that are a character in UTF-8, and bytes that are not part of one. */
  utf8Characters: number;
  strayBytes: number;
  /** The first line with a stray byte. */
  firstStrayLine: number;
}

const MOST_WORDS = 5000;
/** No word is longer; what is, is looked at piece by piece. */
const LONGEST_WORD = 400;
/** A byte of a word, one character a byte; those beyond ASCII make it one that is looked at. */
const PART = /[A-Za-z0-9'\u0080-\u00FF]/;
const WORD = /[A-Za-z0-9']{0,400}[\u0080-\u00FF][A-Za-z0-9'\u0080-\u00FF]{0,400}/g;

/** Collects the words of a text that hold bytes beyond ASCII, over chunks cut anywhere. */
export class HighByteWords {
  readonly #lines = new LineCounter();
  readonly #seen = new Uint8Array(128);
  /** Words that may be UTF-8 are kept apart, so that a mass of others does not crowd them out. */
  readonly #stray = new Set<string>();
  readonly #utf8 = new Set<string>();
  /** The beginning of a word that a chunk has cut. */
  #carry = '';
  #utf8Characters = 0;
  #strayBytes = 0;

  push(chunk: Buffer): void {
    const text = this.#carry + chunk.toString('latin1');
    let cut = text.length;
    while (cut > 0 && text.length - cut < LONGEST_WORD && PART.test(text.charAt(cut - 1))) cut--;
    this.#keepAll(text.slice(0, cut));
    this.#carry = text.slice(cut);
  }

  /** What was collected, the last word included. */
  end(): HighBytes {
    this.#keepAll(this.#carry);
    return {
      words: [...this.#stray, ...this.#utf8],
      bytes: [...this.#seen.keys()].filter((at) => this.#seen[at] === 1).map((at) => at + 0x80),
      utf8Characters: this.#utf8Characters,
      strayBytes: this.#strayBytes,
      firstStrayLine: this.#lines.line,
    };
  }

  /** Counts lines as far as the first stray byte: there the count is wanted. */
  #keepAll(text: string): void {
    let counted = this.#strayBytes > 0 ? 0 : text.length;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      this.#keep(Buffer.from(word, 'latin1'));
      if (this.#strayBytes > 0) counted = Math.min(counted, index);
    }
    this.#lines.advance(Buffer.from(text, 'latin1'), 0, counted);
  }

  #keep(word: Buffer): void {
    const { characters, strays } = countUtf8(word);
    if (characters + strays === 0) return;
    for (const byte of word) if (byte >= 0x80) this.#seen[byte - 0x80] = 1;
    this.#utf8Characters += characters;
    this.#strayBytes += strays;
    const words = characters > 0 ? this.#utf8 : this.#stray;
    if (words.size < MOST_WORDS) words.add(word.toString('latin1'));
  }
}

function countUtf8(word: Buffer): { characters: number; strays: number } {
  let characters = 0;
  let strays = 0;
  for (let at = 0; at < word.length; at++) {
    const byte = word[at] ?? 0;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    const next = word[at + 1] ?? 0;
    // A quick look that spares most of the slow ones.
    const goesOn = next >= 0x80 && next < 0xc0;
    if (goesOn && at + length <= word.length && isUtf8(word.subarray(at, at + length))) {
      characters++;
      at += length - 1;
    } else strays++;
  }
  return { characters, strays };
}
