/**
 * The tables of the pacing file. `last_ms` and `ahead_ms` are where the budget's steady time stands, and
 * `seen_ms` is such a time. `limited` is 0 or 1, `tickets` a JSON array of numbers.
 */
export const PACING_SCHEMA = `
CREATE TABLE salt (value BLOB NOT NULL) STRICT;
CREATE TABLE budget (
  account TEXT PRIMARY KEY,
  era TEXT NOT NULL,
  version INTEGER NOT NULL,
  limited INTEGER,
  memory TEXT,
  last_ms REAL NOT NULL,
  ahead_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE member (
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  seen_ms REAL NOT NULL,
  waiting INTEGER NOT NULL,
  leave REAL NOT NULL,
  taken INTEGER NOT NULL,
  tickets TEXT NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
`;
