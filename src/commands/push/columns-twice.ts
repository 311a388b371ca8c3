import { ELSE, partsOf, RESERVED_NAMES } from '../../input/columns/column-names.ts';
import { personOf } from '../../input/columns/heading-person.ts';
import type { QuestionRow, TableQuestion } from '../../registration/model/question.ts';
import { visible } from '../../report/words/escape.ts';
import type { Prompt } from '../../prompts/prompt.ts';

const ALONE = new RegExp(`^companion \\d|^(?:${RESERVED_NAMES.join('|')})$`);

/** What was chosen for the rows of a table, and the order in which they count. */
interface Settled {
  chosen: readonly number[];
  order: readonly number[];
}

/** What a row fills, by what was chosen for it: both parts of a full name; what others leave blank is theirs. */
function fillsOf(row: QuestionRow | undefined, index: number | undefined): readonly string[] {
  const { option, value } = row?.answers[index ?? -1] ?? {};
  if (option !== 'map' || typeof value !== 'string') return [];
  const target = value.slice(value.lastIndexOf('=') + 1);
  return target.startsWith(ELSE) ? [] : partsOf(target);
}

/** Indexes of the other rows that fill what one does. */
function rivalsOf(at: number, rows: readonly QuestionRow[], chosen: readonly number[]): readonly number[] {
  const own = fillsOf(rows[at], chosen[at]);
  return [...rows.keys()].filter(
    (other) => other !== at && fillsOf(rows[other], chosen[other]).some((part) => own.includes(part)),
  );
}

/** Whether a row is what it was known to be before, and so are the others that fill the same: in which order is known, too. */
export function isKnown(at: number, rows: readonly QuestionRow[], chosen: readonly number[]): boolean {
  const isAsBefore = (one: number): boolean =>
    rows[one]?.certain === true && rows[one].chosen === chosen[one];
  return [at, ...rivalsOf(at, rows, chosen)].every(isAsBefore);
}

/** The column of who comes first, that of whoever books or pays last. */
const ROLES = ['comes', 'plain', 'unsure', 'other'] as const;
const placeOf = (row: QuestionRow | undefined): number => ROLES.indexOf(personOf(row?.label ?? '').role);

/** Asks of columns for one field which is first: the others count where it is blank, or are left out. Undefined: back. */
export async function settleTwice(
  { rows, rest }: TableQuestion,
  chosen: readonly number[],
  prompt: Pick<Prompt, 'select'>,
): Promise<Settled | undefined> {
  const now = [...chosen];
  let order = [...rows.keys()];
  for (const at of rows.keys()) {
    const others = rivalsOf(at, rows, now);
    // Asked at the first of them.
    if (others.length === 0 || others.some((other) => other < at) || isKnown(at, rows, now)) continue;
    const all = [at, ...others].sort((one, other) => placeOf(rows[one]) - placeOf(rows[other]));
    const field = rows[all[0] ?? at]?.answers[now[all[0] ?? at] ?? -1]?.label ?? '';
    const question = visible(`${field}: ${all.length} columns. Which is first?`);
    const said = await prompt.select(question, choicesOf(all, rows, now, rest), { back: true });
    if (said === undefined) return undefined;
    const [first = at, ...after] = said.split(' ').map(Number);
    for (const other of all) if (other !== first && after.length === 0) now[other] = rest ?? -1;
    order = [first, ...after, ...order.filter((one) => one !== first && !after.includes(one))];
  }
  return { chosen: now, order };
}

function choicesOf(
  all: readonly number[],
  rows: readonly QuestionRow[],
  chosen: readonly number[],
  rest: number | undefined,
) {
  const named = (at: number): string => `"${rows[at]?.label ?? ''}"`;
  const fills = new Set(all.map((at) => fillsOf(rows[at], chosen[at]).join(' ')));
  const after = (first: number): number[] => all.filter((at) => at !== first);
  const both = all.map((first) => {
    const then = after(first).map((at) => `${named(at)} where it is blank`);
    return {
      value: [first, ...after(first)].join(' '),
      label: `${named(first)}, and ${then.join(', then ')}`,
    };
  });
  const only = all.map((first) => {
    const left = after(first).map(named).join(' and ');
    return { value: String(first), label: `${named(first)} only, ${left} left out` };
  });
  // Those of companions, and what every kind of guest has, are one column each.
  const isOne = [...fills].some((one) => ALONE.test(one));
  // A first name and a full one have no order.
  const isOrdered = fills.size === 1 && !isOne;
  const choices = [...(isOrdered ? both : []), ...(rest === undefined ? [] : only)];
  return choices.map(({ value, label }) => ({ value, label: visible(label) }));
}
