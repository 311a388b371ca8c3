import { ROW_INDEXES, ROW_STATISTICS, ROW_TABLES } from './row-tables.ts';

/** Counts the shapes that the journal has had. One of another shape is refused, never rewritten. */
export const VERSION = 18;

/** How a table names its run. */
const OF_RUN = 'run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE';

const STEP_TABLE = `CREATE TABLE step (
  id INTEGER PRIMARY KEY,
  ${OF_RUN},
  seq INTEGER NOT NULL,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  status INTEGER,
  request_id TEXT,
  detail TEXT
) STRICT;`;

const baseIndex = (column: string): string =>
  `CREATE INDEX base_${column} ON base (${column}) WHERE ${column} IS NOT NULL;`;

const STEPS = `
${STEP_TABLE}
CREATE INDEX step_row ON step (run, seq);
CREATE TABLE counter (only INTEGER PRIMARY KEY, no INTEGER NOT NULL) STRICT;
INSERT INTO counter VALUES (1, 0);
CREATE TABLE block (
  run TEXT PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
  boot TEXT,
  at INTEGER NOT NULL,
  seqs TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE departure (no INTEGER PRIMARY KEY, list TEXT NOT NULL) STRICT;
CREATE VIEW latest_no AS SELECT max(counter.no, coalesce(max(departure.no), 0)) AS no FROM counter LEFT JOIN departure;
CREATE TABLE learned (
  service TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (service, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE base (
  no INTEGER PRIMARY KEY,
  service TEXT NOT NULL,
  event TEXT NOT NULL,
  barcode TEXT,
  remote_id TEXT,
  row_key TEXT,
  email TEXT,
  name TEXT,
  parent TEXT,
  files TEXT NOT NULL,
  gone INTEGER NOT NULL,
  told TEXT,
  pairs TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
${['barcode', 'remote_id', 'row_key', 'email', 'name', 'parent'].map(baseIndex).join('\n')}
CREATE TABLE base_key (no INTEGER PRIMARY KEY, key BLOB NOT NULL) STRICT;
`;

/**
 * How many rows there are to a value, for a journal of large runs; never measured anew. Without it SQLite
 * takes "of this run" for as telling as "of this run and with this barcode", and walks through a whole run
 * for every row of it.
 */
const STATISTICS = `
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
${ROW_STATISTICS},
  ('step', 'step_row', '2000000 200000 2');
ANALYZE sqlite_schema;
`;

/**
 * A run is one execution of a push, a delete or an undo. `continued_by` is the one that went on from an interrupted one.
 * `event_info` is the event as it was described then. `counts` is what it came to at its end,
 * `later` what was decided or undone since, each with its time.
 * A row is one registration of a run, from reading to outcome.
 * `part` tells the registrations of one record apart: 0 is its own, the others are its companions', each
 * a row of its own right behind it. `notes` is what was mended.
 * `op` is what the row asks for: `send` or `delete`. `payload` is what the file says, `plan` what comparing came
 * to. `verdicts` is what becomes of each value that the service holds otherwise, by field; `ask` is the row
 * without those that are kept or in conflict, where there are any. `before` is the registration as the service
 * listed it before the row was first sent, `position` where in its list, `latest` before it was sent again, `after` as
 * it lists it since, where that is not what was sent. `near` is what the service might change instead of registering a new row, and in a
 * conflict whom the row may be about. `proof` is what shows that a row registered somebody new: `absent` before it
 * was sent, and the id of the answer `unlisted` then, and `new` once it was read back; `not-new` that it has changed
 * somebody else's registration, `before`, instead. `differences` is where the audit found it otherwise than it was to be
 * left, a finding what it found besides, also of registrations that no row stands for. `doubt` is the row of an earlier
 * run which says the same and is in doubt: this one is as long as that one is.
 *
 * `sends` is every request for the row, with its answer; a step is what else was done about it. A number orders both, and
 * everything else that this journal knows, whatever the clock does: one more than the `latest_no`, which departures have,
 * and the `counter` once rows were told. `sent_no` is that of a row's last request, `listed_no` of when it was last known to
 * be there as it is. `based_no` is the last `sent_no` that bases know; below 0 one that they do not yet: read back to the letter.
 *
 * A block is the rows of a run that may leave until the next durable write. A departure is what was written together of
 * requests that may have left and of answers, until their rows are told of it. A base is what is known of one
 * registration, apart from runs: by what it and its person are known, which files have spoken of it, and of each value
 * what the file said and what the service was then seen to hold, all as digests under `base_key`. `parent` is what was
 * said of one, by which its members are found. `gone`: somebody has
 * settled that it was deleted by others; what is deleted from here is forgotten. `told` is whom the service had in the
 * place of its person when that was last told. `at` is when it was last true.
 */
export const TABLES = `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL DEFAULT 'push',
  undoes TEXT,
  service TEXT NOT NULL,
  event TEXT NOT NULL,
  event_name TEXT NOT NULL,
  files TEXT NOT NULL,
  who TEXT,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  holder TEXT,
  message TEXT,
  continued_by TEXT,
  counts TEXT,
  later TEXT,
  event_info TEXT
) STRICT;
${ROW_TABLES}
CREATE TABLE finding (
  no INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER,
  remote_id TEXT,
  barcode TEXT,
  kind TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX finding_run ON finding (run, seq);
${STEPS}`;

export const INDEXES = `${ROW_INDEXES}${STATISTICS}`;
