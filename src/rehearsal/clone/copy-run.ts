import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { among, NEVER_SENT, THERE } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { beginRun, type ProcessFacts, type Target } from '../../sync/journal/runs.ts';

const ROW = rowCodec({
  file: value<string>(),
  sheet: value<string | undefined>(),
  line: value<number>(),
  part: value<number>(),
  state: value<string>(),
  rowKey: value<string>(),
  registration: json<Registration>('payload'),
  depth: value<number | undefined>(),
  attempts: value<number>(),
  sentAt: value<number | undefined>(),
  doneAt: value<number | undefined>(),
  status: value<number | undefined>(),
  remoteId: value<string | undefined>(),
  plan: value<string | undefined>(),
  sentNo: value<number | undefined>(),
  listedNo: value<number | undefined>(),
  checkedAt: value<number | undefined>(),
});

/** Of each registration the row that this machine has dealt with it last. */
const LATEST = `FROM (
  SELECT row.*, row_number() OVER (PARTITION BY row.row_key
    ORDER BY max(coalesce(row.sent_no, 0), coalesce(row.listed_no, 0)) DESC) AS nth
  FROM run CROSS JOIN row ON row.run = run.id
  WHERE run.service = $service AND run.event = $event AND run.state <> 'reading' AND row.row_key IS NOT NULL
    AND row.state NOT ${among(NEVER_SENT)})
  WHERE nth = 1 AND op = 'send' AND state ${among(THERE)} AND payload IS NOT NULL`;

interface CopyRun {
  from: Target;
  to: Target;
  mask: (registration: Registration) => Registration;
  now: number;
  self: ProcessFacts;
}

/**
 * Notes what this machine has sent as it is now, masked, as one run at the clone: rows that no list shows are known by
 * that. What is in doubt, or failed, is left out. Call it in a transaction.
 */
export function copyRun(journal: Journal, { from, to, mask, now, self }: CopyRun): void {
  const rows = journal.read(ROW, LATEST, { service: from.service, event: from.eventId });
  if (rows.length === 0) return;
  const run = beginRun(
    journal,
    { kind: 'push', target: to, files: [...new Set(rows.map(({ file }) => file))] },
    now,
    self,
  );
  for (const [seq, row] of rows.entries()) journal.add('row', { run, seq, ...masked(row, mask) });
  journal.run(
    `UPDATE run SET state = 'finished', ended_at = $now, holder = NULL, message = $message WHERE id = $run`,
    {
      now,
      run,
      message: 'copied with the clone: what was sent to the live event',
    },
  );
  journal.locks.release(run);
}

/** A row without a barcode is named after what it holds. */
function masked({ registration, rowKey, ...row }: RowOf<typeof ROW>, mask: CopyRun['mask']) {
  const payload = mask(registration);
  const hash = hashOf(payload);
  const { persona, barcode, parentBarcode, enableComms } = payload;
  const nth = rowKey.slice(rowKey.lastIndexOf(':'));
  return {
    ...row,
    rowKey: barcode === undefined ? `h:${hash}${nth}` : `b:${barcode}`,
    hash,
    persona,
    barcode,
    parentBarcode,
    enableComms,
    payload,
    basedNo: row.sentNo,
  };
}
