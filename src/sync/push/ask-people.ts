import { GuardError } from '../../errors.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import type { Choose } from '../journal/send-context.ts';
import type { PlannedRow } from '../plan/rows-to-plan.ts';

/** Rows named in the question. */
const NAMED = 10;

/** What the reason of a row says that can be updated so: not everybody can be found by an e-mail. */
const UPDATES = '--match email';

function answersFor(asked: number, updates: number) {
  const whom = updates === asked ? 'them' : `${updates} of them`;
  return [
    { value: 'stop', label: 'Stop: nothing is sent' },
    ...(updates > 0 ? [{ value: 'email', label: `Update ${whom} (--match email)` }] : []),
    { value: 'none', label: 'Register them again (--match none)' },
  ];
}

/** What the reason of a row says of somebody of the same persona with its e-mail. */
const BY_EMAIL = /\b(?:has|have) its e-mail\b(?! as )/;

const whyOf = ({ decision: { why = '' } }: PlannedRow): string => why;

/**
 * Asks whether rows that are like registrations which no row of the files stands for are about the same people. Throws a
 * GuardError to stop.
 */
export async function askWhoTheyAre(asked: readonly PlannedRow[], choose: Choose): Promise<'email' | 'none'> {
  const rows = asked.slice(0, NAMED);
  const details = rows.map(
    (one) => `${formatPlace(one.row.place)}: ${whyOf(one).replace(/: --match [^;]*/, '')}`,
  );
  if (asked.length > rows.length) details.push(`… and ${asked.length - rows.length} more`);
  const text = questionOf(asked.length, rows);
  const updates = asked.filter((one) => whyOf(one).includes(UPDATES)).length;
  const match = await choose({ text, details }, answersFor(asked.length, updates));
  if (match !== 'email' && match !== 'none') throw new GuardError('confirmation', 'Nothing was sent.');
  return match;
}

/** `3 people are registered already with the same e-mail but other data (rows 3, 4, 7). What is to become of them?` */
function questionOf(count: number, rows: readonly PlannedRow[]): string {
  const places = rows.map(({ row }) => row.place);
  const isOneSheet = new Set(places.map(({ file, sheet }) => `${file}\n${sheet ?? ''}`)).size === 1;
  const named = places.map((place) => (isOneSheet ? String(place.line) : formatPlace(place)));
  const more = count > rows.length ? ', …' : '';
  const where = `(${count === 1 ? 'row' : 'rows'} ${named.join(', ')}${more})`;
  const end = `${where}. What is to become of ${count === 1 ? 'it' : 'them'}?`;
  if (rows.every((one) => BY_EMAIL.test(whyOf(one)))) {
    const are = plural(count, 'person is', 'people are');
    return `${are} registered already with the same e-mail but other data ${end}`;
  }
  return `${plural(count, 'row is', 'rows are')} like people who are registered already, and may be the same ${end}`;
}
