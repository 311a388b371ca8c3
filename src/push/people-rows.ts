import type { FieldsOf } from '../registration/field-change.ts';
import type { Registration } from '../registration/registration.ts';
import type { RowState } from '../registration/row-state.ts';
import { foldBarcode } from './held-records.ts';
import type { Journal } from './journal.ts';
import { emailOf } from './match-email.ts';

const TABLES = [
  `CREATE TEMP TABLE IF NOT EXISTS person (seq INTEGER PRIMARY KEY, depth INTEGER NOT NULL, persona TEXT NOT NULL,
     email TEXT, barcode TEXT, folded TEXT, remote_id TEXT, state TEXT NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS temp.person_email ON person (email, depth, seq) WHERE email IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.person_folded ON person (folded, depth, seq) WHERE folded IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.person_barcode ON person (barcode) WHERE barcode IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.person_id ON person (remote_id) WHERE remote_id IS NOT NULL',
  'DELETE FROM temp.person',
];
const PAGE = 500;

interface StoredRow {
  seq: number;
  depth: number | null;
  payload: string;
  remote_id: string | null;
  state: RowState;
}

/** Puts what the rows of a run may be known by into the temporary table `person`. There is one such table at a time. */
export function notePeople(journal: Journal, run: string, fields: FieldsOf): void {
  for (const sql of TABLES) journal.run(sql);
  for (let after = -1; ; ) {
    const page = journal.all<StoredRow>(
      `SELECT seq, depth, payload, remote_id, state FROM row
       WHERE run = $run AND seq > $after AND op = 'send' AND state <> 'rejected' ORDER BY seq LIMIT ${PAGE}`,
      { $run: run, $after: after },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    journal.transaction(() => {
      for (const row of page) notePerson(journal, row, fields);
    });
    after = last.seq;
  }
}

function notePerson(
  journal: Journal,
  { seq, depth, payload, remote_id, state }: StoredRow,
  fields: FieldsOf,
): void {
  const registration = JSON.parse(payload) as Registration;
  const { persona, barcode } = registration;
  journal.run('INSERT INTO temp.person VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
    seq,
    depth ?? 0,
    persona,
    emailOf(registration, fields) ?? null,
    barcode ?? null,
    barcode === undefined ? null : foldBarcode(barcode),
    remote_id,
    state,
  ]);
}
