import { among, THERE } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { placeIn } from '../journal/run-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { notTakenBack } from '../journal/undo-rows.ts';

/** Rows that have changed somebody else's registration, and have not been found to stand for one since. */
const OVERWRITING = `run AS past CROSS JOIN main.row AS hit ON hit.run = past.id AND hit.state = 'conflict'
    AND hit.proof = 'not-new' CROSS JOIN row AS mine ON mine.row_key = hit.row_key AND mine.run = $run
  WHERE past.service = $service AND past.event = $event AND past.id <> $run AND ${notTakenBack('hit')}
    AND NOT EXISTS (SELECT 1 FROM main.row AS later JOIN run AS its ON its.id = later.run AND its.rowid > past.rowid
      WHERE later.row_key = hit.row_key AND later.run <> $run AND later.state ${among(THERE)})`;

/**
 * Sentences about rows of a run that an earlier run has sent to register somebody, and that have changed somebody else
 * instead: whatever is compared now, those are not as they were until that run is undone.
 */
export function overwrittenBefore(context: Pick<SendContext, 'journal' | 'run' | 'target'>): string[] {
  const { journal, run, target } = context;
  const hits = journal.all<{ past: string; n: number; seq: number }>(
    `SELECT past.id AS past, count(*) AS n, min(mine.seq) AS seq FROM ${OVERWRITING} GROUP BY past.id ORDER BY past.rowid`,
    { $run: run, $service: target.service, $event: target.eventId },
  );
  return hits.map(({ past, n, seq }) => {
    const first = placeIn(context, seq);
    const rows = n === 1 ? first : `${plural(n, 'row', 'rows')} (the first is ${first})`;
    const others = n === 1 ? 'the registration of somebody else' : 'registrations of other people';
    return `In run ${past}, ${rows} changed ${others} instead of adding one, and that is still so: eventreg runs undo ${past} brings ${n === 1 ? 'it' : 'them'} back.`;
  });
}
