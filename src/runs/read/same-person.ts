import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { plural } from '../../report/words/number.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { placeIn } from '../../sync/journal/run-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { addStep, type LeftOutBeside, RUN_ITSELF } from '../../sync/journal/steps.ts';
import { emailOf, nameOf } from '../../sync/decide/near.ts';

/** Which row is sent of those without a barcode that have one e-mail and name, such as a form that was sent again. */
export type SamePerson = 'last' | 'first' | 'all';

/** Asks a person which it is to be, and throws to send nothing. */
export type AskSamePerson = (question: { text: string; details: readonly string[] }) => Promise<SamePerson>;

/** Places that a question or a warning names. */
const NAMED = 3;

/** People without a barcode by e-mail and name, as their rows are read. */
export class PeopleRead {
  readonly #journal: Journal;
  readonly #fields: FieldsOf;
  /** Numbers of the rows of each, in their order. */
  readonly #rows = new Map<string, number[]>();

  constructor(journal: Journal, event: EventInfo) {
    this.#journal = journal;
    this.#fields = fieldsOf(event);
  }

  add(seq: number, registration: Registration): void {
    if (registration.barcode !== undefined) return;
    const email = emailOf(registration, this.#fields);
    const name = nameOf(registration, this.#fields);
    if (!email || !name) return;
    const who = JSON.stringify([registration.persona, email.toLowerCase(), name]);
    const rows = this.#rows.get(who);
    if (rows === undefined) this.#rows.set(who, [seq]);
    else rows.push(seq);
  }

  /** Leaves those of whom several rows are to be sent. Returns how many people that are, and how many rows. */
  keepRepeated(run: string): { people: number; rows: number } {
    const several = [...this.#rows].filter(([, rows]) => rows.length > 1);
    const open = this.#pending(
      run,
      several.flatMap(([, rows]) => rows),
    );
    this.#rows.clear();
    for (const [who, rows] of several) {
      this.#rows.set(
        who,
        rows.filter((seq) => open.has(seq)),
      );
    }
    const repeated = this.#repeated();
    return { people: repeated.length, rows: repeated.flat().length };
  }

  #pending(run: string, seqs: readonly number[]): Set<number> {
    const rows = this.#journal.all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND state = 'pending' AND op = 'send'
         AND seq IN (SELECT value FROM json_each($seqs))`,
      { run, seqs: JSON.stringify(seqs) },
    );
    return new Set(rows.map(({ seq }) => seq));
  }

  /** The rows of people who stand more than once. */
  #repeated(): number[][] {
    return [...this.#rows.values()].filter((rows) => rows.length > 1);
  }

  /** How many rows are equal to an earlier one and do not say by e-mail and name who they are, and where the first is. */
  equal(run: string): { rows: number; place: string } | undefined {
    const repeats = this.#journal.get<{ n?: number; first?: number }>(
      `SELECT sum(n - 1) AS n, min(second) AS first FROM (SELECT count(*) AS n, max(seq) AS second FROM row
         WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NULL
           AND seq NOT IN (SELECT value FROM json_each($known)) GROUP BY row_key HAVING count(*) > 1)`,
      { run, known: JSON.stringify([...this.#rows.values()].flat()) },
    );
    if (repeats?.n === undefined || repeats.first === undefined) return undefined;
    return { rows: repeats.n, place: placeIn({ journal: this.#journal, run }, repeats.first) };
  }

  /** Their rows but the one that is kept of each, and where that one stands; all unless there is a limit. */
  others(run: string, keep: 'first' | 'last', limit?: number): OtherRow[] {
    const context = { journal: this.#journal, run };
    return this.#repeated()
      .flatMap((rows) => {
        const keptSeq = rows.at(keep === 'first' ? 0 : -1) ?? 0;
        return rows.flatMap((seq) => (seq === keptSeq ? [] : { seq, keptSeq }));
      })
      .sort((one, other) => one.seq - other.seq)
      .slice(0, limit)
      .map((row) => ({ ...row, place: placeIn(context, row.seq), kept: placeIn(context, row.keptSeq) }));
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
