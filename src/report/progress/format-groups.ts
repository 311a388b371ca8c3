import { formatPlace, type Place } from '../../registration/model/row.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number.ts';
import type { GroupedValue, RejectGroup, RejectsView } from '../views/reject-groups.ts';
import { formatReject, quoteValue } from './format-reject.ts';

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
  const [first] = view.groups[0]?.places ?? [];
  const named = new Set(view.groups.flatMap(({ places }) => places.map(fileOf)));
  const where = first !== undefined && named.size === 1 ? ` of ${visible(fileOf(first))}` : '';
  const name = namer(named.size === 1);
  yield `✗ ${view.rejected} of ${plural(view.rows, 'row', 'rows')}${where} cannot be sent:`;
  for (const group of view.groups.slice(0, MOST_GROUPS)) yield formatGroup(group, name, showValues);
  const left = view.groups.slice(MOST_GROUPS);
  if (left.length > 0) yield `  … and ${plural(left.length, 'more kind of error', 'more kinds of errors')}`;
  yield '  --all-errors lists every row with every reason.';
}

function formatGroup(group: RejectGroup, name: NameRows, showValues: boolean): string {
  const { column, problem, remedy, rows, places, values } = group;
  const subject = column === undefined ? '' : `"${visible(column)}" `;
  const help = remedy === undefined ? '' : `; ${visible(remedy)}`;
  const head = `  ${subject}${visible(problem)}${help}`;
  // A value that one row has needs no line of its own beside a count.
  if (values.length === 0) return `${head}\n    ${name(rows, places)}`;
  const byRemedy = remedy === undefined;
  const shown = values.slice(0, MOST_VALUES).map((one) => formatValue(one, { byRemedy, showValues, name }));
  const left = values.length - shown.length;
  return `${head}\n    ${shown.join(', ')}${left > 0 ? `, and ${plural(left, 'more value', 'more values')}` : ''}`;
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
