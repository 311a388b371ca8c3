import { among, IN_DOUBT, NEVER_SENT, THERE } from '../../registration/model/row-states.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../journal/runs.ts';
import { latestStep } from '../journal/steps.ts';

interface InheritOptions {
  /** Send what was sent before as well. What is in doubt stays in doubt all the same. */
  fresh: boolean;
  /** Whether the rows will be compared with the service before they are sent. */
  compare: boolean;
}

/**
 * Lets the rows of a claimed run take over what other runs know of them: those sent exactly as they are count
 * as unchanged, those in doubt stay in doubt. With `fresh`, what was sent is sent again. Of a run that is gone
 * on with, only what became known since. Call it in a transaction.
 */
export function inheritKnown(
  journal: Journal,
  target: Target,
  id: string,
  { resumed, ...options }: InheritOptions & { resumed: boolean },
): void {
  const since = journal.get<{ no: number }>('SELECT inherited_no AS no FROM run WHERE id = $id', { id });
  if (resumed) reopenLate(journal, target, id, since?.no ?? -1);
  inheritFates(journal, target, id, { ...options, since: since?.no ?? -1 });
  journal.run('UPDATE run SET inherited_no = $no WHERE id = $id', { no: latestStep(journal), id });
}

/**
 * What other runs of the event did last to the registrations of a run's rows, later than the run itself
 * knows of: after the row was sent or seen, else after step `$since`.
 */
const LATER_FATES = `
  SELECT mine.seq, past.state, past.hash, past.sent_at, past.sent_no, past.listed_no, past.message, past.after,
    past.plan, past.ask, past.verdicts, coalesce(past.latest, past.before) AS before, past.remote_id
  FROM row AS mine CROSS JOIN main.row AS past ON (past.run, past.seq) = (
    SELECT late.run, late.seq FROM main.row AS late
      JOIN run ON run.id = late.run AND run.service = $service AND run.event = $event AND run.state <> 'reading'
    WHERE late.row_key = mine.row_key AND late.run <> mine.run
      AND late.state NOT ${among(NEVER_SENT)}
      AND max(coalesce(late.sent_no, 0), coalesce(late.listed_no, 0))
        > max(coalesce(mine.sent_no, $since), coalesce(mine.listed_no, $since))
    ORDER BY max(coalesce(late.sent_no, 0), coalesce(late.listed_no, 0)) DESC LIMIT 1)
  WHERE mine.run = $id AND mine.row_key IS NOT NULL`;

/** A run that is resumed: what it sent may be out of date since, by an edited file or a delete. */
function reopenLate(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET state = 'pending' FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq
       AND row.state ${among(THERE)}
       AND NOT (fate.state ${among(THERE)} AND fate.hash = row.hash)`,
    { id, service, event: eventId, since },
  );
}

/**
 * Pending rows whose latest fate elsewhere is to have been sent exactly as they are need no sending;
 * those of which it is not known are looked up and not sent blindly, also when everything is sent anew.
 */
export function inheritFates(
  journal: Journal,
  { service, eventId }: Target,
  id: string,
  { since, fresh, compare }: { since: number; fresh: boolean; compare: boolean },
): void {
  const known = `(fate.state ${among(THERE)}
    OR (fate.state = 'conflict' AND row.barcode IS NULL AND fate.listed_no IS NOT NULL))`;
  journal.run(
    `UPDATE row SET sent_at = fate.sent_at, sent_no = fate.sent_no, listed_no = fate.listed_no, after = fate.after,
       plan = CASE WHEN ${known} OR NOT $compare THEN NULL ELSE fate.plan END,
       ask = CASE WHEN ${known} THEN NULL ELSE fate.ask END,
       verdicts = CASE WHEN ${known} THEN NULL ELSE fate.verdicts END,
       before = CASE WHEN ${known} THEN NULL ELSE fate.before END,
       remote_id = coalesce(fate.remote_id, row.remote_id),
       message = CASE WHEN ${known} THEN NULL ELSE fate.message END,
       state = CASE WHEN ${known} THEN 'unchanged' ELSE 'uncertain' END
     FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND row.state = 'pending'
       AND fate.hash = row.hash
       AND (fate.state ${among(IN_DOUBT)} OR (${known} AND NOT $fresh)
         OR (fate.state = 'conflict' AND row.barcode IS NOT NULL AND NOT $compare))`,
    { id, service, event: eventId, since, fresh: fresh ? 1 : 0, compare: compare ? 1 : 0 },
  );
}
