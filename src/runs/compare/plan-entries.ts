import { among, type RowState, THERE } from '../../registration/model/row-states.ts';
import { aspectsOf, BARCODE, type FieldsOf } from '../../registration/changes/aspect.ts';
import { type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { PlanEntryView } from '../../report/views/plan-view.ts';
import type { Target } from '../journal/runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { ValueVerdict } from '../judge/judge-value.ts';
import type { PlanAction } from '../judge/plan-decision.ts';
import { type StoredPlace, toPlace } from '../journal/stored-place.ts';

/** What a run is going to do about one registration. */
export interface PlanEntry extends PlanEntryView {
  /** What the row is known by, whatever its line; `d:` and the id for a deletion. */
  key: string;
}

export interface EntryOptions {
  /** Also what stays as it is. */
  all: boolean;
}

interface StoredEntry extends StoredPlace {
  seq: number;
  op: 'send' | 'delete';
  state: RowState;
  row_key: string | null;
  payload: string | null;
  barcode: string | null;
  remote_id: string | null;
  persona: string | null;
  plan: PlanAction | 'delete' | null;
  verdicts: string | null;
  before: string | null;
  message: string | null;
}

/**
 * Reads back from the journal what a run is still going to do: rows in their order, then deletions. Rejected
 * rows are none. The journal may be read and written meanwhile.
 */
export function* planEntries(
  journal: Journal,
  run: string,
  fields: FieldsOf,
  { all }: EntryOptions,
): Generator<PlanEntry> {
  const open = all ? '' : `AND (state NOT ${among(THERE)} OR plan = 'kept')`;
  const pages = journal.pages<StoredEntry>(
    `SELECT seq, file, sheet, line, op, state, row_key, payload, barcode, remote_id, persona, plan, verdicts,
       coalesce(latest, before) AS before, message
     FROM row WHERE run = $run AND seq > $after AND state <> 'rejected' ${open} ORDER BY seq`,
    { $run: run },
    'seq',
  );
  for (const page of pages) {
    for (const row of page) {
      yield toEntry(row, () => changesOf(row, journal.registrationOf(row), fields));
    }
  }
}

function toEntry(row: StoredEntry, changes: () => FieldChange[]): PlanEntry {
  const deletes = row.op === 'delete';
  return {
    place: deletes ? undefined : toPlace(row),
    key: deletes || row.row_key === null ? `d:${row.remote_id ?? row.barcode}` : row.row_key,
    action: deletes ? 'delete' : actionOf(row),
    barcode: row.barcode ?? undefined,
    id: row.remote_id ?? undefined,
    persona: row.persona ?? undefined,
    state: row.state,
    changes: deletes ? removals(row.before) : changes(),
    why: row.message ?? undefined,
  };
}

function actionOf({ state, plan }: StoredEntry): PlanAction {
  if (state === 'unchanged' && plan === 'kept') return 'kept';
  if (THERE.has(state)) return 'unchanged';
  if (state === 'conflict') return 'conflict';
  if (state !== 'pending' || plan === null || plan === 'delete') return 'unknown';
  return plan;
}

/** What planning came to, with the values of both sides. */
function changesOf(row: StoredEntry, registration: Registration, fields: FieldsOf): FieldChange[] {
  if (actionOf(row) === 'create') return additions(registration, fields);
  if (row.before === null || row.verdicts === null) return [];
  const record = JSON.parse(row.before) as RecordImage;
  const verdicts = new Map(Object.entries(JSON.parse(row.verdicts) as Record<string, ValueVerdict>));
  const aspects = new Map(
    [BARCODE, ...aspectsOf(registration, fields)].map((aspect) => [aspect.key, aspect]),
  );
  return [...verdicts].flatMap(([key, verdict]) => {
    const aspect = aspects.get(key);
    if (aspect === undefined || verdict === 'refused') return [];
    const change = toChange(aspect, registration, record);
    return verdict === 'kept' || verdict === 'conflict' ? { ...change, left: verdict } : change;
  });
}

function additions(registration: Registration, fields: FieldsOf): FieldChange[] {
  return aspectsOf(registration, fields)
    .map((aspect) => toChange(aspect, registration, undefined))
    .filter(({ after }) => after !== undefined);
}

function removals(before: string | null): FieldChange[] {
  const { fields = {} } = before === null ? {} : (JSON.parse(before) as RecordImage);
  return Object.entries(fields)
    .map(([field, value]) => ({ field, before: plainValue(value), after: undefined }))
    .filter(({ before }) => before !== undefined);
}

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
    const row = journal.get(
      `SELECT 1 FROM row WHERE row_key = $key AND run = $run AND state = 'unchanged' AND sent_at >= $since`,
      { $key: key, $run: run, $since: since },
    );
    return row !== undefined;
  }
  const deleted = journal.get(
    `SELECT 1 FROM run CROSS JOIN main.row ON row.run = run.id AND row.state = 'deleted' AND row.op = 'delete'
     WHERE run.service = $service AND run.event = $event AND run.ended_at >= $since
       AND row.done_at >= $since AND (row.remote_id = $id OR row.barcode = $barcode) LIMIT 1`,
    { $service: service, $event: eventId, $since: since, $id: id, $barcode: barcode },
  );
  return deleted !== undefined;
}
