import { alpha2Of } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import { madeOnce, Repeats } from '../model/maps.ts';
import { trimEnds } from '../repairs/clean-text.ts';
import { foldLetters } from '../rules/fold-letters.ts';
import { personWord } from '../rules/people-words.ts';
import { countText, type OpenValue } from './choice-evidence.ts';
import { mayBeName, meansNothing } from './nothing-words.ts';
import { isAnswer } from './synonyms.ts';
import type { WatchedColumn } from './watched-column.ts';

/** A word for nothing that stands in a column. */
export interface NothingWord extends OpenValue {
  column: string;
}

interface SeenColumn {
  isName: boolean;
  /** Cells that are not blank, and those with a text that looks like a code. */
  filled: number;
  codes: number;
  words: Map<string, OpenValue>;
  saysNothing: Repeats<boolean>;
}

/** So many people of one name that means nothing are no people of that name. */
const MANY_NAMES = 3;
/** Of a state, a province, a country: `NA` is one of them. */
const CODE = /^[A-Z]{2,3}$/;

/** Finds the words for nothing in the columns of a file, whatever their kind. */
export class NothingEvidence {
  readonly #columns = new Map<string, SeenColumn>();

  /** Looks at a cell that is not blank; whether it most likely says nothing. */
  add(cell: string, { column, kind, companion }: WatchedColumn, line: number): boolean {
    const seen = this.#columnOf(column, kind === 'name');
    seen.filled += 1;
    if (CODE.test(cell)) seen.codes += 1;
    const text = trimEnds(cell);
    const isOfCompanion = seen.isName && companion !== undefined;
    if (!seen.saysNothing.of(text, isOfCompanion ? namesNobody : meansNothing)) return false;
    if (kind === 'country' && (alpha2Of(text) ?? countryCodeOf(text)) !== undefined) return false;
    countText(seen.words, text, line);
    return !(seen.isName && mayBeName(text));
  }

  /** Counts a part of a choice that is no option, and says nothing. */
  addPart(text: string, column: string, line: number): void {
    countText(this.#columnOf(column, false).words, text, line);
  }

  /** What has to be asked about, the most frequent first. */
  get words(): readonly NothingWord[] {
    const found = [...this.#columns].flatMap(([column, seen]) =>
      [...seen.words.values()].filter((word) => isProven(word, seen)).map((word) => ({ column, ...word })),
    );
    return found.sort((one, other) => other.rows - one.rows);
  }

  #columnOf(column: string, isName: boolean): SeenColumn {
    return madeOnce(this.#columns, column, () => ({
      isName,
      filled: 0,
      codes: 0,
      words: new Map(),
      saysNothing: new Repeats<boolean>(),
    }));
  }
}

const BESIDE = /^(?:my|meine?|mon|ma|mi|meu|minha|mijn) (?=\p{L})|^(?:plus|mais|más) (?:1|one|u\p{L}+)$/iu;

/** Whether a name of who comes along is none: `+1`, `yes`, `my wife`, `Guest 2`. */
export const namesNobody = (text: string): boolean =>
  meansNothing(text) ||
  (text.replace(BESIDE, '').match(/[\p{L}\p{M}]+/gu) ?? [])
    .map(foldLetters)
    .every((word) => isAnswer(word) || isRole(word));

const isRole = (word: string): boolean => {
  const { stem, role } = personWord(word) ?? {};
  return stem === word && role !== 'unsure';
};

/** A few people may be called so, and a code stands among others. */
function isProven({ text, rows }: OpenValue, { isName, filled, codes }: SeenColumn): boolean {
  if (isName && mayBeName(text)) return rows >= MANY_NAMES || (rows > 1 && rows * 2 >= filled);
  return !CODE.test(text) || (codes - rows) * 2 <= filled - rows || filled === rows;
}
