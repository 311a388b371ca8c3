import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { type PlanOptions, planRun, type RunPlan } from '../plan/plan-run.ts';
import type { Choose, SendContext } from '../journal/send-context.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';

/** Rows of which somebody has to say whom they are about. */
const ASKED = `run = $run AND op = 'send' AND state = 'conflict' AND near IS NOT NULL AND attempts = 0`;
/** Rows named in the question. */
const NAMED = 10;

/** What the message of a row says that can be updated so: not everybody can be found by an e-mail. */
const UPDATES = `message LIKE '%--match email%'`;

function answersFor(asked: number, updates: number) {
  const whom = updates === asked ? 'them' : `${updates} of them`;
  return [
    { value: 'stop', label: 'Stop: nothing is sent' },
    ...(updates > 0 ? [{ value: 'email', label: `Update ${whom} (--match email)` }] : []),
    { value: 'none', label: 'Register them again (--match none)' },
  ];
}

/** What the message of a row says of somebody of the same persona with its e-mail. */
const BY_EMAIL = /\b(?:has|have) its e-mail\b(?! as )/;

/**
 * Asks whether rows that are like registrations which no row of the files stands for are about the same people, and
 * plans once more with the answer. Throws a GuardError to stop.
 */
export async function askWhoTheyAre(
  context: SendContext,
  plan: RunPlan,
  options: PlanOptions,
  choose: Choose,
): Promise<RunPlan> {
  const { journal, run } = context;
  const rows = journal.all<AskedRow>(
    `SELECT file, sheet, line, message FROM row WHERE ${ASKED} ORDER BY seq LIMIT ${NAMED}`,
    { run },
  );
  const details = rows.map(
    (row) => `${formatPlace(row)}: ${(row.message ?? '').replace(/: --match [^;]*/, '')}`,
  );
  if (plan.asked > rows.length) details.push(`… and ${plan.asked - rows.length} more`);
  const text = questionOf(plan.asked, rows);
  const updates = journal.count(`FROM row WHERE ${ASKED} AND ${UPDATES}`, { $run: run });
  const match = await choose({ text, details }, answersFor(plan.asked, updates));
  if (match !== 'email' && match !== 'none') throw new GuardError('confirmation', 'Nothing was sent.');
  journal.run(`UPDATE row SET state = 'pending', plan = NULL, message = NULL, near = NULL WHERE ${ASKED}`, {
    run,
  });
  const again = await planRun(context, { ...options, match, reading: plan.reading });
  return { ...again, readAtMs: plan.readAtMs };
}

type AskedRow = Place & { message?: string };

/** `3 people are registered already with the same e-mail but other data (rows 3, 4, 7). What is to become of them?` */
function questionOf(count: number, rows: readonly AskedRow[]): string {
  const isOneSheet = new Set(rows.map(({ file, sheet }) => `${file}\n${sheet ?? ''}`)).size === 1;
  const named = rows.map((row) => (isOneSheet ? String(row.line) : formatPlace(row)));
  const more = count > rows.length ? ', …' : '';
  const places = `(${count === 1 ? 'row' : 'rows'} ${named.join(', ')}${more})`;
  const end = `${places}. What is to become of ${count === 1 ? 'it' : 'them'}?`;
  if (rows.every(({ message }) => BY_EMAIL.test(message ?? ''))) {
    const are = plural(count, 'person is', 'people are');
    return `${are} registered already with the same e-mail but other data ${end}`;
  }
  return `${plural(count, 'row is', 'rows are')} like people who are registered already, and may be the same ${end}`;
}
