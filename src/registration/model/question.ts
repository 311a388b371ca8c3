/** One way to answer a question, and the flag that says the same without being asked. */
export interface Answer {
  /** For the person who is asked: `day first, as in 26/02/2026`. */
  label: string;
  /** As it is typed: `--date-order dmy`. */
  flag: string;
  /** The option that the flag sets, and the value it adds or sets: `dateOrder`, `dmy`. */
  option: string;
  value: string | boolean;
}

/** Something about a file that only its owner can decide. */
export interface Question {
  /** What is to be decided, where, and why: one sentence or two, beginning with the file. */
  text: string;
  /** Lines that show what it is about, such as the first rows. */
  details: readonly string[];
  /** At least one; the first is the most likely. */
  answers: readonly Answer[];
}

/** An answer that a flag gives by its value; `typed` is the value as one word of a command line. */
export function answerOf(label: string, option: string, value: string, typed = value): Answer {
  const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { label, flag: `--${flag} ${typed}`, option, value };
}
