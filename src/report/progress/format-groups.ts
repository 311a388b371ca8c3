import { formatPlace, type Place } from '../../registration/model/row.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number.ts';
import type { GroupedValue, RejectGroup, RejectsView } from '../views/reject-groups.ts';
import { formatReject, quoteValue } from '../words/row-remarks.ts';

/** Reasons up to here are told row by row, unless they are the same again and again. */
const FEW_REASONS = 8;
const AGAIN = 4;
const MOST_GROUPS = 12;
const MOST_VALUES = 6;
const LONGEST_VALUE = 40;

/** How rejected rows are told. */
interface Telling {
  /** Each row with each of its reasons, however many there are. */
  all: boolean;
  showValues: boolean;
}

/** The rows that cannot be sent: a few row by row, more by column and reason. Personal values are masked. */
export function* formatRejects(view: RejectsView, { all, showValues }: Telling): Generator<string> {
  const repeats = view.groups.some(({ values }) => values.some(({ rows }) => rows >= AGAIN));
  if (all || (view.reasons <= FEW_REASONS && !repeats)) {
    for (const reject of view.each()) yield formatReject(reject, { showValues }).join('\n');
    return;
  }
  const { where, groups } = describeGroups(view, showValues);
  yield `✗ ${view.rejected} of ${plural(view.rows, 'row', 'rows')}${where} cannot be sent:`;
  for (const { what, which } of groups.slice(0, MOST_GROUPS)) yield `  ${what}\n    ${which}`;
  const left = view.groups.slice(MOST_GROUPS);
  if (left.length > 0) yield `  … and ${plural(left.length, 'more kind of error', 'more kinds of errors')}`;
  yield '  --all-errors lists every row with every reason.';
}

/** A kind of error: what is wrong, and the values or rows that have it. Safe to print. */
interface DescribedGroup {
  what: string;
  which: string;
}

/** What is wrong with rows by column and reason, and of which file they are where it is one. */
export function describeGroups(
  { groups }: RejectsView,
  showValues: boolean,
): { where: string; groups: DescribedGroup[] } {
  const [first] = groups[0]?.places ?? [];
  const named = new Set(groups.flatMap(({ places }) => places.map(fileOf)));
  const where = first !== undefined && named.size === 1 ? ` of ${visible(fileOf(first))}` : '';
  const name = namer(named.size === 1);
  return { where, groups: groups.map((group) => describeGroup(group, name, showValues)) };
}

function describeGroup(group: RejectGroup, name: NameRows, showValues: boolean): DescribedGroup {
  const { column, problem, remedy, rows, places, values } = group;
  const subject = column === undefined ? '' : `"${visible(column)}" `;
  const help = remedy === undefined ? '' : `; ${visible(remedy)}`;
  const what = `${subject}${visible(problem)}${help}`;
  // A value that one row has needs no line of its own beside a count.
  if (values.length === 0) return { what, which: name(rows, places) };
  const byRemedy = remedy === undefined;
  const shown = values.slice(0, MOST_VALUES).map((one) => formatValue(one, { byRemedy, showValues, name }));
  return { what, which: `${shown.join(', ')}${describeMore(group)}` };
}

/** What there is beside the values that are shown. Of very many not all are kept: the rows are counted then. */
function describeMore({ rows, values }: RejectGroup): string {
  const left = values.length - MOST_VALUES;
  if (left <= 0) return '';
  const rowsOf = (some: readonly GroupedValue[]): number => some.reduce((sum, one) => sum + one.rows, 0);
  return rowsOf(values) === rows
    ? `, and ${plural(left, 'more value', 'more values')}`
    : `, and ${plural(rows - rowsOf(values.slice(0, MOST_VALUES)), 'more row', 'more rows')}`;
}

function formatValue(
  { value, personal, remedy, rows, places }: GroupedValue,
  { byRemedy, showValues, name }: { byRemedy: boolean; showValues: boolean; name: NameRows },
): string {
  const help = byRemedy && remedy !== undefined ? `: ${visible(remedy)}` : '';
  return `${quoteValue(value, personal && !showValues, LONGEST_VALUE)} (${name(rows, places)}${help})`;
}

type NameRows = (rows: number, places: readonly Place[]) => string;

/** `9 rows: 7, 10, 11 …`, or `row 7`; with the file where there are several. */
function namer(oneFile: boolean): NameRows {
  return (rows, places) => {
    const [first] = places;
    const unit = first?.sheet === undefined ? 'line' : 'row';
    const names = places.map((place) => (oneFile ? String(place.line) : visible(formatPlace(place))));
    if (rows === 1) return oneFile ? `${unit} ${names.join('')}` : names.join('');
    return `${rows} rows: ${oneFile && unit === 'line' ? 'lines ' : ''}${names.join(', ')}${rows > places.length ? ' …' : ''}`;
  };
}

function fileOf({ file, sheet }: Place): string {
  return sheet === undefined ? file : `${file}, sheet "${sheet}"`;
}
