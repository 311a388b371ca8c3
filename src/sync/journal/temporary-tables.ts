import { ROW_COLUMNS, stepTable } from './journal-tables.ts';

const OF_RUN_OUTSIDE = 'run TEXT NOT NULL';

/**
 * The rows of a dry run and its steps, in temporary tables that hide those of the journal under the same
 * names: SQLite keeps them without waiting for the disk, and they are gone with the process however it ends. What other
 * runs know is read from `main.row` and `main.step`, whose numbers those of the temporary steps go on from. The payloads
 * of the rows are not in `payload` but `PackedPayloads`, and `hash` is filled in by `noteHashes`. All are
 * of one run, which takes no room in them, and is not inserted. Of larger pages fewer are written.
 */
export const dryRunTables = (run: string): string => `
PRAGMA temp.page_size = 8192;
PRAGMA temp.cache_size = -16384;
CREATE TEMP TABLE row (
  seq INTEGER PRIMARY KEY,
  run TEXT GENERATED ALWAYS AS ('${run}'),
  ${ROW_COLUMNS}, attempts INTEGER AS (0)
) STRICT;
CREATE INDEX temp.row_barcode ON row (barcode) WHERE barcode IS NOT NULL;
${stepTable(OF_RUN_OUTSIDE, 'TEMP')}
INSERT INTO temp.sqlite_sequence SELECT name, seq FROM main.sqlite_sequence WHERE name = 'step';
`;

/**
 * Made once its rows are read: looking them up while they come in is not needed. Sorting all barcodes at once would need
 * much room.
 */
export const DRY_RUN_INDEXES = `
CREATE INDEX temp.row_parent ON row (parent_barcode) WHERE parent_barcode IS NOT NULL;
CREATE INDEX temp.row_remote ON row (remote_id) WHERE remote_id IS NOT NULL;
ANALYZE temp.step;
DELETE FROM temp.sqlite_stat1;
INSERT INTO temp.sqlite_stat1 (tbl, idx, stat) VALUES
  ('row', 'row_depth', '1000000 50000'),
  ('row', 'row_barcode', '1000000 1'),
  ('row', 'row_parent', '1000000 5'),
  ('row', 'row_identity', '1000000 1'),
  ('row', 'row_remote', '1000000 1');
ANALYZE temp.sqlite_schema;
`;

/** Only where rows have parents, or what is deleted may have. */
export const DRY_RUN_DEPTHS = 'CREATE INDEX IF NOT EXISTS temp.row_depth ON row (depth)';

/** Rows are looked up by it for those of other runs only. */
export const DRY_RUN_IDENTITY = 'CREATE INDEX temp.row_identity ON row (row_key) WHERE row_key IS NOT NULL';

export const END_OF_DRY_RUN = 'DROP TABLE temp.row; DROP TABLE temp.step;';
