import { among, type RowState, THERE } from '../../registration/model/row-states.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import type { SendContext } from './send-context.ts';
import { flag, json, place, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { nameKeyOf } from '../../registration/changes/person.ts';
import { personOf } from '../decide/near.ts';
import type { Journal } from './journal.ts';
import type { Target } from './runs.ts';
import { RUN_ITSELF } from './steps.ts';

/** Rows that are compared. What is uncertain is settled, not planned. */
export const COMPARED = `run = $run AND op = 'send' AND state ${among(['pending', ...THERE])}`;

/** Rows in doubt of which reading the service may tell something. */
export const DOUBTFUL = `run = $run AND op = 'send' AND state = 'uncertain'
  AND (barcode IS NULL OR (sent_no IS NULL AND before IS NULL))`;

type RunContext = Pick<SendContext, 'journal' | 'run'>;

const UNSEEN_SINCE = `CASE WHEN listed_no IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM main.row AS seen WHERE seen.row_key = row.row_key AND seen.listed_no = row.listed_no
        AND seen.checked_at IS NOT NULL)
    THEN (SELECT at FROM main.step WHERE no = listed_no AND what = 'answered') END`;

/** Nobody has seen a row there since it was sent; or another row was seen to have changed its registration then. */
const UNSEEN = `(${UNSEEN_SINCE}) IS NOT NULL OR (plan = 'conflict' AND attempts > 0 AND listed_no IS NULL)`;

const COMPARED_ROW = rowCodec({
  seq: value<number>(),
  /** 0, or which companion of its row it is. */
  part: value<number>(),
  state: value<RowState>(),
  rowKey: value<string | undefined>(),
  /** As the file has it. */
  registration: said(),
  /** Id that the service gave its registration before, if that is known. */
  remoteId: value<string | undefined>(),
  /** When the service said that it took the row, in milliseconds since 1970; undefined once it was seen there. */
  unseenSince: value<number | undefined>(UNSEEN_SINCE),
});

/** A row as it is compared. */
export type ComparedRow = RowOf<typeof COMPARED_ROW>;

/** Rows of the run, a few hundred at a time. The journal may be written meanwhile. */
export const chunksOf = ({ journal, run }: RunContext, where: string): Generator<ComparedRow[]> =>
  journal.readPages(COMPARED_ROW, `FROM row WHERE ${where} AND seq > $after ORDER BY seq`, { run }, 'seq');

/** Rows that are looked up together. */
const AT_ONCE = 500;

/** Rows that are compared, without some, as `chunksOf` gives them. */
export function* comparedBut(
  { journal, run }: RunContext,
  without: ReadonlySet<number>,
): Generator<ComparedRow[]> {
  const all = journal.all<{ seq: number }>(`SELECT seq FROM row WHERE ${COMPARED} ORDER BY seq`, { run });
  const seqs = all.flatMap(({ seq }) => (without.has(seq) ? [] : seq));
  for (let at = 0; at < seqs.length; at += AT_ONCE) {
    const some = `FROM row WHERE ${COMPARED} AND seq IN (SELECT value FROM json_each($seqs)) ORDER BY seq`;
    yield journal.read(COMPARED_ROW, some, { run, seqs: JSON.stringify(seqs.slice(at, at + AT_ONCE)) });
  }
}

/** How many rows of the run there are, how many of them have no barcode, and how many are compared by theirs. */
export function countCompared(
  { journal, run }: RunContext,
  where: string,
): { rows: number; bare: number; count: number } {
  const counts = journal.get<{ rows: number; bare: number; count: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE row_key LIKE 'h:%') AS bare,
       count(*) FILTER (WHERE ${COMPARED} AND barcode IS NOT NULL) AS count FROM row WHERE ${where}`,
    { run },
  );
  return counts ?? { rows: 0, bare: 0, count: 0 };
}

/** The barcodes of all rows that are compared. */
export function* barcodesOf({ journal, run }: RunContext): Generator<string> {
  const pages = journal.pages<{ seq: number; barcode: string }>(
    `SELECT seq, barcode FROM row WHERE ${COMPARED} AND barcode IS NOT NULL AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );
  for (const page of pages) yield* page.map(({ barcode }) => barcode);
}

/** What the rows of a run are known by, and the barcode of those that are still to be sent. */
export const keysOf = ({ journal, run }: RunContext): { key: string; barcode: string | null }[] =>
  journal.all(
    `SELECT row_key AS key, CASE WHEN state = 'pending' THEN barcode END AS barcode FROM row
     WHERE run = $run AND op = 'send' AND row_key IS NOT NULL`,
    { run },
  );

/** Where a row of the run stands. */
export function placeIn({ journal, run }: RunContext, seq: number): string {
  const row = journal.get<Place>('SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq', {
    run,
    seq,
  });
  return row === undefined ? 'A row' : formatPlace(row);
}

const PERSON_ROW = rowCodec({
  seq: value<number>(),
  depth: value<number>('coalesce(depth, 0)'),
  registration: said(),
  rowKey: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  state: value<RowState>(),
  isUnseen: flag(`remote_id IS NOT NULL AND (${UNSEEN})`),
  /** `plan` tells those that an earlier plan has made something else of. */
  mayBeNew: flag(`state = 'pending' AND barcode IS NOT NULL AND remote_id IS NULL
    AND (plan IS NULL OR plan = 'create')`),
});

/** A row as far as it tells whom it is about. */
export interface PersonRow extends Readonly<Omit<RowOf<typeof PERSON_ROW>, 'registration'>> {
  readonly persona: string;
  readonly barcode: string | undefined;
  /** As `emailOf` gives it. */
  readonly email: string | undefined;
  /** As `nameKeyOf` gives it. */
  readonly name: string | undefined;
  readonly registration: Registration;
  /** Where it stands, in words. */
  readonly place: string;
}

const WHOLE = rowCodec({ registration: said(), place: place() });

type Whole = RowOf<typeof WHOLE>;

/** What a row says is read again when it is asked for: they are many, which is also why they share these getters. */
class StoredRow {
  declare readonly seq: number;
  readonly #read: (seq: number) => Whole;

  constructor(known: Omit<PersonRow, keyof Whole>, read: (seq: number) => Whole) {
    Object.assign(this, known);
    this.#read = read;
  }

  get registration(): Registration {
    return this.#read(this.seq).registration;
  }

  get place(): string {
    return formatPlace(this.#read(this.seq).place);
  }
}

/** The rows of a run that may be sent, in their order. */
export function readPersonRows(journal: Journal, run: string, fields: FieldsOf): PersonRow[] {
  const from = `FROM row WHERE run = $run AND op = 'send' AND state <> 'rejected' AND seq > $after ORDER BY seq`;
  const whole = (seq: number): Whole => {
    const row = journal.readOne(WHOLE, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });
    if (row === undefined) throw new Error(`Run ${run} has no row ${seq}.`);
    return row;
  };
  const rows: PersonRow[] = [];
  for (const { registration, ...row } of journal.readAll(PERSON_ROW, from, { run }, 'seq')) {
    const { persona, barcode } = registration;
    const known = { ...row, ...personOf(registration, fields), persona, barcode };
    rows.push(new StoredRow(known, whole) as StoredRow & typeof known);
  }
  return rows;
}

/** Rows that others were left out beside, as the same person. */
const KEPT = `step AS note CROSS JOIN json_each(note.detail) AS beside
  WHERE note.seq = ${RUN_ITSELF} AND note.what = 'left out'`;
const KEPT_BEFORE = `FROM run AS past CROSS JOIN main.row AS kept ON kept.run = past.id
  WHERE past.service = $service AND past.event = $event AND past.kind = 'push' AND past.id <> $run
    AND kept.op = 'send' AND kept.state ${among(THERE)}
    AND kept.seq IN (SELECT beside.value ->> 'kept' FROM main.${KEPT} AND note.run = past.id)`;
const KEPT_NOW = `FROM row WHERE row.run = $run AND row.seq IN (
  SELECT beside.value ->> 'kept' FROM ${KEPT} AND note.run = $run)`;
const REGISTRATION = rowCodec({ registration: json<Registration>('kept.payload') });
const OWN = rowCodec({ registration: said() });

/** The names of people of whom one row was sent in an earlier push and others left out, and not so now. */
export function namesOnceOne(
  journal: Journal,
  { run, target, fields }: { run: string; target: Target; fields: FieldsOf },
): Set<string> {
  const { service, eventId } = target;
  const before = journal.read(REGISTRATION, KEPT_BEFORE, { run, service, event: eventId });
  const names = new Set(before.flatMap(({ registration }) => nameKeyOf(registration, fields) ?? []));
  if (names.size === 0) return names;
  for (const { registration } of journal.read(OWN, KEPT_NOW, { run }))
    names.delete(nameKeyOf(registration, fields) ?? '');
  return names;
}
