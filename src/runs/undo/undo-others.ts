import { among, CARRIED_OUT, MAY_HAVE_LANDED } from '../../registration/model/row-states.ts';
import { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../journal/runs.ts';
import type { UndoneRow } from '../judge/undo-unseen.ts';

const TABLES = [
  `CREATE TEMP TABLE IF NOT EXISTS later
     (name TEXT NOT NULL, no INTEGER NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS temp.later_name ON later (name, no)',
  'DELETE FROM temp.later',
];

/**
 * What other pushes have sent after a run, in a temporary table: the journal has no index of all that a
 * registration can be known by.
 */
export class LaterSends {
  readonly #journal: Journal;
  readonly #tables: HeldTables;

  constructor(journal: Journal, { service, eventId }: Target, run: string) {
    this.#journal = journal;
    this.#tables = new HeldTables(journal, 'later sends', TABLES);
    for (const name of [`row_key`, `'b:' || barcode`, `'id:' || remote_id`]) {
      this.#tables.journal.run(
        `INSERT INTO temp.later SELECT ${name}, sent_no, row.run, seq FROM row JOIN run ON run.id = row.run
         WHERE run.service = $service AND run.event = $event AND run.kind = 'push' AND run.id <> $run
           AND row.op = 'send' AND row.attempts > 0 AND ${name} IS NOT NULL
           AND row.state ${among(MAY_HAVE_LANDED)}
           AND row.sent_no > (SELECT min(sent_no) FROM row WHERE run = $run)`,
        { service, event: eventId, run },
      );
    }
  }

  /** The latest push that has sent the registration of a row after it, and was not undone since. */
  find({ rowKey, barcode, remoteId, sentNo }: UndoneRow): string | undefined {
    const names = [
      ...(rowKey === undefined ? [] : [rowKey]),
      ...(barcode === undefined ? [] : [`b:${barcode}`]),
      ...(remoteId === undefined ? [] : [`id:${remoteId}`]),
    ];
    const rows = this.#tables.journal.all<{ run: string; seq: number }>(
      `SELECT run, seq FROM temp.later WHERE name IN (SELECT value FROM json_each($names)) AND no > $no
       ORDER BY no DESC LIMIT 10`,
      { names: JSON.stringify(names), no: sentNo },
    );
    return rows.find(({ run, seq }) => undoneBy(this.#journal, run, seq) === undefined)?.run;
  }
}

/** The undo that has taken back what a run did with one of its rows, unless it was itself taken back. */
export function undoneBy(journal: Journal, run: string, seq: number): string | undefined {
  return journal
    .all<{ id: string }>(
      `SELECT run.id FROM run JOIN row ON row.run = run.id AND row.seq = $seq
       WHERE run.undoes = $run AND row.attempts > 0 AND row.state ${among(CARRIED_OUT)}
       ORDER BY run.started_at DESC`,
      { run, seq },
    )
    .find(({ id }) => undoneBy(journal, id, seq) === undefined)?.id;
}
