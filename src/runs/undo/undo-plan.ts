import { IN_DOUBT, among, SENT } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord, Registration } from '../../registration/model/registration.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import { keepChanged } from '../delete/delete-check.ts';
import { imagesOf } from '../../sync/journal/delete-rows.ts';
import { readUnseen } from '../../sync/journal/findings.ts';
import { inChunks, isWhole, type ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { readRecognition } from '../../sync/journal/learned.ts';
import { layerByParent } from '../../sync/journal/layer-by-parent.ts';
import { PARENTS_AT_RISK } from '../compare/plan-remarks.ts';
import { readNamesakes } from '../delete/read-namesakes.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { CHEAP_PAGES, readShown } from '../../sync/snapshot/read-now.ts';
import { judgeUndo, type UndoFacts } from '../../sync/decide/undo-judge.ts';
import type { UndoneRow } from '../../sync/decide/undo-unseen.ts';
import type { KnownValues } from '../../sync/decide/undo-restore.ts';
import { noteStillLost } from './undo-lost.ts';
import { LaterSends, undoneBy } from './undo-others.ts';
import { countUndone, type UndoneCounts, undoneRows } from '../../sync/journal/undo-rows.ts';
import { writeVerdict } from './undo-write.ts';
import { waitUntil } from '../../sync/snapshot/wait-until.ts';
import { json, rowCodec } from '../../sqlite/row-codec.ts';
import type { Target } from '../../sync/journal/runs.ts';

const UPDATES = `FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND plan = 'update'`;

/** Rows judged, and written in one durable write. */
const CHUNK = 300;

/**
 * Reads what became of the registrations of a run, and puts on the list of the undo what is to be deleted
 * and sent, and what is left alone and why; each under the number of the row that it undoes. Rows that are
 * on the list already stay as they are. Returns what was read.
 */
export async function planUndo(context: SendContext, undone: Run): Promise<ListReading> {
  const { journal, run, event, target } = context;
  const counts = countUndone(journal, undone.id);
  await waitForDoubts(context, counts.doubtAt);
  const reading = await readRegistrations(context, undone, counts);
  const later = new LaterSends(journal, target, undone.id);
  const fields = fieldsOf(event);
  const recognition = readRecognition(journal, target.service, context.clock.now());
  for (const rows of inChunks(undoneRows(journal, undone.id), CHUNK)) {
    journal.transaction(() => {
      for (const row of rows) {
        if (isListed(journal, run, row.seq)) continue;
        const by = undoneBy(journal, undone.id, row.seq);
        const facts: UndoFacts = {
          row,
          found: findRecords(row, reading),
          undoneBy: by,
          leftBy: by === undefined ? undefined : readUnseen(journal, by, row.seq),
          sentAgainBy: later.find(row),
          unfound: whyUnfound(row, reading),
          parentsShown: reading.parentsShown,
          fields,
          recognition,
          isTaken: (barcode) => reading.listed.hasBarcode(barcode),
          known: knownOf(context, row),
          earlier: () => earlierSends(journal, target, row),
        };
        writeVerdict(journal, run, row, judgeUndo(facts));
      }
    });
  }
  noteStillLost(journal, run, undone, reading);
  const deleted = [...imagesOf(journal, run, ['pending'])];
  await readNamesakes(context, reading, deleted);
  journal.transaction(() => {
    // A parent that is kept may itself be a member, whose parent is kept then.
    while (keepChanged(context, reading) > 0);
    layerByParent(journal, run, 'send');
    layerByParent(journal, run, 'delete');
  });
  if (!reading.parentsShown && journal.has(UPDATES, { run })) {
    context.reporter.report({ type: 'warning', text: PARENTS_AT_RISK });
  }
  return reading;
}

function knownOf({ journal, target, event }: SendContext, { barcode, remoteId }: UndoneRow): KnownValues {
  return {
    sentByFile: (slug, text) => {
      const bases = new BaseStore(journal, target, event.endDate);
      return bases.read({ barcode, id: remoteId })?.pairs.get(slug)?.said === bases.digest(text);
    },
  };
}

/** Until no request of the run can land any more, and a list shows what has. */
async function waitForDoubts(context: SendContext, doubtAt: number | undefined): Promise<void> {
  if (doubtAt === undefined) return;
  const now = context.clock.now();
  const { settleMs } = context.limits;
  const untilMs = Math.min(doubtAt + settleMs, now + settleMs);
  if (untilMs > now) await waitUntil(context, untilMs);
}

async function readRegistrations(
  context: SendContext,
  { id }: Run,
  { barcodes: count, others, deletions }: UndoneCounts,
): Promise<ListReading> {
  const barcodes = (): Iterable<string> => barcodesOf(context.journal, id);
  // A short list also shows what else an undo does.
  const pages = Math.max(count, CHEAP_PAGES);
  return await readShown(context, { barcodes, count: pages, whole: others + deletions > 0 });
}

function* barcodesOf(journal: Journal, run: string): Generator<string> {
  for (const { barcode, before } of undoneRows(journal, run)) {
    if (barcode !== undefined) yield barcode;
    // A service that knew the person by something else may have changed it.
    if (before?.barcode !== undefined && before.barcode !== barcode) yield before.barcode;
  }
}

function isListed(journal: Journal, run: string, seq: number): boolean {
  return journal.has('FROM row WHERE run = $run AND seq = $seq', { run, seq });
}

/** Those with its id or its barcode, each once; of one that had another barcode before, that with its id. */
function findRecords(
  { remoteId, barcode, before }: UndoneRow,
  { listed }: ListReading,
): RegistrationRecord[] {
  const byId = remoteId === undefined ? [] : listed.byId(remoteId);
  const hadAnother = before?.barcode !== undefined && before.barcode !== barcode && before.id === remoteId;
  if (hadAnother && byId.length > 0) return byId;
  const byBarcode = barcode === undefined ? [] : listed.byBarcode(barcode);
  const others = byBarcode.filter(({ id }) => id === undefined || byId.every((record) => record.id !== id));
  return [...byId, ...others];
}

/** Why a registration of the row may not have been found though there is one; undefined where it would have been. */
function whyUnfound({ remoteId, barcode, state }: UndoneRow, reading: ListReading): string | undefined {
  if (barcode !== undefined && reading.barcodesShown) return undefined;
  if (remoteId === undefined) {
    const what = IN_DOUBT.has(state) ? 'what became of it is not known, and ' : '';
    return barcode === undefined
      ? `${what}it has no barcode, nor an id that is known, to find it by`
      : `${what}the service lists no barcodes to find it by`;
  }
  if (!reading.idsShown) return 'the service does not list the id that it answered with';
  return isWhole(reading) ? undefined : 'the list changed while it was read';
}

/** Sends of one registration that are looked at. */
const LOOKED_AT = 20;

const SEND = rowCodec({
  sent: json<Registration | undefined>(`CASE WHEN op = 'send' THEN coalesce(ask, payload) END`),
});

/**
 * What this machine had sent of a registration, and the service had taken, before a step of the journal: newest
 * first, back to when the registration was last deleted.
 */
function earlierSends(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  { barcode, sentNo }: { barcode: string | undefined; sentNo: number },
): Registration[] {
  if (barcode === undefined) return [];
  const rows = journal.read(
    SEND,
    `FROM run CROSS JOIN main.row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND row.sent_no < $no
       AND ((op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)}))
     ORDER BY row.sent_no DESC LIMIT ${LOOKED_AT}`,
    { service, event: eventId, barcode, no: sentNo },
  );
  const sends: Registration[] = [];
  for (const { sent } of rows) {
    if (sent === undefined) break;
    sends.push(sent);
  }
  return sends;
}
