import { cellSource, cellText } from './cell-text.ts';
import { trimEnds } from './clean-text.ts';
import type { SourceRow } from '../model/row.ts';

/** What is said of columns, by their names; a map is one. */
export interface ByColumn<Said> {
  get(column: string): Said | undefined;
  /** Of how many columns something is said. */
  readonly size: number;
}

/** What the texts of a column mean, by folded text; blank when the meaning is. One that means itself is left as it is. */
export interface Meanings {
  /** With the text as it is written also by a form. */
  get(folded: string, text?: string): string | undefined;
  has(folded: string): boolean;
}

/**
 * What texts mean, and forms of texts: in `*.*.##`, which means `*.*.20##`, a star stands for any characters, and # for
 * a digit. A text is a form where its meaning has a star, too.
 */
export function meaningsOf(said: Readonly<Record<string, string>>): Meanings {
  const entries = Object.entries(said);
  const exact = new Map(entries.map(([text, meaning]) => [foldValue(text), meaning]));
  // `*.*.0#` goes before `*.*.##`.
  const forms = entries
    .filter(([text, meaning]) => text !== meaning && text.includes('*') && meaning.includes('*'))
    .sort(([one], [other]) => fixedLength(other) - fixedLength(one))
    .map(([text, meaning]) => formReader(text, meaning));
  const byForm = (text: string): string | undefined =>
    forms.map((read) => read(text)).find((meaning) => meaning !== undefined);
  return {
    has: (folded) => exact.has(folded),
    get: (folded, text) => exact.get(folded) ?? (text === undefined ? undefined : byForm(text)),
  };
}

const fixedLength = (form: string): number => form.replace(/[*#]/g, '').length;

/** Longer texts are of no form; the cap keeps hostile cells cheap. */
const LONGEST_OF_FORM = 200;

function formReader(form: string, meaning: string): (text: string) => string | undefined {
  const marks = form.match(/[*#]/g) ?? [];
  const source = form
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[*#]/g, (mark) => (mark === '*' ? '(.*?)' : '(\\d)'));
  const pattern = new RegExp(`^${source}$`, 'isu');
  return (text) => {
    const found = text.length > LONGEST_OF_FORM ? null : pattern.exec(text);
    if (found === null) return undefined;
    const left = found.slice(1).map((part, at) => ({ mark: marks[at], part }));
    return meaning.replace(/[*#]/g, (mark) => {
      const at = left.findIndex((one) => one.mark === mark);
      return at < 0 ? mark : (left.splice(at, 1)[0]?.part ?? '');
    });
  };
}

/** A text as it is compared with those that have a meaning: without width, case, and white space at its ends. */
export function foldValue(text: string): string {
  return trimEnds(text.normalize('NFKC')).toLowerCase();
}

/**
 * The row as if the person had written what its cells mean, here and wherever rows are looked at. The same row when
 * nothing in it has a meaning of its own.
 */
export function asMeant(row: SourceRow, values: ByColumn<Meanings>): SourceRow {
  if (values.size === 0) return row;
  const written = new Map<number, string>();
  const cells = row.cells.map((cell, at) => {
    const meanings = cell === null ? undefined : values.get(row.columns[at] ?? '');
    const text = meanings && cellText(cell);
    const meaning = text?.ok === true ? meaningOfText(text.value, meanings) : undefined;
    if (meaning === undefined) return cell;
    written.set(at, row.escaped?.get(at) ?? cellSource(cell));
    return meaning;
  });
  return written.size === 0 ? row : { ...row, cells, written };
}

/** What a text means by what was said; undefined also where it was said that it is left as it is. */
export function meaningOfText(text: string, meanings: Meanings | undefined): string | undefined {
  const folded = foldValue(text);
  const meaning = meanings?.get(folded, text);
  return meaning === undefined || foldValue(meaning) === folded ? undefined : meaning;
}

/** What was done to a cell that has a meaning, as a clause that also heads a count; it never quotes what is personal. */
export function takenAs(meaning: string, personal: boolean): string {
  const shown = personal ? 'what it means' : meaning;
  return `taken as ${meaning === '' ? 'blank' : shown}, as was said`;
}
