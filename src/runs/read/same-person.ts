import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import type { SendContext } from '../journal/send-context.ts';
import { addStep, type LeftOutBeside, RUN_ITSELF } from '../journal/steps.ts';
import { emailOf, nameOf } from '../judge/near.ts';

/** Which row is sent of those without a barcode that have one e-mail and name, such as a form that was sent again. */
export type SamePerson = 'last' | 'first' | 'all';

/** Asks a person which it is to be, and throws to send nothing. */
export type AskSamePerson = (question: { text: string; details: readonly string[] }) => Promise<SamePerson>;

/** Who was read so far is kept in a table: a file may be of any size. */
const TABLES = [
  'CREATE TEMP TABLE IF NOT EXISTS person_read (seq INTEGER PRIMARY KEY, who TEXT NOT NULL)',
  'DELETE FROM temp.person_read',
];

/** People who stand more than once, and the rows that are theirs. */
const REPEATED = `(SELECT who, min(seq) AS first, max(seq) AS last, count(*) AS n FROM temp.person_read
  GROUP BY who HAVING count(*) > 1)`;
/** Places that a question or a warning names. */
const NAMED = 3;

/** People without a barcode by e-mail and name, as their rows are read. */
export class PeopleRead {
  readonly #tables: HeldTables;
  readonly #fields: FieldsOf;

  constructor(journal: Journal, event: EventInfo) {
    this.#tables = new HeldTables(journal, 'people who were read', TABLES);
    this.#fields = fieldsOf(event);
  }

  add(seq: number, registration: Registration): void {
    if (registration.barcode !== undefined) return;
    const email = emailOf(registration, this.#fields);
    const name = nameOf(registration, this.#fields);
    if (!email || !name) return;
    const who = JSON.stringify([registration.persona, email.toLowerCase(), name]);
    this.#tables.journal.run('INSERT INTO temp.person_read VALUES (?, ?)', [seq, who]);
  }

  /** Leaves those of whom several rows are to be sent. Returns how many people that are, and how many rows. */
  keepRepeated(run: string): { people: number; rows: number } {
    this.#tables.journal.run(
      'DELETE FROM temp.person_read WHERE who IN (SELECT who FROM temp.person_read GROUP BY who HAVING count(*) = 1)',
    );
    this.#tables.journal.run(
      `DELETE FROM temp.person_read WHERE NOT EXISTS (SELECT 1 FROM row
         WHERE row.run = $run AND row.seq = person_read.seq AND row.state = 'pending' AND row.op = 'send')`,
      { run },
    );
    const [count] = this.#tables.journal.all<{ people: number; rows?: number }>(
      `SELECT count(*) AS people, sum(n) AS rows FROM ${REPEATED}`,
    );
    return { people: count?.people ?? 0, rows: count?.rows ?? 0 };
  }

  /** How many rows are equal to an earlier one and do not say by e-mail and name who they are, and where the first is. */
  equal(run: string): { rows: number; place: string } | undefined {
    const repeats = this.#tables.journal.get<{ n?: number; first?: number }>(
      `SELECT sum(n - 1) AS n, min(second) AS first FROM (SELECT count(*) AS n, max(seq) AS second FROM row
         WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NULL
           AND seq NOT IN (SELECT seq FROM temp.person_read) GROUP BY row_key HAVING count(*) > 1)`,
      { run },
    );
    if (repeats?.n === undefined) return undefined;
    const place = this.#tables.journal.get<Place>(
      'SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq',
      { run, seq: repeats.first },
    );
    return place && { rows: repeats.n, place: formatPlace(place) };
  }

  /** Their rows but the one that is kept of each, and where that one stands; all unless there is a limit. */
  others(run: string, keep: 'first' | 'last', limit = -1): OtherRow[] {
    const rows = this.#tables.journal.all<
      Place & { seq: number; keptSeq: number; keptFile: string; keptSheet?: string; keptLine: number }
    >(
      `SELECT row.seq, row.file, row.sheet, row.line, kept.seq AS keptSeq,
         kept.file AS keptFile, kept.sheet AS keptSheet, kept.line AS keptLine
       FROM temp.person_read AS person JOIN ${REPEATED} AS repeated USING (who)
         JOIN row ON row.run = $run AND row.seq = person.seq
         JOIN row AS kept ON kept.run = $run AND kept.seq = repeated.${keep}
       WHERE person.seq <> repeated.${keep} ORDER BY row.seq LIMIT $limit`,
      { run, limit },
    );
    return rows.map(({ seq, keptSeq, keptFile, keptSheet, keptLine, ...place }) => ({
      seq,
      keptSeq,
      place: formatPlace(place),
      kept: formatPlace({ file: keptFile, sheet: keptSheet, line: keptLine }),
    }));
  }
}

interface OtherRow {
  seq: number;
  keptSeq: number;
  place: string;
  kept: string;
}

/** A row that is not sent because another one of the same person is, by their places. */
export type LeftOut = Omit<OtherRow, 'seq' | 'keptSeq'>;

type Context = Pick<SendContext, 'journal' | 'reporter' | 'clock'>;

/**
 * Leaves out the rows of people who stand more than once, but the one that is wanted; asks which where nobody has said
 * it, and warns where nobody can be asked: only people know whether it is one person. Returns what is left out.
 */
export async function settleSamePerson(
  run: string,
  people: PeopleRead,
  { samePerson, ask }: { samePerson: SamePerson | undefined; ask: AskSamePerson | undefined },
  context: Context,
): Promise<readonly LeftOut[]> {
  const counts = people.keepRepeated(run);
  warnOfEqual(people.equal(run), context);
  if (counts.people === 0) return [];
  const wanted = samePerson ?? (await ask?.(questionOf(run, people, counts)));
  if (wanted === undefined) {
    const { text, details } = questionOf(run, people, counts);
    const remedy =
      '--set same-person=last sends the later row of each, first the earlier one, and all says that it is meant';
    const where = details.join('; ');
    context.reporter.report({
      type: 'warning',
      text: `${text} Each of their rows becomes a registration of its own (${where}); ${remedy}.`,
    });
  }
  if (wanted === undefined || wanted === 'all') return [];
  const others = people.others(run, wanted);
  leaveOut(run, others, context);
  const leftOut = others.map(({ place, kept }) => ({ place, kept }));
  tellLeftOut(leftOut, wanted, context);
  return leftOut;
}

/** That they were left out is kept: with a mended e-mail in one of two such rows they are one person all the same. */
function leaveOut(run: string, others: readonly OtherRow[], { journal, clock }: Context): void {
  const beside: LeftOutBeside = others.map(({ keptSeq, place }) => ({ kept: keptSeq, place }));
  journal.transaction(() => {
    journal.run('DELETE FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($others))', {
      run,
      others: JSON.stringify(others.map(({ seq }) => seq)),
    });
    const detail = JSON.stringify(beside);
    addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'left out', detail });
  });
}

function questionOf(
  run: string,
  people: PeopleRead,
  counts: { people: number; rows: number },
): { text: string; details: readonly string[] } {
  const often = counts.rows === counts.people * 2 ? 'twice' : 'more than once';
  const some = plural(counts.people, 'person stands', 'people stand');
  const pairs = people.others(run, 'first', NAMED).map(({ place, kept }) => `${place}, after ${kept}`);
  return {
    text: `${some} ${often} (same e-mail and name, no barcode).`,
    details: counts.rows - counts.people > NAMED ? [...pairs, '…'] : pairs,
  };
}

function tellLeftOut(leftOut: readonly LeftOut[], wanted: 'first' | 'last', { reporter }: Context): void {
  const rows = plural(leftOut.length, 'row is', 'rows are');
  const which = wanted === 'last' ? 'a later' : 'an earlier';
  const text = `${rows} left out, because ${which} row has the same e-mail and name (--set same-person=${wanted})`;
  const places = leftOut.map(({ place, kept }) => `${place} (${kept} stays)`);
  const all = `${text}: ${places.join(', ')}.`;
  const some = `${text}: ${places.slice(0, NAMED).join(', ')}, … (--verbose names all).`;
  reporter.report({ type: 'note', text: places.length > NAMED ? some : all, full: all });
}

/** They may be several people, or one of them twice. */
function warnOfEqual(equal: ReturnType<PeopleRead['equal']>, { reporter }: Context): void {
  if (equal === undefined) return;
  const rows = plural(equal.rows, 'row without a barcode is equal', 'rows without a barcode are equal');
  reporter.report({
    type: 'warning',
    text: `${rows} to an earlier row (${equal.place}): each becomes a registration of its own.`,
  });
}
