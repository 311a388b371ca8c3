import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { emailOf, foldBarcode } from '../judge/near.ts';
import { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

const TABLES = [
  'DROP TABLE IF EXISTS temp.person',
  `CREATE TEMP TABLE person (seq INTEGER PRIMARY KEY, depth INTEGER NOT NULL, persona TEXT NOT NULL,
     email TEXT, barcode TEXT, folded TEXT, remote_id TEXT, state TEXT NOT NULL)`,
  'DROP TABLE IF EXISTS temp.alike',
  'CREATE TEMP TABLE alike (seq INTEGER PRIMARY KEY)',
  'CREATE TEMP TABLE IF NOT EXISTS taken (no INTEGER PRIMARY KEY, seq INTEGER NOT NULL)',
  'CREATE INDEX IF NOT EXISTS temp.taken_seq ON taken (seq)',
  'DELETE FROM temp.taken',
];
const PEOPLE = `run = $run AND op = 'send' AND state <> 'rejected'`;
const FOLDED = 'coalesce(folded, lower(barcode))';
/**
 * Rows of a dry run know it themselves. Nobody looks for those that are like nobody, and have no registration yet; only
 * by their names for those that have nothing else.
 */
const OF_DRY_RUN = `INSERT INTO temp.person
  SELECT seq, coalesce(depth, 0), persona, email, barcode, ${FOLDED}, remote_id, state FROM row
  WHERE ${PEOPLE} AND seq IN (
    SELECT seq FROM temp.alike UNION SELECT seq FROM row WHERE run = $run AND remote_id IS NOT NULL
    UNION SELECT seq FROM row WHERE run = $run AND barcode IS NULL AND email IS NULL)`;
const alike = (key: string, value: string, people: string): string => `INSERT OR IGNORE INTO temp.alike
  SELECT seq FROM ${people}
  AND (${value} IN (SELECT ${value} FROM ${people} AND ${value} IS NOT NULL GROUP BY ${value} HAVING count(*) > 1)
    OR ${value} IN (SELECT ${key} FROM temp.listed WHERE reading = $reading AND ${key} IS NOT NULL))`;
const INDEXES = [
  'CREATE INDEX temp.person_email ON person (email, depth, seq) WHERE email IS NOT NULL',
  'CREATE INDEX temp.person_folded ON person (folded, depth, seq) WHERE folded IS NOT NULL',
];

const ROW = rowCodec({
  seq: value<number>(),
  depth: value<number>('coalesce(depth, 0)'),
  registration: json<Registration>('payload'),
  remoteId: value<string | undefined>(),
  state: value<RowState>(),
});

/**
 * Puts what the rows of a run may be known by into the temporary table `person`, and into `alike` those that share an e-mail, or a
 * barcode but for its case, with another row or with a registration of a reading. Returns how many those are, and the
 * tables; `taken`, for the registrations that rows stand for, is one of them, and empty.
 */
export function notePeople(
  journal: Journal,
  run: string,
  fields: FieldsOf,
  reading: number,
): { tables: HeldTables; alike: number } {
  const tables = new HeldTables(journal, 'people', TABLES);
  const isDry = journal.isDryRun;
  if (!isDry) noteRows(journal, run, fields);
  const people = isDry ? `temp.row WHERE ${PEOPLE}` : 'temp.person WHERE $run = $run';
  const own = { run, reading };
  journal.run(alike('email', 'email', people), own);
  journal.run(alike('folded', isDry ? FOLDED : 'folded', people), own);
  if (isDry) journal.run(OF_DRY_RUN, { run });
  // Quicker made over all rows than with each.
  for (const sql of INDEXES) journal.run(sql);
  return { tables, alike: journal.count('FROM temp.alike') };
}

function noteRows(journal: Journal, run: string, fields: FieldsOf): void {
  const pages = journal.readPages(
    ROW,
    `FROM row WHERE ${PEOPLE} AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );
  for (const page of pages) {
    journal.transaction(() => {
      for (const row of page) notePerson(journal, row, fields);
    });
  }
}

function notePerson(
  journal: Journal,
  { seq, depth, registration, remoteId, state }: RowOf<typeof ROW>,
  fields: FieldsOf,
): void {
  const { persona, barcode } = registration;
  journal.run('INSERT INTO temp.person VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
    seq,
    depth,
    persona,
    emailOf(registration, fields),
    barcode,
    barcode && foldBarcode(barcode),
    remoteId,
    state,
  ]);
}
