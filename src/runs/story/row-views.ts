import { BARCODE, fieldOfKey } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { formatPlace, type Note, type Reason } from '../../registration/model/row.ts';
import { MAY_HAVE_LANDED, type RowState } from '../../registration/model/row-states.ts';
import type { ChangeView, RowView, StepView } from '../../report/views/story-view.ts';
import { findingsOfRows } from '../../sync/journal/findings.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { type Column, flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowOp } from '../../sync/journal/run.ts';
import { type Step, stepsOfRows } from '../../sync/journal/steps.ts';

/** What the file says of a row, also in a dry run; what is deleted has none. */
const payload: Column<Registration | undefined> = {
  sql: `row.seq, CASE op WHEN 'send' THEN payload END`,
  width: 2,
  read: (cells, at, payloads) => payloads(cells[at] as number, cells[at + 1] as string | null) ?? undefined,
};

/** Columns of what is told of a row. */
export const ROW_COLUMNS = {
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  persona: value<string | undefined>(),
  barcode: value<string | undefined>(),
  parentBarcode: value<string | undefined>(),
  enableComms: flag(),
  payload,
  /** What was asked for instead where not all of it was. */
  sent: json<Registration | undefined>(`CASE op WHEN 'send' THEN coalesce(ask, payload) END`),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  notes: json<readonly Note[]>(`coalesce(notes, '[]')`),
  attempts: value<number>(),
  remoteId: value<string | undefined>(),
  message: value<string | undefined>(),
  plan: value<string | undefined>(),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  after: json<RecordImage | undefined>(),
  /** What became of what the service holds otherwise. */
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  checkedAt: value<number | undefined>(),
};
const ROW = rowCodec(ROW_COLUMNS);
export type StoryRow = RowOf<typeof ROW>;

/** What became of some rows of a run, with their steps. */
export function rowViews(journal: Journal, run: string, rows: readonly StoryRow[]): RowView[] {
  const seqs = rows.map(({ seq }) => seq);
  const steps = stepsOfRows(journal, run, seqs);
  const findings = findingsOfRows(journal, run, seqs);
  return rows.map((row) => rowView(row, numbered(steps.get(row.seq) ?? []), findings.get(row.seq) ?? []));
}

function rowView(row: StoryRow, steps: readonly StepView[], findings: readonly string[]): RowView {
  // What a person has decided is not read back, and counts as if it had been.
  const isDecided = steps.at(-1)?.what === 'decided';
  return {
    place: row.place.file === '' ? undefined : formatPlace(row.place) + (row.part > 0 ? `/${row.part}` : ''),
    op: row.op,
    state: row.state,
    persona: row.persona,
    barcode: row.barcode,
    parentBarcode: row.parentBarcode,
    registrationId: row.remoteId,
    enableComms: row.enableComms,
    askedToWriteAt: askedToWriteAt(row, steps),
    plan: row.plan,
    changes: [...judged(differences(row.payload, row.before), row), ...barcodeKept(row)],
    storedOtherwise: differences(row.sent, row.after).filter(({ field }) => !leftOf(row).has(field)),
    differences: row.differences,
    findings,
    notes: row.notes,
    reasons: row.reasons,
    message: row.message,
    attempts: row.attempts,
    steps,
    checkedAt: isDecided ? undefined : row.checkedAt,
  };
}

/** Of a row that landed, or may have, and asked for messages. */
function askedToWriteAt({ op, sent, state }: StoryRow, steps: readonly StepView[]): number | undefined {
  const mayHave = MAY_HAVE_LANDED.has(state) || state === 'deleted';
  if (op !== 'send' || sent?.enableComms !== true || !mayHave) return undefined;
  return steps.findLast(({ what }) => what === 'sent')?.at;
}

/** Fields whose values were not sent. */
export function leftOf({ verdicts }: Pick<StoryRow, 'verdicts'>): ReadonlySet<string> {
  const left = Object.entries(verdicts).filter(([, verdict]) => verdict === 'kept' || verdict === 'conflict');
  return new Set(left.map(([key]) => fieldOfKey(key)));
}

/** Compared as text: the journal does not know the kinds of the fields. */
const differences = (
  said: Registration | undefined,
  image: RecordImage | undefined,
): readonly FieldChange[] => (said && image && changesTo(said, image, () => [])) ?? [];

/** With what became of each: `kept` and `conflict` were not sent. */
function judged(changes: readonly FieldChange[], { verdicts }: StoryRow): readonly ChangeView[] {
  const known = new Map(Object.entries(verdicts).map(([key, verdict]) => [fieldOfKey(key), verdict]));
  return changes.map((change) => ({ ...change, verdict: known.get(change.field) }));
}

/** The barcode that a row has and its registration has not, which an update cannot change. */
function barcodeKept({ payload, before, verdicts }: StoryRow): readonly ChangeView[] {
  const verdict = verdicts[BARCODE.key];
  if (verdict === undefined || payload === undefined || before === undefined) return [];
  return [{ ...toChange(BARCODE, payload, before), verdict }];
}

function numbered(steps: readonly Step[]): StepView[] {
  let attempts = 0;
  return steps.map(({ at, what, status, requestId, detail }) => {
    if (what === 'sent') attempts += 1;
    return { at, what, attempt: attempts === 0 ? undefined : attempts, status, requestId, detail };
  });
}
