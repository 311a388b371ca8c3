import { join } from 'node:path';
import { EventregError } from '../errors.ts';
import type { Registration } from '../registration/registration.ts';
import type { Place, Reason } from '../registration/row.ts';
import { ROW_STATES, type RowCounts, type RowState } from '../registration/row-state.ts';
import { type Database, journalError, openJournalDatabase } from './journal-schema.ts';

export type RunState =
  | 'reading'
  | 'sending'
  | 'finished'
  | 'interrupted'
  | 'stopped'
  | 'refused'
  | 'superseded';

/** A run as `runs list` shows it. Times in milliseconds since 1970. */
export interface Run {
  id: string;
  service: string;
  event: string;
  eventName: string;
  files: readonly string[];
  state: RunState;
  startedAt: number;
  endedAt: number | undefined;
  /** Who works on it now, or did when it was killed. */
  holder: Holder | undefined;
  message: string | undefined;
}

export interface Holder {
  pid: number;
  host: string;
  /** When that process took the run, in milliseconds since 1970. */
  since: number;
}

/** A row that is to be sent. */
export interface QueuedRow {
  seq: number;
  place: Place;
  registration: Registration;
  sentAt: number | undefined;
}

/** What to write about a row once its fate is known. */
export interface RowOutcome {
  state: RowState;
  status?: number | undefined;
  remoteId?: string | undefined;
  action?: string | undefined;
  message?: string | undefined;
}

type Values = Record<string, string | number | null>;
type Statement = ReturnType<Database['prepare']>;

/** The SQLite file that keeps every run. Every write is durable when its function returns. */
export class Journal {
  readonly file: string;
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(stateDir: string) {
    this.file = join(stateDir, 'journal.sqlite');
    this.#db = openJournalDatabase(stateDir);
  }

  /** Also empties the write-ahead log, where what was deleted would stay; not while others are at work. */
  close(): void {
    try {
      this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // A journal that cannot be written has been reported by whoever wrote to it.
    }
    this.#db.close();
  }

  /** Runs a statement; any failure of the disk stops the caller with a JournalError. */
  run(sql: string, values: Values = {}): number {
    return this.#guard(() => this.#prepare(sql).run(values).changes);
  }

  /** The first row; the caller says what its columns are. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  get<Row>(sql: string, values: Values = {}): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(values) as Row | undefined);
  }

  all<Row>(sql: string, values: Values = {}): Row[] {
    return this.#guard(() => this.#prepare(sql).all(values) as Row[]);
  }

  /** Rows one by one; nothing may be written while it runs. */
  iterate<Row>(sql: string, values: Values = {}): Iterable<Row> {
    return this.#guard(() => this.#prepare(sql).iterate(values) as Iterable<Row>);
  }

  /** All or nothing, in one durable write. */
  transaction<T>(work: () => T): T {
    this.#guard(() => this.#db.exec('BEGIN IMMEDIATE'));
    try {
      const result = work();
      this.#guard(() => this.#db.exec('COMMIT'));
      return result;
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK');
      } catch {
        // The failure itself has rolled back already.
      }
      throw error;
    }
  }

  /** Does the work and takes it all back. */
  rehearse(work: () => void): void {
    this.#guard(() => this.#db.exec('BEGIN IMMEDIATE'));
    try {
      work();
    } finally {
      this.#guard(() => this.#db.exec('ROLLBACK'));
    }
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof EventregError ? error : journalError(error, this.file);
    }
  }
}

interface StoredRow {
  seq: number;
  file: string;
  line: number;
  payload: string;
  sent_at: number | null;
}

/** Rows of a run in a state, in sending order, after a given row; at most `limit`. */
export function queuedRows(
  journal: Journal,
  run: string,
  state: RowState,
  { depth, after, limit }: { depth: number; after: number; limit: number },
): QueuedRow[] {
  const rows = journal.all<StoredRow>(
    `SELECT seq, file, line, payload, sent_at FROM row
     WHERE run = $run AND state = $state AND depth = $depth AND seq > $after ORDER BY seq LIMIT $limit`,
    { $run: run, $state: state, $depth: depth, $after: after, $limit: limit },
  );
  return rows.map(toQueuedRow);
}

/** Uncertain rows of a run that have a barcode to look for. */
export function uncertainRows(journal: Journal, run: string): QueuedRow[] {
  const rows = journal.all<StoredRow>(
    `SELECT seq, file, line, payload, sent_at FROM row
     WHERE run = $run AND state = 'uncertain' AND barcode IS NOT NULL ORDER BY seq`,
    { $run: run },
  );
  return rows.map(toQueuedRow);
}

function toQueuedRow({ seq, file, line, payload, sent_at }: StoredRow): QueuedRow {
  const registration = JSON.parse(payload) as Registration;
  return { seq, place: { file, line }, registration, sentAt: sent_at ?? undefined };
}

/** Writes the intent: from here on the request may have left. */
export function writeIntent(journal: Journal, run: string, seq: number, now: number): void {
  journal.run(
    `UPDATE row SET state = 'sending', attempts = attempts + 1, sent_at = $now WHERE run = $run AND seq = $seq`,
    { $run: run, $seq: seq, $now: now },
  );
}

/** Writes the outcome. It is on the disk when this returns. */
export function writeOutcome(
  journal: Journal,
  run: string,
  seq: number,
  outcome: RowOutcome,
  now: number,
): void {
  journal.run(
    `UPDATE row SET state = $state, status = $status, remote_id = coalesce($id, remote_id), action = $action,
       message = $message, done_at = $now WHERE run = $run AND seq = $seq`,
    {
      $run: run,
      $seq: seq,
      $state: outcome.state,
      $status: outcome.status ?? null,
      $id: outcome.remoteId ?? null,
      $action: outcome.action ?? null,
      $message: outcome.message ?? null,
      $now: now,
    },
  );
}

/** How many rows of a run are in which state. */
export function countRows(journal: Journal, run: string): RowCounts {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  const rows = journal.all<{ state: RowState; n: number }>(
    'SELECT state, count(*) AS n FROM row WHERE run = $run GROUP BY state',
    { $run: run },
  );
  for (const { state, n } of rows) counts[state] = n;
  return counts;
}

/** Adds reasons to a row and takes it out of what will be sent. */
export function rejectRow(journal: Journal, run: string, seq: number, reasons: readonly Reason[]): void {
  const row = journal.get<{ reasons: string | null }>(
    'SELECT reasons FROM row WHERE run = $run AND seq = $seq',
    {
      $run: run,
      $seq: seq,
    },
  );
  const all = [...(JSON.parse(row?.reasons ?? '[]') as Reason[]), ...reasons];
  journal.run(`UPDATE row SET state = 'rejected', reasons = $reasons WHERE run = $run AND seq = $seq`, {
    $run: run,
    $seq: seq,
    $reasons: JSON.stringify(all),
  });
}
