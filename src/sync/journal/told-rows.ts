import { type Difference, hashOf, type Registration } from '../../registration/model/registration.ts';
import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { OutcomeView } from '../../report/views/events.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { codesOf } from '../decide/plan-decision.ts';
import type { ValueVerdict } from '../decide/decide.ts';
import { FACTS } from './count-run.ts';
import { eventOf, OF_EVENT } from './earlier-runs.ts';
import type { Journal } from './journal.ts';
import { addRow, columns } from './row-tables.ts';
import { listRuns, type Target } from './runs.ts';
import type { SendContext } from './send-context.ts';
import { STEPS } from './steps.ts';
import { notTakenBack } from './undo-rows.ts';

const TOLD = rowCodec({
  ...columns('seq', 'place', 'part', 'op', 'state', 'rowKey', 'persona', 'barcode', 'parentBarcode'),
  ...columns('remoteId', 'before', 'after', 'message', 'attempts', 'status', 'sentAt', 'doneAt', 'checkedAt'),
  plan: value<string | undefined>(),
  enableComms: flag(),
  /** What the file says; what is deleted has none. */
  payload: json<Registration | undefined>(`CASE op WHEN 'send' THEN payload END`),
  /** What was asked for instead where not all of it was. */
  sent: json<Registration | undefined>(`CASE op WHEN 'send' THEN coalesce(ask, payload) END`),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  notes: json<readonly Note[]>(`coalesce(notes, '[]')`),
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  findings: json<readonly { kind: FindingKind; message: string }[]>(
    `(SELECT json_group_array(json_object('kind', kind, 'message', finding.message)) FROM finding
      WHERE finding.run = row.run AND finding.seq = row.seq)`,
  ),
  /** What was done about it, oldest first. */
  steps: STEPS,
  /** In doubt because a row of an earlier run is, which its message names. */
  isFollower: flag('doubt IS NOT NULL'),
  sentNo: value<number | undefined>(),
  listedNo: value<number | undefined>(),
});

/** A row of a run with all that there is to tell of it: every telling reads this one. */
export type ToldRow = RowOf<typeof TOLD>;

/** Which rows of a run: those that somebody has to be told of, and those of which there is something to say. */
const WHICH = { all: '', problems: `AND (${FACTS.isProblem})`, remarkable: `AND (${FACTS.isRemarkable})` };

/** Rows of a run in the order of the files; the journal may be written meanwhile. */
export const toldRows = (
  journal: Journal,
  run: string,
  which: keyof typeof WHICH = 'all',
): Generator<ToldRow> =>
  journal.readAll(
    TOLD,
    `FROM row WHERE run = $run ${WHICH[which]} AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );

export const toldRow = (journal: Journal, run: string, seq: number): ToldRow | undefined =>
  journal.readOne(TOLD, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });

/** All rows of the runs of an event, those of the run that began first first. */
export function* toldOfEvent(
  journal: Journal,
  target: Pick<Target, 'service' | 'eventId'>,
): Generator<ToldRow> {
  for (const { id, state } of listRuns(journal, target).toReversed())
    if (state !== 'reading') yield* toldRows(journal, id);
}

/** Puts a row of one run into another one, for another registration. */
export function addCopy(
  journal: Journal,
  { run, seq }: { run: string; seq: number },
  { place: at, part, op, state, plan, rowKey, remoteId, payload: registration, ...told }: ToldRow,
): void {
  const { attempts, status, sentAt, doneAt, checkedAt, sentNo, listedNo } = told;
  const times = { attempts, status, sentAt, doneAt, checkedAt, sentNo, listedNo, basedNo: sentNo };
  const { persona, barcode, parentBarcode, enableComms } = registration ?? {};
  const said = { persona, barcode, parentBarcode, enableComms, payload: registration };
  const hash = registration && hashOf(registration);
  addRow(journal, { run, seq, ...at, part, op, state, plan, rowKey, remoteId, hash, ...said, ...times });
}

/** The files in which rows of a run stand. */
export const filesOfRows = (journal: Journal, run: string): string[] =>
  journal
    .all<{ file: string }>('SELECT DISTINCT file FROM row WHERE run = $run', { run })
    .map(({ file }) => file);

type RunContext = Pick<SendContext, 'journal' | 'run' | 'reporter'>;

/** Tells what has become of a row, which is on the disk. It is read only where somebody wants to know. */
export const tellOutcome = ({ journal, run, reporter }: RunContext, seq: number): void =>
  reporter.report({ type: 'rows', each: () => [toldRow(journal, run, seq) ?? []].flat().map(toView) });

/** Tells what has become of every row at the end of a run; of a dry run what would. */
export function tellOutcomes({ journal, run, reporter }: RunContext): void {
  const each = function* (): Generator<OutcomeView> {
    for (const row of toldRows(journal, run)) yield toView(row);
  };
  reporter.report({ type: 'rows', each });
}

function toView(row: ToldRow): OutcomeView {
  const { seq, place: at, op, plan, state, barcode, remoteId } = row;
  // No line of a file stands for what is deleted by its name.
  const known = at.file === '' ? undefined : at;
  return { seq, place: known, op, plan, state, barcode, registrationId: remoteId, codes: codesOf(row) };
}

const WORD = rowCodec({
  registration: json<Registration>('coalesce(row.ask, row.payload)'),
  verdicts: json<Record<string, ValueVerdict> | undefined>('row.verdicts'),
  isOfFiles: flag('run.files = $files'),
  /** It said then what the row says: the files may only have another name. */
  isAlike: flag('row.row_key = $key'),
});
/** What a push has said of a registration. */
export type Word = RowOf<typeof WORD>;

/** What pushes have said of a registration under any id that updates gave it, the last first. `key`: of its row now. */
export const wordsAbout = (
  journal: Journal,
  target: Target,
  about: { files: readonly string[]; key: string; id: string | undefined; barcode: string | undefined },
): Word[] =>
  journal.read(
    WORD,
    `FROM (WITH named AS MATERIALIZED (SELECT row.run, seq, remote_id, before ->> 'id' AS was FROM run
           CROSS JOIN row ON row.run = run.id AND row.barcode = $barcode WHERE ${OF_EVENT}),
         known (id) AS (VALUES ($id) UNION SELECT remote_id FROM named UNION SELECT was FROM named)
       SELECT run AS own, seq AS no FROM named UNION SELECT run, seq FROM source WHERE row_key = $key
         UNION SELECT run, seq FROM known CROSS JOIN operation ON remote_id = known.id)
       CROSS JOIN row ON row.run = own AND row.seq = no CROSS JOIN run ON run.id = own
     WHERE row.op = 'send' AND row.state ${among(THERE)} AND ${OF_EVENT} AND run.kind = 'push' AND ${notTakenBack('row')}
     ORDER BY max(coalesce(row.sent_no, 0), coalesce(row.listed_no, 0)) DESC`,
    { ...eventOf(target), ...about, files: JSON.stringify(about.files) },
  );

const LAST_SENT = rowCodec({
  run: value<string>('row.run'),
  at: value<number>('row.sent_at'),
  registration: json<Registration>('coalesce(row.ask, row.payload)'),
});
type LastSent = RowOf<typeof LAST_SENT>;

/** What this machine sent last for a barcode; undefined when it knows of nothing. */
export const lastSentFor = (journal: Journal, target: Target, barcode: string): LastSent | undefined =>
  journal.readOne(
    LAST_SENT,
    `FROM run CROSS JOIN row ON row.run = run.id
     WHERE ${OF_EVENT} AND row.barcode = $barcode AND row.op = 'send' AND row.sent_no IS NOT NULL
     ORDER BY row.sent_no DESC`,
    { ...eventOf(target), barcode },
  );

/** Whether a row has asked for messages when it was last sent. */
export const asksForMessages = (journal: Journal, target: Target, key: string): boolean =>
  journal.get<{ asks: number }>(
    `SELECT row.enable_comms AS asks FROM row JOIN run ON run.id = row.run AND ${OF_EVENT}
     WHERE row.row_key = $key AND row.op = 'send' AND row.attempts > 0 AND row.state ${among(SENT)}
     ORDER BY row.sent_no DESC LIMIT 1`,
    { ...eventOf(target), key },
  )?.asks === 1;
