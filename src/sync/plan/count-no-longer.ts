import { basename } from 'node:path';
import { among, THERE } from '../../registration/model/row-states.ts';
import { MADE_GLOB } from '../../registration/reading/made-barcode.ts';
import type { SendContext } from '../journal/send-context.ts';
import { rowCodec, value } from '../../sqlite/row-codec.ts';
import { isUnlisted } from '../snapshot/answers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

type Context = Pick<SendContext, 'journal' | 'run' | 'target'>;

/** Somebody of an earlier push of the same files whom no row stands for. */
const MISSING = rowCodec({
  key: value<string>('gone.row_key'),
  barcode: value<string | undefined>('gone.barcode'),
  id: value<string | undefined>('gone.remote_id'),
  /** The last push that had them. */
  runNo: value<number>('max(past.no)'),
});

/** More are another file under an old name. */
const MOST = 10_000;

const PUSHED = `run.service = $service AND run.event = $event AND run.kind = 'push'
  AND run.state NOT IN ('reading', 'refused')`;
const MINE = 'FROM row WHERE run = $run AND';

/**
 * By barcode, by content, and by the registration that a row stands for; of the same sheets, and no standard input.
 * Nothing is kept of the companions of a row that cannot be read.
 */
const FROM_MISSING = `FROM (SELECT rowid AS no, id FROM run WHERE ${PUSHED} AND run.id <> $run
    AND run.files = (SELECT mine.files FROM run AS mine WHERE mine.id = $run)) AS past
  CROSS JOIN main.row AS gone ON gone.run = past.id
  WHERE gone.op = 'send' AND gone.state ${among(THERE)} AND gone.row_key IS NOT NULL AND gone.file <> '-'
    AND gone.row_key NOT IN (SELECT row_key ${MINE} row_key IS NOT NULL)
    AND (gone.barcode IS NULL OR gone.barcode NOT IN (SELECT barcode ${MINE} barcode IS NOT NULL))
    AND (gone.remote_id IS NULL OR gone.remote_id NOT IN (SELECT remote_id ${MINE} remote_id IS NOT NULL))
    AND NOT (gone.part > 0 AND gone.parent_barcode IN (SELECT barcode ${MINE} state = 'rejected' AND barcode IS NOT NULL))
    AND (gone.file, coalesce(gone.sheet, '')) IN (SELECT file, coalesce(sheet, '') ${MINE} op = 'send')
  GROUP BY gone.row_key LIMIT ${MOST}`;

/** Rows of which it is not known, or not decided, who they are: a barcode that was made may be another one once they are mended. */
const OPEN_ROWS = `${MINE} op = 'send' AND ((state = 'rejected' AND (barcode IS NULL OR barcode GLOB '${MADE_GLOB}'))
  OR (state = 'conflict' AND near IS NOT NULL))`;

const OTHERS = `SELECT id, files FROM run WHERE ${PUSHED} AND run.id <> $run`;

/** Other files have them. */
const ELSEWHERE = `FROM main.row AS theirs WHERE theirs.row_key = $key AND theirs.op = 'send'
  AND theirs.state ${among(THERE)} AND theirs.run IN (SELECT value FROM json_each($others))`;

/** This machine has deleted them since. */
const DELETED = `FROM run CROSS JOIN main.row AS theirs ON theirs.run = run.id
  WHERE run.service = $service AND run.event = $event AND run.rowid > $no AND theirs.op = 'delete'
    AND theirs.state = 'deleted' AND (theirs.remote_id = $id OR theirs.barcode = $barcode)`;

/**
 * How many people of earlier pushes of the same files are no longer in them, and are still in the service as far as
 * this machine knows: nothing is asked for it. People without a barcode are known by their registrations, and are
 * only counted where the rows were compared with them. `reading`: what was read of the service anyway.
 */
export function countNoLonger(context: Context, reading: ListReading | undefined): number {
  const { journal, run, target } = context;
  const own = { run, service: target.service, event: target.eventId };
  const missing = journal.read(MISSING, FROM_MISSING, own);
  if (missing.length === 0 || journal.has(OPEN_ROWS, { run })) return 0;
  const others = JSON.stringify(pushesOfOthers(context));
  return missing.filter(({ key, barcode, id, runNo }) => {
    if (barcode === undefined && (id === undefined || reading === undefined)) return false;
    if (reading !== undefined && isUnlisted(reading, { barcode, id })) return false;
    if (journal.has(ELSEWHERE, { others, key })) return false;
    const { service, event } = own;
    return !journal.has(DELETED, { service, event, no: runNo, id, barcode });
  }).length;
}

/** Pushes of files of other names: the same file may have been named by another path. */
function pushesOfOthers({ journal, run, target }: Context): string[] {
  const own = { run, service: target.service, event: target.eventId };
  const nameOf = (files: string): string =>
    JSON.stringify((JSON.parse(files) as string[]).map((file) => basename(file)).sort());
  const mine = journal.get<{ files: string }>('SELECT files FROM run WHERE id = $run', { run });
  const name = nameOf(mine?.files ?? '[]');
  return journal
    .all<{ id: string; files: string }>(OTHERS, own)
    .flatMap(({ id, files }) => (nameOf(files) === name ? [] : [id]));
}
