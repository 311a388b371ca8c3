import { among, type RowState, THERE } from '../../registration/model/row-states.ts';
import { aspectsOf, BARCODE, type FieldsOf } from '../../registration/changes/aspect.ts';
import { type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { ComparedValues, PlanEntryView } from '../../report/views/plan-view.ts';
import type { Target } from '../journal/runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { ValueVerdict } from '../decide/decide.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import { json, place, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import type { RowOp } from '../journal/run.ts';
import { lastSent, threeValues } from './three-values.ts';

/** What a run is going to do about one registration. */
export interface PlanEntry extends PlanEntryView {
  /** What the row is known by, whatever its line; `d:` and the id for a deletion. */
  key: string;
}

export interface EntryOptions {
  /** Also what stays as it is. */
  all: boolean;
  /** With every value of each, as the file has it, as it was last sent, and as it is listed. */
  compared?: boolean;
}

const ENTRY = rowCodec({
  seq: value<number>('row.seq'),
  place: place(),
  op: value<RowOp>(),
  state: value<RowState>(),
  key: value<string>(
    `CASE WHEN op = 'delete' OR row_key IS NULL THEN 'd:' || coalesce(remote_id, barcode, '') ELSE row_key END`,
  ),
  registration: said(),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
  persona: value<string | undefined>(),
  plan: value<PlanAction | 'delete' | undefined>(),
  verdicts: json<Readonly<Record<string, ValueVerdict>> | undefined>(),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  after: json<RecordImage | undefined>(),
  why: value<string | undefined>('message'),
});
type Row = RowOf<typeof ENTRY>;

/**
 * Reads back from the journal what a run is still going to do: rows in their order, then deletions. Rejected
 * rows are none. The journal may be read and written meanwhile.
 */
export function* planEntries(
  journal: Journal,
  run: string,
  fields: FieldsOf,
  { all, compared = false }: EntryOptions,
): Generator<PlanEntry> {
  const open = all ? '' : `AND (state NOT ${among(THERE)} OR plan = 'kept')`;
  const rows = journal.readAll(
    ENTRY,
    `FROM row WHERE run = $run AND seq > $after AND state <> 'rejected' ${open} ORDER BY seq`,
    { run },
    'seq',
  );
  for (const row of rows) {
    const entry = toEntry(row, fields);
    yield compared && row.op === 'send'
      ? { ...entry, compared: compareOf(journal, run, row, fields) }
      : entry;
  }
}

/** What is there as the row says has no image of its own. */
function compareOf(
  journal: Journal,
  run: string,
  { registration, barcode, state, before, after }: Row,
  fields: FieldsOf,
): ComparedValues {
  const sent = barcode === undefined ? undefined : lastSent(journal, run, barcode);
  const listed = THERE.has(state) ? (after ?? before ?? registration) : before;
  return {
    lastSent: sent && { run: sent.run, at: sent.at },
    isListed: listed?.fields !== undefined,
    values: threeValues({ file: registration, sent, listed }, fields),
  };
}

function toEntry(row: Row, fields: FieldsOf): PlanEntry {
  const { key, barcode, id, persona, state, why } = row;
  const known = { key, barcode, id, persona, state, why };
  return row.op === 'delete'
    ? { ...known, place: undefined, action: 'delete', changes: removals(row) }
    : { ...known, place: row.place, action: actionOf(row), changes: changesOf(row, fields) };
}

function actionOf({ state, plan }: Row): PlanAction {
  if (state === 'unchanged' && plan === 'kept') return 'kept';
  if (THERE.has(state)) return 'unchanged';
  if (state === 'conflict') return 'conflict';
  if (state !== 'pending' || plan === undefined || plan === 'delete') return 'unknown';
  return plan;
}

/** What planning came to, with the values of both sides. */
function changesOf(row: Row, fields: FieldsOf): FieldChange[] {
  const { registration, before, verdicts } = row;
  if (actionOf(row) === 'create') return additions(registration, fields);
  if (before === undefined || verdicts === undefined) return [];
  const aspects = new Map(
    [BARCODE, ...aspectsOf(registration, fields)].map((aspect) => [aspect.key, aspect]),
  );
  return Object.entries(verdicts).flatMap(([key, verdict]) => {
    const aspect = aspects.get(key);
    if (aspect === undefined || verdict === 'refused') return [];
    const change = toChange(aspect, registration, before);
    return verdict === 'kept' || verdict === 'conflict' ? { ...change, left: verdict } : change;
  });
}

function additions(registration: Registration, fields: FieldsOf): FieldChange[] {
  return aspectsOf(registration, fields)
    .map((aspect) => toChange(aspect, registration, undefined))
    .filter(({ after }) => after !== undefined);
}

const removals = ({ before }: Row): FieldChange[] =>
  Object.entries(before?.fields ?? {})
    .map(([field, shown]) => ({ field, before: plainValue(shown), after: undefined }))
    .filter((change) => change.before !== undefined);

/**
 * Whether runs of this machine have done since a time what a plan says of a registration, so that it needs doing
 * no more: its row was sent as it is, or it was deleted. `since` is in milliseconds since 1970.
 */
export function isCarriedOutSince(
  journal: Journal,
  { service, eventId }: Target,
  run: string,
  { action, key, id, barcode }: PlanEntry,
  since: number,
): boolean {
  if (action !== 'delete') {
    return journal.has(
      `FROM row WHERE row_key = $key AND run = $run AND state = 'unchanged' AND sent_at >= $since`,
      { key, run, since },
    );
  }
  return journal.has(
    `FROM run CROSS JOIN main.row ON row.run = run.id AND row.state = 'deleted' AND row.op = 'delete'
     WHERE run.service = $service AND run.event = $event AND run.ended_at >= $since
       AND row.done_at >= $since AND (row.remote_id = $id OR row.barcode = $barcode)`,
    { service, event: eventId, since, id, barcode },
  );
}
