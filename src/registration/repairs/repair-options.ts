import type { DateOrder } from '../rules/date-forms.ts';
import type { ByColumn, Meanings } from './meanings.ts';
import type { NationalPhones, PhoneWish } from './repair-phone.ts';

/** Damage that the user may wave through with `--set accept`. */
export const ACCEPTABLE = [
  /** Texts such as `JosÃ©`, decoded wrongly once before. */
  'mojibake',
  /** E-mail addresses that mix alphabets, as forged ones do. */
  'mixed-scripts',
  /** Barcodes of fewer digits than the others of their column. */
  'short-barcodes',
  /** A sheet exactly as long as a spreadsheet program can hold. */
  'full-sheet',
  /** Rows of people without a name and an e-mail address. */
  'nameless',
  /** A list that is masked for another service, or for none. */
  'masked',
] as const;
export type Acceptable = (typeof ACCEPTABLE)[number];

/** Which day is meant by one with a time that nobody meant: it, or the next, as midnight in another time zone. */
export type HiddenTimes = 'shown' | 'next';

/** What a whole column has shown. */
export interface ColumnDecision {
  dateOrder: DateOrder | undefined;
  /** Places that show both orders, `a.csv:4` and `a.csv:9`: no date of the column is certain. */
  dateConflict: readonly [dayFirst: string, monthFirst: string] | undefined;
  /** Phone numbers that begin with the country's calling code have it, since no other reading fits the column. */
  coded?: true;
}

/** How values may be mended. Every change is a note. */
export interface RepairOptions {
  /** From `--set phone-country`, else of no country: for national numbers, but those of another one that their row names. */
  phones: NationalPhones | undefined;
  /** What is said of columns, before `phones`. */
  phonesOf: ByColumn<PhoneWish>;
  /** Alpha-2 codes of the countries that the row at hand names for its person. */
  rowCountries?: readonly string[];
  /** From `--set date-order`: for columns whose own dates do not decide. */
  dateOrder: DateOrder | undefined;
  /** From `--set date-serials`: numbers in date columns are days since then. */
  dateSerials: '1900' | '1904' | undefined;
  /** From `--set hidden-times`: for days whose time leaves open which one is meant. */
  hiddenTimes?: HiddenTimes | undefined;
  /** The last day, as yyyy-mm-dd, on which anybody can be born; undefined: any. */
  lastBirth?: string;
  /** From `--set pad=barcode:13`: digits by column name, or by reserved name or slug. */
  pad: ReadonlyMap<string, number>;
  accept: ReadonlySet<Acceptable>;
  /** By column name. */
  decisions: ReadonlyMap<string, ColumnDecision>;
  /** What the person says that texts of a column mean. */
  values: ByColumn<Meanings>;
  /** From `--set leave-out`: columns whose values are left out where a row's persona has no field for them. */
  leaveOut: ByColumn<true>;
}

/** What was done to such a value, in its note. */
export const LEFT_OUT = 'left out, since the kind of guest has no such field';

/** Every repair that needs no question. */
export const DEFAULT_REPAIRS: RepairOptions = {
  phones: undefined,
  phonesOf: new Map(),
  dateOrder: undefined,
  dateSerials: undefined,
  pad: new Map(),
  accept: new Set(),
  decisions: new Map(),
  values: new Map(),
  leaveOut: new Map(),
};
