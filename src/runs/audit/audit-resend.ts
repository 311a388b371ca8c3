import { imageOf } from '../../registration/model/registration.ts';
import { asRefused, wrongFields, type WrongRow } from './audit-wrong.ts';
import { learn } from '../journal/learned.ts';
import { resend } from '../settle/resend.ts';
import type { SendContext } from '../journal/send-context.ts';
import { knownUpdateRule } from '../send/update-rule.ts';
import { writeImage } from '../compare/write-plan.ts';

/** What reading back has shown of rows that were sent again. */
export interface ResentRows {
  /** As they were sent by now. */
  mended: number;
  /** Listed more than once since. */
  doubled: number;
}

interface ResendSteps {
  /** Reads rows back that were sent again, and writes what is found of each. */
  readBack: (rows: readonly WrongRow[]) => Promise<ResentRows>;
  /** Writes what is known of a row. */
  finish: (wrong: WrongRow) => void;
}

/** When so many rows are stored wrongly a second time, the others would be too. */
const ALIKE = 20;

/**
 * Sends once more the rows that the service has stored wrongly. Where nothing is known of what it does with a
 * barcode that it has, one goes first and alone. When the first 20 come to the same again, the others that are
 * wrong in the same fields are taken to do so too. Throws what stops the run.
 */
export async function resendWrong(
  context: SendContext,
  rows: readonly WrongRow[],
  { readBack, finish }: ResendSteps,
): Promise<void> {
  const { journal, target, clock } = context;
  const rule = knownUpdateRule(journal, target.service, clock.now());
  const left = rows.filter(({ row }) => rule === 'update' || (rule === undefined && row.plan === 'create'));
  for (const row of rows) if (!left.includes(row)) finish(row);
  const refused = new Set<string>();
  let tried = 0;
  let mended = 0;
  let doubled = 0;
  while (left.length > 0) {
    const isHopeless = doubled > 0 || (tried >= ALIKE && mended === 0);
    const alone = rule === undefined && tried === 0;
    const some = left.splice(0, alone ? 1 : tried < ALIKE ? ALIKE - tried : left.length);
    const known = isHopeless ? some.filter((one) => doubled > 0 || isSubset(wrongFields(one), refused)) : [];
    for (const { row, finding } of known) {
      finish({ row, finding: doubled > 0 ? finding : asRefused(finding) });
    }
    const open = known.length === 0 ? some : some.filter((one) => !known.includes(one));
    if (open.length === 0) continue;
    const sent = await sendAgain(context, open);
    for (const one of open) if (!sent.includes(one)) finish(one);
    const seen = sent.length === 0 ? { mended: 0, doubled: 0 } : await readBack(sent);
    for (const field of sent.flatMap(wrongFields)) refused.add(field);
    tried += open.length;
    mended += seen.mended;
    doubled += seen.doubled;
    if (seen.doubled > 0) learn(journal, target.service, 'upsert', 'double', clock.now());
  }
}

const isSubset = (some: readonly string[], all: ReadonlySet<string>): boolean =>
  some.every((one) => all.has(one));

/** Returns the rows of which a second request has left. The others are as they were. */
async function sendAgain(context: SendContext, rows: readonly WrongRow[]): Promise<readonly WrongRow[]> {
  const { journal, run } = context;
  journal.transaction(() => {
    for (const { row, finding } of rows) {
      // What is wrong is named whatever becomes of the second request.
      journal.run(
        `UPDATE row SET state = 'pending', answer = NULL, differences = ? WHERE run = ? AND seq = ?`,
        [JSON.stringify(finding.differences), run, row.seq],
      );
      writeImage(journal, run, row.seq, imageOf(finding.record));
    }
  });
  const seqs = rows.map(({ row }) => row.seq);
  await resend(context, () => Promise.resolve(false), { seqs, sent: new Set() });
  return journal.transaction(() =>
    rows.filter(({ row }) => {
      const which = { run, seq: row.seq };
      // That it was new, if it was, is not for the second answer to say.
      journal.run('UPDATE row SET action = $action WHERE run = $run AND seq = $seq', {
        ...which,
        action: row.action,
      });
      const back = `UPDATE row SET state = $state WHERE run = $run AND seq = $seq AND state = 'pending'`;
      return journal.run(back, { ...which, state: row.state }) === 0;
    }),
  );
}
