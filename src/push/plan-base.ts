import type { RecordImage, Registration } from '../registration/registration.ts';
import type { Journal } from './journal.ts';
import type { Base } from './plan-row.ts';
import type { Target } from './runs.ts';

/** A base, and the step at which it was last known to be so. */
export interface DatedBase extends Base {
  heldNo: number;
  /** When the service answered that it took the row; undefined once it was also seen to list it. */
  unseenSince: number | undefined;
}

interface StoredBase {
  payload: string;
  after: string | null;
  held_no: number;
  unseen_since: number | null;
}

/** Of the row that is the base. Reading and auditing leave steps of their own, or say when they looked. */
const STORED = `row.payload, row.after, row.held_no, CASE WHEN row.checked_at IS NULL THEN (
  SELECT at FROM step WHERE no = row.held_no AND what = 'answered') END AS unseen_since`;

type Key = { $key: string | null; $service: string; $event: string };

const OF_TARGET = `run.service = $service AND run.event = $event AND row.op = 'send'`;

/** What the service was last known to hold of a row, from whichever run of the event. */
export function readBase(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  rowKey: string | null,
): DatedBase | undefined {
  const stored = journal.get<StoredBase>(
    `SELECT ${STORED} FROM row JOIN run ON run.id = row.run
     WHERE row.row_key = $key AND row.held_no IS NOT NULL AND ${OF_TARGET}
     ORDER BY row.held_no DESC, row.checked_at IS NULL LIMIT 1`,
    { $key: rowKey, $service: service, $event: eventId } satisfies Key,
  );
  return stored && toBase(stored);
}

function toBase({ payload, after, held_no, unseen_since }: StoredBase): DatedBase {
  return {
    sent: JSON.parse(payload) as Registration,
    shown: after === null ? undefined : (JSON.parse(after) as RecordImage),
    heldNo: held_no,
    unseenSince: unseen_since ?? undefined,
  };
}

/** What was sent of a row after a step, and may have landed although that was never known; newest first. */
export function sentSince(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  rowKey: string | null,
  step: number,
): Registration[] {
  return journal
    .all<{ payload: string }>(
      `SELECT row.payload FROM row JOIN run ON run.id = row.run
       WHERE row.row_key = $key AND row.sent_no > $step AND ${OF_TARGET} ORDER BY row.sent_no DESC`,
      { $key: rowKey, $service: service, $event: eventId, $step: step },
    )
    .map(({ payload }) => JSON.parse(payload) as Registration);
}

/**
 * Finds bases by the id of the registration, for rows without a barcode: an edited one has another key than
 * before. The ids are in a temporary table, made once, because the journal has no index of them.
 */
export class BasesById {
  readonly #journal: Journal;

  constructor(journal: Journal, { service, eventId }: Pick<Target, 'service' | 'eventId'>) {
    this.#journal = journal;
    journal.run(
      `CREATE TEMP TABLE IF NOT EXISTS based
         (id TEXT NOT NULL, held_no INTEGER NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL)`,
    );
    journal.run('CREATE INDEX IF NOT EXISTS temp.based_id ON based (id, held_no)');
    journal.run('DELETE FROM temp.based');
    journal.run(
      `INSERT INTO temp.based SELECT row.remote_id, row.held_no, row.run, row.seq
       FROM row JOIN run ON run.id = row.run
       WHERE row.row_key >= 'h:' AND row.row_key < 'h;' AND row.remote_id IS NOT NULL
         AND row.held_no IS NOT NULL AND ${OF_TARGET}`,
      { $service: service, $event: eventId },
    );
  }

  find(id: string): DatedBase | undefined {
    const stored = this.#journal.get<StoredBase>(
      `SELECT ${STORED}
       FROM temp.based JOIN row ON row.run = based.run AND row.seq = based.seq
       WHERE based.id = $id ORDER BY based.held_no DESC LIMIT 1`,
      { $id: id },
    );
    return stored && toBase(stored);
  }
}
