/** One of several answers. */
export interface Choice {
  value: string;
  label: string;
  /** Said beside the label while the choice is marked. */
  hint?: string;
}

/** What an answer does in the world. */
interface Acts {
  /**
   * The answer sends, deletes or writes to people: the question starts on what does nothing (No, or the first choice),
   * is deaf for a moment after it is drawn, and a bare Enter never means what acts.
   */
  acts?: boolean;
}

/** One screen of rows, each with a value that is proposed or open. */
export interface PromptTable {
  title: string;
  /** What stays on the screen with the answer; the title unless given. */
  settled?: string;
  /** Over the labels, the samples and the values. */
  headings: readonly [string, string, string];
  rows: readonly PromptRow[];
  /** What one key gives to every row that is open. */
  rest: { value: string; label: string } | undefined;
  /** False: there is no question before it to go back to. */
  back?: boolean;
  /** Told at each row that is decided: whoever stops then has decided those. */
  onDecided?: (row: number, value: string) => void;
}

interface PromptRow {
  label: string;
  sample: string;
  /** Undefined while it is open. */
  value: string | undefined;
  /** Why this value is proposed. */
  why?: string;
  choices: readonly Choice[];
}

/** The choices of a row, with what one key gives. */
export function choicesWith(rest: PromptTable['rest'], choices: readonly Choice[] = []): readonly Choice[] {
  return rest === undefined || choices.some(({ value }) => value === rest.value)
    ? choices
    : [...choices, rest];
}

/** Questions to the person at the terminal. Only called when stdin and stderr are terminals. Ctrl-C throws. */
export interface Prompt {
  confirm(question: string, how?: Acts): Promise<boolean>;
  /** Reads a secret without showing it. */
  secret(question: string): Promise<string>;
  text(question: string, initial?: string): Promise<string>;
  /** One of several; returns its value. With `back`, the left arrow and Esc go back: then undefined. */
  select(question: string, choices: readonly Choice[], how?: Acts & { back?: false }): Promise<string>;
  select(
    question: string,
    choices: readonly Choice[],
    how: Acts & { back?: boolean },
  ): Promise<string | undefined>;
  /** A value for each row, or undefined for back. */
  table(question: PromptTable): Promise<readonly string[] | undefined>;
}
