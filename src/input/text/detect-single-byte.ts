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
import type { HighBytes } from './high-byte-words.ts';
import { printable } from './decoded-chunks.ts';
import { SAVE_AS_UTF8 } from './text-decoder.ts';
import { readWord, weighReadings, type WordReading } from './word-reading.ts';

/** An encoding in which every word is one of some language. */
interface Candidate {
  encoding: SingleByteEncoding;
  /** What must come together to explain the words: the less the better. */
  weight: number;
}

/** The encoding to read a text in; the question, when another one is as likely; what to tell when not. */
interface ChosenEncoding {
  encoding: SingleByteEncoding;
  question: ChoiceQuestion | undefined;
  remark: string;
}

const MOST_SAMPLES = 3;

/**
 * Chooses the single-byte encoding of a text that is not UTF-8, by whether its words make sense. Throws
 * an InputError naming the first line in question when none fits, or when much of the text is UTF-8.
 */
export function chooseSingleByte(found: HighBytes, file: string): ChosenEncoding {
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

function weigh(encoding: SingleByteEncoding, { words, bytes }: HighBytes): Candidate[] {
  if (bytes.some((byte) => UPPER_HALVES[encoding][byte - 0x80] === NO_CHARACTER)) return [];
  const readings: WordReading[] = [];
  for (const word of words) {
    const reading = readWord(decodeSingleBytes(word, encoding));
    if (reading === undefined) return [];
    readings.push(reading);
  }
  return [{ encoding, weight: weighReadings(readings) }];
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
  const telling = tellingWords(found.words, encodings);
  const titles = encodings.map((encoding) => ENCODING_TITLES[encoding]).join(' or ');
  return {
    text: `${file}:${found.firstStrayLine}: this file is not UTF-8; it may be ${titles}: its words make sense in each.`,
    details: [],
    answers: encodings.map((encoding) =>
      answerOf(`${ENCODING_TITLES[encoding]}: ${showSamples(telling, encoding)}`, 'encoding', encoding),
    ),
  };
}

/** The words that are not the same in all the encodings. */
function tellingWords(words: readonly string[], encodings: readonly SingleByteEncoding[]): string[] {
  return words.filter(
    (word) => new Set(encodings.map((encoding) => decodeSingleBytes(word, encoding))).size > 1,
  );
}

function mixed({ firstStrayLine }: HighBytes, file: string): InputError {
  return new InputError(
    `${file}:${firstStrayLine}: this file mixes encodings: much of it is UTF-8, but this line holds a character in another one.`,
    { hint: 'Write the characters in this line anew and save the file as UTF-8.' },
  );
}

function noneFits({ firstStrayLine }: HighBytes, file: string): InputError {
  return new InputError(
    `${file}:${firstStrayLine}: this file is not UTF-8: this line holds a character in another encoding.`,
    { hint: `${SAVE_AS_UTF8} Or name its encoding, for example --set encoding=windows-1252.` },
  );
}
