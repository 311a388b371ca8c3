import { among, LEFT_ALONE } from '../../registration/model/row-states.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Names } from '../delete/delete-name.ts';
import type { ListReading } from '../listed/read-listed.ts';
import { HeldTables } from '../journal/held-tables.ts';
import { rowCodec, said, value } from '../../sqlite/row-codec.ts';
import type { Journal } from '../journal/journal.ts';
import type { Share } from '../judge/delete-guard.ts';
import { emailOf } from '../judge/near.ts';
import type { SendContext } from '../journal/send-context.ts';

/** A registration that stays although the file does not have it, and why. */
export interface KeptRegistration {
  id: string;
  why: string;
}

const TABLES = [
  `CREATE TEMP TABLE IF NOT EXISTS pruned
     (no INTEGER PRIMARY KEY, id TEXT, barcode TEXT, name TEXT, persona TEXT, email TEXT, why TEXT)`,
  'CREATE INDEX IF NOT EXISTS temp.pruned_name ON pruned (name)',
  'CREATE TEMP TABLE IF NOT EXISTS member (parent TEXT NOT NULL, id TEXT, barcode TEXT, name TEXT)',
  'CREATE INDEX IF NOT EXISTS temp.member_parent ON member (parent)',
  'CREATE TEMP TABLE IF NOT EXISTS sought (persona TEXT NOT NULL, email TEXT NOT NULL, PRIMARY KEY (persona, email)) WITHOUT ROWID',
  'DELETE FROM temp.pruned',
  'DELETE FROM temp.member',
  'DELETE FROM temp.sought',
];

/** A member that is not to be deleted itself. */
const STAYS = `(member.name IS NULL
  OR member.name NOT IN (SELECT name FROM temp.pruned WHERE why IS NULL AND name IS NOT NULL))`;
const ROW = rowCodec({ seq: value<number>('row.seq'), registration: said() });
const PERSONAS = `SELECT DISTINCT persona FROM row WHERE run = $run AND op = 'send' AND persona IS NOT NULL`;

/** Some services list for a while what is deleted: it goes without another request. */
const LAGGING = `SELECT coalesce(row.remote_id, row.barcode) FROM run CROSS JOIN main.row ON row.run = run.id
  WHERE run.service = $service AND run.event = $event
    AND row.op = 'delete' AND row.state = 'deleted' AND row.done_at > $since
    AND coalesce(row.remote_id, row.barcode) IS NOT NULL`;

type FinderContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/**
 * What the service lists of the personas in a run and no row of the run stands for, by barcode, by id, or by
 * e-mail where rows are matched so. It is kept in temporary tables: on the disk, and gone with the process.
 */
export class PruneFinder {
  readonly #journal: Journal;
  readonly #tables: HeldTables;
  readonly #run: string;
  readonly #reading: ListReading;

  constructor(context: FinderContext, reading: ListReading, match: 'barcode' | 'email' | 'none') {
    const { journal, run, event } = context;
    this.#journal = journal;
    this.#run = run;
    this.#reading = reading;
    this.#tables = new HeldTables(journal, 'what is pruned', TABLES);
    journal.transaction(() => {
      if (match === 'email') this.#noteEmails(fieldsOf(event));
      this.#pick(context);
      this.#noteMembers();
      this.#leaveMoved();
      this.#keepParents();
    });
  }

  /** Rows without a barcode stand for whoever has their address, also where that is more than one. */
  #noteEmails(fields: FieldsOf): void {
    const from = `FROM row WHERE run = $run AND seq > $after AND op = 'send' AND barcode IS NULL
      AND persona IS NOT NULL ORDER BY seq`;
    for (const { registration } of this.#journal.readAll(ROW, from, { run: this.#run }, 'seq')) {
      const email = emailOf(registration, fields);
      if (email === undefined) continue;
      this.#tables.journal.run('INSERT OR IGNORE INTO temp.sought VALUES ($persona, $email)', {
        persona: registration.persona,
        email,
      });
    }
  }

  #pick({ target, clock, limits }: FinderContext): void {
    this.#tables.journal.run(
      `INSERT INTO temp.pruned (no, id, barcode, name, persona, email)
       SELECT no, id, barcode, coalesce(id, barcode), persona, email FROM temp.listed WHERE reading = $reading AND persona IN (${PERSONAS})
         AND (barcode IS NULL OR barcode NOT IN
           (SELECT barcode FROM row WHERE run = $run AND op = 'send' AND barcode IS NOT NULL))
         AND (id IS NULL OR id NOT IN
           (SELECT remote_id FROM row WHERE run = $run AND op = 'send' AND remote_id IS NOT NULL))
         AND (coalesce(id, barcode) IS NULL OR coalesce(id, barcode) NOT IN (${LAGGING}))
         AND NOT EXISTS (SELECT 1 FROM temp.sought WHERE sought.persona = listed.persona AND sought.email = listed.email)`,
      {
        run: this.#run,
        reading: this.#reading.listed.reading,
        service: target.service,
        event: target.eventId,
        since: clock.now() - limits.settleMs,
      },
    );
  }

  #noteMembers(): void {
    for (const { id, parentBarcode, barcode } of this.#reading.listed.all()) {
      if (parentBarcode === undefined || parentBarcode === barcode) continue;
      this.#tables.journal.run('INSERT INTO temp.member VALUES ($parent, $id, $barcode, $name)', {
        parent: parentBarcode,
        id,
        barcode,
        name: id ?? barcode,
      });
    }
  }

  /** Who is given another parent by a row of the file is no member any more when the deletions begin. */
  #leaveMoved(): void {
    for (const stands of ['row.barcode = member.barcode', 'row.remote_id = member.id']) {
      this.#tables.journal.run(
        `DELETE FROM temp.member WHERE EXISTS (
           SELECT 1 FROM row WHERE row.run = $run AND ${stands} AND row.op = 'send'
             AND row.state NOT ${among(LEFT_ALONE)} AND row.parent_barcode <> member.parent)`,
        { run: this.#run },
      );
    }
  }

  /** A parent that is kept may itself be a member, whose parent is kept then. */
  #keepParents(): void {
    this.#tables.journal.run(
      `UPDATE temp.pruned SET why = 'a row of the file names it as parent' WHERE barcode IN
         (SELECT parent_barcode FROM row WHERE run = $run AND op = 'send' AND parent_barcode IS NOT NULL)`,
      { run: this.#run },
    );
    for (let kept = 1; kept > 0; ) {
      kept = this.#tables.journal.run(
        `UPDATE temp.pruned SET why = 'its member, registration ' || (
           SELECT coalesce(name, 'without id') FROM temp.member WHERE parent = pruned.barcode AND ${STAYS} LIMIT 1
         ) || ', stays'
         WHERE why IS NULL AND barcode IN (SELECT parent FROM temp.member WHERE ${STAYS})`,
      );
    }
  }

  /** How many would be deleted. */
  get count(): number {
    return this.#tables.journal.count('FROM temp.pruned WHERE why IS NULL');
  }

  /** How many show too little of themselves to tell whether the file has them. */
  get hidden(): { barcodes: number; emails: number } {
    const row = this.#tables.journal.get<{ barcodes: number; emails: number }>(
      `SELECT count(*) FILTER (WHERE barcode IS NULL) AS barcodes,
         count(*) FILTER (WHERE email IS NULL AND persona IN (SELECT persona FROM temp.sought)) AS emails
       FROM temp.pruned`,
    );
    return row ?? { barcodes: 0, emails: 0 };
  }

  /** Of each persona in the run, how many there are, and how many would be deleted. */
  get shares(): Share[] {
    return this.#tables.journal.all<Share>(
      `SELECT persona, count(*) AS there,
         (SELECT count(*) FROM temp.pruned WHERE pruned.persona = listed.persona AND why IS NULL) AS going
       FROM temp.listed WHERE reading = $reading AND persona IN (${PERSONAS}) GROUP BY persona ORDER BY persona`,
      { run: this.#run, reading: this.#reading.listed.reading },
    );
  }

  /** Some of the ids that several registrations show: what looks like an id is none then. */
  get repeatedIds(): string[] {
    return this.#journal
      .all<{ id: string }>(
        `SELECT id FROM temp.listed WHERE reading = $reading AND id IS NOT NULL
         GROUP BY id HAVING count(*) > 1 ORDER BY id LIMIT 10`,
        { reading: this.#reading.listed.reading },
      )
      .map(({ id }) => id);
  }

  /** The registrations that have a barcode. */
  holdersOf(barcode: string): readonly Names[] {
    return this.#reading.listed.byBarcode(barcode);
  }

  kept(): KeptRegistration[] {
    return this.#tables.journal.all<KeptRegistration>(
      `SELECT coalesce(name, 'without id') AS id, why FROM temp.pruned WHERE why IS NOT NULL ORDER BY no`,
    );
  }

  /** What would be deleted, a few hundred at a time. The journal may be written meanwhile. */
  *going(): Generator<Names[]> {
    const pages = this.#tables.pages<Names & { no: number }>(
      'SELECT no, id, barcode FROM temp.pruned WHERE why IS NULL AND no > $after ORDER BY no',
      {},
      'no',
    );
    for (const page of pages) yield page.map(({ id, barcode }) => ({ id, barcode }));
  }
}
