import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { type PlanOptions, planRun, type RunPlan } from '../compare/plan-run.ts';
import type { Choose, SendContext } from '../journal/send-context.ts';
import { placeOf, type StoredPlace } from '../journal/stored-place.ts';

/** Rows of which somebody has to say whom they are about. */
const ASKED = `run = $run AND op = 'send' AND state = 'conflict' AND near IS NOT NULL AND attempts = 0`;
/** Rows named in the question. */
const NAMED = 10;

const ANSWERS = [
  { value: 'stop', label: 'stop: nothing is sent' },
  { value: 'email', label: 'the same people: update their registrations (--match email)' },
  { value: 'none', label: 'other people: register them (--match none)' },
];

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
  const rows = journal.all<StoredPlace & { message: string | null }>(
    `SELECT file, sheet, line, message FROM row WHERE ${ASKED} ORDER BY seq LIMIT ${NAMED}`,
    { $run: run },
  );
  const details = rows.map((row) => `${placeOf(row)}: ${(row.message ?? '').replace(/: --match .*/, '')}`);
  if (plan.asked > rows.length) details.push(`… and ${plan.asked - rows.length} more`);
  const text = `${plural(plan.asked, 'row is', 'rows are')} like registrations that no row stands for. Are they the same people?`;
  const match = await choose({ text, details }, ANSWERS);
  if (match !== 'email' && match !== 'none') throw new GuardError('Nothing was sent.');
  journal.run(`UPDATE row SET state = 'pending', plan = NULL, message = NULL, near = NULL WHERE ${ASKED}`, {
    $run: run,
  });
  const again = await planRun(context, { ...options, match, reading: plan.reading });
  return { ...again, readAtMs: plan.readAtMs };
}
