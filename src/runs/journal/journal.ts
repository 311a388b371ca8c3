import { join } from 'node:path';
import { EventregError } from '../../errors.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Near } from '../judge/near.ts';
import type { PlanAction } from '../judge/plan-action.ts';
import type { Place, Reason } from '../../registration/model/row.ts';
import { ROW_STATES, type RowCounts, type RowState } from '../../registration/model/row-state.ts';
import { type Database, journalError, openJournalDatabase } from './journal-schema.ts';
import { PackedPayloads } from './packed-payloads.ts';
import {
  END_OF_REHEARSAL,
  REHEARSAL,
  REHEARSAL_DEPTHS,
  REHEARSAL_IDENTITY,
  REHEARSAL_INDEXES,
} from './journal-tables.ts';
import { RunLocks } from './run-locks.ts';
import { addStep, type StepName } from './steps.ts';
import { type StoredPlace, toPlace } from './stored-place.ts';
import { WriteGroup } from './write-group.ts';
import type { RowOutcome } from '../judge/judge-found.ts';
import type { RowOp } from './run.ts';

/** A row that is to be sent. */
export interface QueuedRow {
  seq: number;
  /** Where the service lists its registration, from 1; 0 when it does not, or not all of the list was read. */
  position: number;
  place: Place;
  /** What is asked for: the row as the file has it, without values that are kept or in conflict. */
  registration: Registration;
  sentAt: number | undefined;
  /** What comparing came to; undefined when nothing was compared. */
  plan: PlanAction | undefined;
  /** The registration as the service listed it before this row was sent; undefined when it did not, or nobody looked. */
  before: RecordImage | undefined;
  remoteId: string | undefined;
  /** What the service might change instead of registering somebody new. */
  near: readonly Near[] | undefined;
}

type Value = string | number | null;
type Values = Record<string, Value>;
type Statement = ReturnType<Database['prepare']>;

const isList = (values: Values | readonly Value[]): values is readonly Value[] => Array.isArray(values);

/** The SQLite file that keeps every run. Every write is durable when its function returns. */
export class Journal {
  readonly file: string;
  /** Who works on which run. */
  readonly locks: RunLocks;
  /** Writes right after one another that become durable together. */
  readonly group: WriteGroup;
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();
  /** Those of a dry run. */
  #packed: PackedPayloads | undefined;

  constructor(stateDir: string) {
    this.file = join(stateDir, 'journal.sqlite');
    this.#db = openJournalDatabase(stateDir);
    this.locks = new RunLocks(stateDir);
    this.group = new WriteGroup((work) => this.transaction(work));
  }

  /** Also empties the write-ahead log, where what was deleted would stay; not while others are at work. */
  close(): void {
    try {
      this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // A journal that cannot be written has been reported by whoever wrote to it.
    }
    this.#db.close();
    this.locks.close();
  }

  /** Runs a statement; any failure of the disk stops the caller with a JournalError. */
  run(sql: string, values: Values | readonly Value[] = {}): number {
    return this.#guard(() => {
      const statement = this.#prepare(sql);
      return (isList(values) ? statement.run(...values) : statement.run(values)).changes;
    });
  }

  /**
   * Adds a row with an INTEGER PRIMARY KEY and returns that key. Takes its values in the order of the `?`: for
   * what is written for every request, names and RETURNING would double the time.
   */
  insert(sql: string, values: readonly Value[]): number {
    return this.#guard(() => Number(this.#prepare(sql).run(...values).lastInsertRowid));
  }

  /** The first row; the caller says what its columns are. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  get<Row>(sql: string, values: Values | readonly Value[] = {}): Row | undefined {
    return this.#guard(() => {
      const statement = this.#prepare(sql);
      return (isList(values) ? statement.get(...values) : statement.get(values)) as Row | undefined;
    });
  }

  all<Row>(sql: string, values: Values = {}): Row[] {
    return this.#guard(() => this.#prepare(sql).all(values) as Row[]);
  }

  /** Rows one by one; nothing may be written while it runs. */
  iterate<Row>(sql: string, values: Values = {}): Iterable<Row> {
    return this.#guard(() => this.#prepare(sql).iterate(values) as Iterable<Row>);
  }

  /** All or nothing, in one durable write; within another, part of that. */
  transaction<T>(work: () => T): T {
    if (this.#db.isTransaction) return work();
    this.#guard(() => this.#db.exec(this.isRehearsing ? 'BEGIN' : 'BEGIN IMMEDIATE'));
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

  /**
   * From here on rows and their steps are temporary: those of a dry run, which needs to survive nothing. What is said to
   * be of `main` is the journal's own, as before.
   */
  rehearse(): void {
    this.#guard(() => this.#db.exec(REHEARSAL));
    this.#packed = new PackedPayloads(this.#db);
  }

  /** Whether rows are temporary now. */
  get isRehearsing(): boolean {
    return this.#packed !== undefined;
  }

  /** Takes what the file says of a row. Returns what is to be written of it into the row itself. */
  pack(seq: number, payload: string): string | null {
    if (this.#packed === undefined) return payload;
    this.#guard(() => this.#packed?.add(seq, payload));
    return null;
  }

  /** What the file says of a row of the run at hand that can be sent. */
  registrationOf({ seq, payload }: { seq: number; payload: string | null }): Registration {
    const packed = payload ?? this.#guard(() => this.#packed?.get(seq));
    return JSON.parse(packed ?? 'null') as Registration;
  }

  /** All rows of a run are there now. */
  endReading(): void {
    if (!this.isRehearsing) return;
    this.#guard(() => this.#db.exec(REHEARSAL_INDEXES));
    if (this.get('SELECT 1 FROM main.row LIMIT 1') !== undefined) this.run(REHEARSAL_IDENTITY);
  }

  /** Rows of the run at hand are looked up by their depth from here on. */
  indexDepths(): void {
    if (this.isRehearsing) this.run(REHEARSAL_DEPTHS);
  }

  /** Leaves nothing of what was temporary. */
  endRehearsal(): void {
    if (this.isRehearsing) this.#guard(() => this.#db.exec(END_OF_REHEARSAL));
    this.#packed = undefined;
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

interface StoredRow extends StoredPlace {
  seq: number;
  payload: string;
  position: number;
  sent_at: number | null;
  plan: PlanAction | null;
  before: string | null;
  remote_id: string | null;
  near: string | null;
}

const QUEUED = `seq, position, file, sheet, line, coalesce(ask, payload) AS payload, sent_at, plan,
  coalesce(latest, before) AS before, remote_id, near`;

/** Rows of a run in a state that are to be sent, in sending order, after a given place in it; at most `limit`. */
export function queuedRows(
  journal: Journal,
  run: string,
  state: RowState,
  {
    depth,
    after,
    limit,
  }: { depth: number; after?: Pick<QueuedRow, 'position' | 'seq'> | undefined; limit: number },
): QueuedRow[] {
  const rows = journal.all<StoredRow>(
    `SELECT ${QUEUED} FROM row
     WHERE run = $run AND state = $state AND depth = $depth AND op = 'send' AND (position, seq) > ($position, $seq)
     ORDER BY position, seq LIMIT $limit`,
    {
      $run: run,
      $state: state,
      $depth: depth,
      $position: after?.position ?? -1,
      $seq: after?.seq ?? -1,
      $limit: limit,
    },
  );
  return rows.map(toQueuedRow);
}

/** Whether a row is still to be sent. */
export function isPendingRow(journal: Journal, run: string, seq: number): boolean {
  const values = { $run: run, $seq: seq };
  return (
    journal.get(`SELECT 1 FROM row WHERE run = $run AND seq = $seq AND state = 'pending'`, values) !==
    undefined
  );
}

/** Whether a row is still to be sent, or its request was refused and is to go again. */
export function isOpenRow(journal: Journal, run: string, seq: number): boolean {
  return (
    journal.get(`SELECT 1 FROM row WHERE run = ? AND seq = ? AND state IN ('pending', 'sending')`, [
      run,
      seq,
    ]) !== undefined
  );
}

/** Uncertain rows of a run that were to be sent. */
export function uncertainRows(journal: Journal, run: string): QueuedRow[] {
  const rows = journal.all<StoredRow>(
    `SELECT ${QUEUED} FROM row WHERE run = $run AND state = 'uncertain' AND op = 'send' ORDER BY seq`,
    { $run: run },
  );
  return rows.map(toQueuedRow);
}

/** The row of a run with a number. */
export function queuedRow(journal: Journal, run: string, seq: number): QueuedRow | undefined {
  const row = journal.get<StoredRow>(`SELECT ${QUEUED} FROM row WHERE run = $run AND seq = $seq`, {
    $run: run,
    $seq: seq,
  });
  return row && toQueuedRow(row);
}

function toQueuedRow(row: StoredRow): QueuedRow {
  return {
    seq: row.seq,
    position: row.position,
    place: toPlace(row),
    registration: JSON.parse(row.payload) as Registration,
    sentAt: row.sent_at ?? undefined,
    plan: row.plan ?? undefined,
    before: row.before === null ? undefined : (JSON.parse(row.before) as RecordImage),
    remoteId: row.remote_id ?? undefined,
    near: row.near === null ? undefined : (JSON.parse(row.near) as Near[]),
  };
}

/**
 * Writes the intent: from here on the request with this id may have left. It is on the disk when this returns.
 * `detail`: what is sent beside the row, by name.
 */
export function writeIntent(
  journal: Journal,
  run: string,
  seq: number,
  requestId: string,
  now: number,
  detail?: string,
): void {
  journal.transaction(() => {
    const no = addStep(journal, run, seq, { at: now, what: 'sent', requestId, detail });
    journal.run(
      `UPDATE row SET state = 'sending', attempts = attempts + 1, sent_at = ?, sent_no = ?
       WHERE run = ? AND seq = ?`,
      [now, no, run, seq],
    );
  });
}

/** States in which the service holds a row as it is. */
const HELD_STATES: ReadonlySet<RowState> = new Set(['done', 'accepted', 'unchanged']);
const SET_OUTCOME =
  'UPDATE row SET state = ?, status = ?, remote_id = coalesce(?, remote_id), action = ?, message = ?, done_at = ?';
const WRITE_OUTCOME = `${SET_OUTCOME} WHERE run = ? AND seq = ?`;
const WRITE_HELD_OUTCOME = `${SET_OUTCOME}, held_no = ?, after = NULL WHERE run = ? AND seq = ?`;

/**
 * Writes the outcome, and by which step of the story it came. It is on the disk when this returns.
 * `done` and `accepted` say that the service holds the row as it is; `unchanged` that it did already.
 */
export function writeOutcome(
  journal: Journal,
  run: string,
  seq: number,
  outcome: RowOutcome,
  now: number,
  what: StepName = 'answered',
): void {
  journal.transaction(() => {
    const { state, status, message, requestId } = outcome;
    const detail = message === undefined ? state : `${state}: ${message}`;
    const no = addStep(journal, run, seq, { at: now, what, status, requestId, detail });
    const isHeld = HELD_STATES.has(state);
    journal.run(isHeld ? WRITE_HELD_OUTCOME : WRITE_OUTCOME, [
      state,
      status ?? null,
      outcome.remoteId ?? null,
      outcome.action ?? null,
      message ?? null,
      now,
      ...(isHeld ? [no] : []),
      run,
      seq,
    ]);
  });
}

/** How many rows of a run are in which state: those to send, or those to delete. */
export function countRows(journal: Journal, run: string, op: RowOp = 'send'): RowCounts {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  const rows = journal.all<{ state: RowState; n: number }>(
    'SELECT state, count(*) AS n FROM row WHERE run = $run AND op = $op GROUP BY state',
    { $run: run, $op: op },
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
  journal.run(
    `UPDATE row SET state = 'rejected', row_key = NULL, reasons = $reasons WHERE run = $run AND seq = $seq`,
    {
      $run: run,
      $seq: seq,
      $reasons: JSON.stringify(all),
    },
  );
}
