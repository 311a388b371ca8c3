import { answerOf, type ChoiceQuestion } from '../model/question.ts';
import { type DateOrder, dayOf, isBareSerial, shownOrder } from '../rules/date-forms.ts';
import { openTime } from '../repairs/repair-date.ts';
import type { ColumnDecision } from '../repairs/repair-options.ts';
import { formatPlace, type Place } from '../model/row.ts';
import { nextDay, serialDate } from '../repairs/serial-date.ts';

/** Where dates are written month first: the USA and islands beside them, and the Philippines. */
const MONTH_FIRST = ['US', 'AS', 'FM', 'GU', 'MH', 'MP', 'PH', 'PR', 'PW', 'UM', 'VI'];
/** What only languages whose speakers write the day first have in their headings of dates. */
const DAY_FIRST = /datum|termin|geb|fecha|nac|naiss|né|jour|\bdata\b|nasc|nato|giorno|d[ií]a\b/i;
/** So many of the people show where the file was written, whoever the others are. */
const CLEAR_SHARE = 0.8;

/** What the dates of one column have shown so far. */
export class DateEvidence {
  readonly column: string;
  /** Dates that are the same day in neither order, first ones only. */
  readonly open: SeenCell[] = [];
  /** How dates are written where the people of open ones are from, and how many of them. */
  readonly usual = { dmy: 0, mdy: 0 };
  /** Bare numbers, first ones only. */
  readonly serials: SeenCell[] = [];
  /** Days with a time that nobody meant and that leaves the day open, first ones only; and the first few such times. */
  readonly timed: SeenCell[] = [];
  readonly times = new Set<string>();
  #dayFirst: SeenCell | undefined;
  #monthFirst: SeenCell | undefined;
  #dotted: SeenCell | undefined;

  constructor(column: string) {
    this.column = column;
  }

  /** Looks at one date, as text, of a row that names or shows these countries, asked where they tell. One that is not sent leaves nothing open. */
  add(cell: SeenCell, countries: () => readonly string[], isSent: boolean): void {
    const order = shownOrder(cell.value);
    if (order === 'dmy') this.#dayFirst ??= cell;
    else if (order === 'mdy') this.#monthFirst ??= cell;
    else if (order === 'dotted') this.#dotted ??= cell;
    else if (order === 'either' && isSent) {
      keepFirst(this.open, cell);
      const orders = countries().map((country) => (MONTH_FIRST.includes(country) ? 'mdy' : 'dmy'));
      for (const one of new Set(orders)) this.usual[one] += 1;
    } else if (isSent && isBareSerial(cell.value)) keepFirst(this.serials, cell);
  }

  /** Looks at one day, which may have a time behind it. */
  addTime(cell: SeenCell): void {
    const time = openTime(cell.value);
    if (time === undefined) return;
    keepFirst(this.timed, cell);
    if (this.times.size < MOST_SHOWN) this.times.add(time);
  }

  /** What is certain; both undefined when nothing is. Dots prove nothing against what is said. */
  decision(said?: DateOrder): ColumnDecision {
    const month = this.#monthFirst;
    const day = this.#dayFirst ?? ((month ?? said) === undefined ? this.#dotted : undefined);
    if (day !== undefined && month !== undefined) {
      return { dateOrder: undefined, dateConflict: [formatPlace(day.place), formatPlace(month.place)] };
    }
    const dateOrder: DateOrder | undefined =
      day !== undefined ? 'dmy' : month !== undefined ? 'mdy' : undefined;
    return { dateOrder, dateConflict: undefined };
  }

  /** One sentence on what decided, if anything did, beside what is said of columns that show nothing or both orders. */
  remark(said?: DateOrder): string | undefined {
    const { dateOrder, dateConflict } = this.decision(said);
    const dates = `Dates in "${this.column}" are`;
    if (dateConflict !== undefined) {
      const [dayFirst, monthFirst] = dateConflict;
      const told = `${dates} not certain and refused: ${dayFirst} is day first, ${monthFirst} is month first.`;
      return said === undefined ? told : undefined;
    }
    const shown = this.#dayFirst ?? this.#monthFirst ?? this.#dotted;
    if (shown === undefined || dateOrder === undefined) return undefined;
    const line = `${shown.place.sheet === undefined ? 'line' : 'row'} ${shown.place.line}`;
    return `${dates} ${dateOrder === 'dmy' ? 'day' : 'month'} first: ${line} is ${shown.value}.`;
  }
}

/**
 * Asks which number is the day; one question for all columns, because one flag answers it. Likely is what other columns
 * of the file show, else how it is written where people are from, else in the language of the heading.
 */
export function orderQuestion(
  columns: readonly DateEvidence[],
  shown: ReadonlySet<DateOrder>,
): ChoiceQuestion | undefined {
  const open = columns.filter((column) => {
    const { dateOrder, dateConflict } = column.decision();
    return column.open.length > 0 && dateOrder === undefined && dateConflict === undefined;
  });
  const [first] = open.flatMap((column) => column.open);
  if (first === undefined) return undefined;
  const text = `${first.place.file}: dates in ${listColumns(open)} may be read day first or month first, and none of them tells which.`;
  const answers = [
    answerOf('day first, as in 26/02/2026', 'dateOrder', 'dmy'),
    answerOf('month first, as in 02/26/2026', 'dateOrder', 'mdy'),
  ];
  const likely = likelyOrder(open, shown);
  return {
    text,
    details: showFirst(open.map((column) => column.open)),
    answers: likely === 'mdy' ? answers.reverse() : answers,
    ...(likely === undefined && { unlikely: true, leavesOut: OTHER_ORDER }),
  };
}

/** Where nothing tells which order is meant, the command that is printed has the first. */
const OTHER_ORDER = '--set date-order=mdy, which is as likely';

function likelyOrder(open: readonly DateEvidence[], shown: ReadonlySet<DateOrder>): DateOrder | undefined {
  if (shown.size > 0) return shown.size === 1 ? [...shown][0] : undefined;
  const count = (order: DateOrder): number => open.reduce((sum, { usual }) => sum + usual[order], 0);
  const all = count('dmy') + count('mdy');
  if (all === 0) return open.every(({ column }) => DAY_FIRST.test(column)) ? 'dmy' : undefined;
  return (['dmy', 'mdy'] as const).find((order) => count(order) >= all * CLEAR_SHARE);
}

/** Asks from which year bare numbers count days. */
export function serialQuestion(
  columns: readonly DateEvidence[],
  date1904: boolean,
): ChoiceQuestion | undefined {
  const open = columns.filter(({ serials }) => serials.length > 0);
  const [first] = open.flatMap(({ serials }) => serials);
  if (first === undefined) return undefined;
  const text = `${first.place.file}: ${listColumns(open)} has numbers where dates are expected. Spreadsheets count days from 1900, some of them from 1904.`;
  const answers = (['1900', '1904'] as const).map((year) => {
    const day = serialDate(Number(first.value), year === '1904', 'date');
    const example = day.ok ? `: ${first.value} is ${day.value}` : '';
    return answerOf(`days since ${year}${example}`, 'dateSerials', year);
  });
  return {
    text,
    details: showFirst(open.map(({ serials }) => serials)),
    answers: date1904 ? answers.reverse() : answers,
  };
}

/** Asks which day is meant where days have a time. In summer and winter, midnight of one zone is at two times. */
export function hiddenQuestion(columns: readonly DateEvidence[]): ChoiceQuestion | undefined {
  const open = columns.filter(({ timed }) => timed.length > 0);
  const [first] = open.flatMap(({ timed }) => timed);
  if (first === undefined) return undefined;
  const text = `${first.place.file}: ${listColumns(open)} has days with a time of day that the sheet does not show, or that no birth has. Which day is meant?`;
  const [year, month, date] = first.value.slice(0, 10).split('-');
  const day = dayOf(year, month, date);
  const example = (meant: string): string => `: ${first.value} is ${meant}`;
  const [next, same] = day === undefined ? ['', ''] : [example(nextDay(day)), example(day)];
  const answers = [
    answerOf(`the day after, as midnight in another time zone${next}`, 'hiddenTimes', 'next'),
    answerOf(`the day itself${same}`, 'hiddenTimes', 'shown'),
  ];
  const isOneZone = open.every(
    ({ times }) => times.size <= 2 && [...times].every((time) => time > '12:00:00'),
  );
  return {
    text,
    details: showFirst(open.map(({ timed }) => timed)),
    answers: isOneZone ? answers : answers.reverse(),
  };
}

function showFirst(cells: readonly (readonly SeenCell[])[]): string[] {
  return cells.flat().slice(0, MOST_SHOWN).map(showCell);
}

/** `"Date of birth" and "Arrival"`; a file may have many of them. */
function listColumns(columns: readonly DateEvidence[]): string {
  const names = columns.slice(0, MOST_SHOWN).map(({ column }) => `"${column}"`);
  const rest = columns.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more columns` : names.join(' and ');
}

/** A cell that shows something about its column. Kept only of kinds that are not personal. */
export interface SeenCell {
  place: Place;
  /** After the repairs that are certain, such as spaces taken off. */
  value: string;
}

/** How many cells a question shows. */
export const MOST_SHOWN = 3;

/** `people.csv:2: 03/04/2026`, for the details of a question. */
export function showCell({ place, value }: SeenCell): string {
  return `${formatPlace(place)}: ${value}`;
}

/** Keeps the first few. */
export function keepFirst(kept: SeenCell[], cell: SeenCell): void {
  if (kept.length < MOST_SHOWN) kept.push(cell);
}
