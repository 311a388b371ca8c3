import { madeOnce } from '../model/maps.ts';
import { NO, YES } from '../rules/text-rule.ts';
import { choiceOf, looseWays, readChoice, readEach, splitChoices } from '../rules/choice-rule.ts';
import { cleanText, trimEnds } from '../repairs/clean-text.ts';
import { foldValue, type Meanings } from '../repairs/meanings.ts';
import { checkDamage, readText } from '../repairs/mend-value.ts';
import { meansNothing } from './nothing-words.ts';
import { proposeMeaning, sameOption } from './synonyms.ts';
import type { Choice, Field, Persona } from '../model/persona.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import type { Cell, Place } from '../model/row.ts';

/** A text of a column that is none of its options, and of which nothing was said. */
export interface OpenValue {
  /** As it is written first. */
  text: string;
  /** Rows, and the lines of the first of them. */
  rows: number;
  lines: number[];
}

const MOST_LINES = 3;

/** Counts a text among those of its column, however it is written, with the lines of the first rows that have it. */
export function countText(found: Map<string, OpenValue>, text: string, line: number): void {
  countRow(
    madeOnce(found, foldValue(text), () => ({ text, rows: 0, lines: [] })),
    line,
  );
}

/** Counts one row more that has a text. */
export function countRow(found: OpenValue, line: number): void {
  found.rows += 1;
  if (found.lines.length < MOST_LINES) found.lines.push(line);
}

/** What the texts of a column are to be: options, of each persona its own. */
export type Options = Pick<Field, 'choices' | 'multiple'>;

/** More of them are no matter of choice. */
const MOST_OPEN = 50;
const MOST_KNOWN = 1000;
/** Longer texts are no words for an option. */
const LONGEST = 100;

/** The texts of one column that are none of its options. */
export class ChoiceEvidence {
  readonly column: string;
  readonly #options: readonly Options[];
  readonly #open = new Map<string, OpenValue>();
  /** Texts that are options, as cells have them: a column has few, in very many rows. */
  readonly #known = new Set<Cell>();
  #isFull = false;
  readonly #said: Meanings;

  /** `said`: what its texts mean, as somebody has said. */
  constructor(column: string, options: readonly Options[], said: Meanings = new Map()) {
    this.column = column;
    this.#options = options;
    this.#said = said;
  }

  /**
   * Looks at one cell that is not blank; whether it says nothing, which `nothing` counts. What is damaged is left to
   * whoever reads it.
   */
  add(
    cell: Cell | undefined,
    { line }: Place,
    repairs: RepairOptions,
    nothing: { addPart: (part: string, column: string, line: number) => void },
  ): boolean {
    if (typeof cell === 'string' && this.#known.has(cell)) return false;
    if (this.#isFull && !(typeof cell === 'string' && meansNothing(trimEnds(cell)))) return false;
    const text = readText({ column: this.column, cell }, 'choice');
    if (!text.ok || checkDamage(text.value.value, 'choice', repairs) !== undefined) return false;
    const open = this.#openParts(cleanText(text.value, 'choice').value);
    if (open.length === 0 && typeof cell === 'string' && this.#known.size < MOST_KNOWN) this.#known.add(cell);
    const unsaid = open.filter((part) => part.length <= LONGEST && !this.#said.has(foldValue(part)));
    const blank = unsaid.filter((part) => meansNothing(part) && sameOption(part, this.choices) === undefined);
    for (const part of blank) nothing.addPart(part, this.column, line);
    for (const part of unsaid) if (!blank.includes(part)) countText(this.#open, part, line);
    this.#isFull = this.#open.size > MOST_OPEN;
    return open.length > 0 && blank.length === open.length;
  }

  /** The options of all personas, each value once. */
  get choices(): readonly Choice[] {
    const byValue = new Map(
      this.#options.flatMap(({ choices }) => choices.map((choice) => [choice.value, choice] as const)),
    );
    return [...byValue.values()];
  }

  /** The most frequent first; none where they are too many to be words for options. */
  get open(): readonly OpenValue[] {
    const found = new Map<string, OpenValue>();
    for (const { text, rows, lines } of this.#isFull ? [] : this.#open.values()) {
      for (const part of this.#knownParts(text) ?? [text]) {
        const known = madeOnce(found, foldValue(part), () => ({ text: part, rows: 0, lines: [] }));
        known.rows += rows;
        known.lines = [...new Set([...known.lines, ...lines])].sort((a, b) => a - b).slice(0, MOST_LINES);
      }
    }
    return [...found.values()].sort((one, other) => other.rows - one.rows);
  }

  /** Of several options in one text those that are open, each by itself; a part that is not known is lost beside none. */
  #knownParts(text: string): readonly string[] | undefined {
    const { choices } = this;
    if (!this.#options.some(({ multiple }) => multiple)) return undefined;
    const isSettled = (part: string): boolean =>
      part === '' || this.#said.has(foldValue(part)) || choiceOf(part, choices) !== undefined;
    const isKnown = (part: string): boolean =>
      isSettled(part) || this.#open.has(foldValue(part)) || proposeMeaning(part, choices) !== undefined;
    const ways = looseWays(text, choices);
    const holdsOne = (way: readonly string[]): boolean => way.some((part) => part !== '' && isKnown(part));
    const parts = ways.find((way) => way.every(isKnown)) ?? ways.find(holdsOne);
    return parts?.filter((part) => !isSettled(part));
  }

  /** What is an option of one persona may be one of a row of it. */
  #openParts(text: string): readonly string[] {
    const wrong = this.#options.map(({ choices, multiple }) => {
      if (readChoice(text, choices).ok) return [];
      if (!multiple) return [text];
      return splitChoices(text, choices).filter((part) => part !== '' && !readEach([part], choices).ok);
    });
    return wrong.reduce((least, parts) => (parts.length < least.length ? parts : least), wrong[0] ?? []);
  }
}

/** The personas of an event as the options of the column that names them. */
export function personaOptions(personas: readonly Persona[]): Options {
  return { choices: personas.map(({ slug, name }) => ({ value: slug, label: name })), multiple: false };
}

/** Whether the service may write to a person. */
export const SWITCH_OPTIONS: Options = {
  choices: [
    // The last word for each is what is shown.
    ...YES.toReversed().map((label) => ({ value: 'true', label })),
    ...NO.toReversed().map((label) => ({ value: 'false', label })),
  ],
  multiple: false,
};
