import { flagOf } from './option-flags.ts';

/** One way to answer a question, and the flag that says the same without being asked. */
export interface Answer {
  /** For the person who is asked: `day first, as in 26/02/2026`. */
  label: string;
  /** What it would do, said while it is looked at. */
  hint?: string;
  /** As it is typed: `--set date-order=dmy`; undefined for parts of an option, whose flag they make. */
  flag: string | undefined;
  /** The option of push that the answer sets: `dateOrder`. */
  option: string;
  /** What it adds or sets: `dmy`. Of an option with parts, the way into them, and the value at its end: `['Menü', 'Fleisch', 'Meat']`. */
  value: string | boolean | readonly string[];
}

/** Something about a file that only its owner can decide. */
export type Question = ChoiceQuestion | TableQuestion;

/** One of several answers is right. */
export interface ChoiceQuestion {
  kind?: 'choice';
  /** What is to be decided, where, and why: one sentence or two, beginning with the file. */
  text: string;
  /** Lines that show what it is about, such as the first rows. */
  details: readonly string[];
  /** At least one; the first is the most likely. */
  answers: readonly Answer[];
  /** Nothing speaks for the first answer: where nobody can be asked, none is proposed. */
  unlikely?: boolean;
  /** What the first answer leaves out: the command that gives it says so. */
  leavesOut?: string;
  /** The file may be mended instead: to stop is an answer of its own. */
  mayStop?: boolean;
  /** What was answered for the like of this file before: it is not asked again. */
  remembered?: Answer | undefined;
}

/** Many decisions of one kind, on one screen. */
export interface TableQuestion {
  kind: 'table';
  topic: 'columns' | 'values';
  /** What the rows are: `13 columns of form.csv`. */
  text: string;
  /** The text without what is open, for when nothing is; the text itself unless given. */
  settled?: string;
  details: readonly string[];
  /** Lines with values of the file: for the person at the terminal only. */
  examples?: readonly string[];
  /** Of the three columns of the screen. */
  headings: readonly [string, string, string];
  rows: readonly QuestionRow[];
  /** Of the answers of every row, the index of the one that a key gives to all that are open. */
  rest: number | undefined;
  /** Said where nobody can be asked: what else may be answered. */
  others?: string;
  /** Says the same of all rows that are not certain at once. */
  restAnswer?: Answer | undefined;
  /** As that of one of several answers. */
  remembered?: Answer | undefined;
}

/** One decision of a table. */
export interface QuestionRow {
  label: string;
  sample: string;
  /** Why the answer is proposed: `values fit`. */
  why?: string | undefined;
  /** Index of the answer that is proposed; undefined: open. */
  chosen: number | undefined;
  /** The chosen answer holds without being given. */
  certain?: boolean;
  /** What is said of all open rows at once does not hold for this one. */
  apart?: boolean;
  /** None of the answers is likely: only a person gives one. */
  asksPerson?: boolean | undefined;
  answers: readonly Answer[];
  /** The proposed answer and why, where there is nobody to ask and no flag gives it. */
  told?: string | undefined;
}

/** An answer that a flag gives by its value; `typed` is the value as one word of a command line. */
export function answerOf(
  label: string,
  option: string,
  value: string | boolean,
  typed = String(value),
): Answer & { flag: string } {
  const flag = flagOf(option);
  return { label, flag: `${flag}${flag.startsWith('--set ') ? '=' : ' '}${typed}`, option, value };
}
