import { conflict, type PlanDecision } from '../../sync/decide/plan-decision.ts';
import { among, THERE } from '../../registration/model/row-states.ts';
import { imageOf, type RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { place, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import { RUN_ITSELF } from '../../sync/journal/steps.ts';
import { emailOf, nameOf } from '../../sync/decide/near.ts';
import {
  GONE_COLUMNS,
  type GoneContext,
  type GoneRow,
  lastPush,
  ownValues,
  PUSHES,
  toGoneRow,
  unanswered,
} from './gone-rows.ts';
import { personOf } from './neighbours.ts';
import type { People } from './people.ts';

/** More than these are no correction of a file, but another file. */
const MOST = 1000;

const leftOutIn = (run: string): string =>
  `note.run = ${run} AND note.seq = ${RUN_ITSELF} AND note.what = 'left out'`;
/** Rows of the run that others are left out beside now. */
const KEPT_NOW = `SELECT beside.value ->> 'kept' AS seq FROM step AS note CROSS JOIN json_each(note.detail) AS beside
  WHERE ${leftOutIn('$run')}`;

/** As it was sent in a push with others left out beside it, and not so now. */
const KEPT = rowCodec({
  ...GONE_COLUMNS,
  leftOut: value<string>(`group_concat(beside.value ->> 'place', ', ')`),
});
const FROM_KEPT = `FROM run AS past CROSS JOIN main.step AS note ON ${leftOutIn('past.id')}
    CROSS JOIN json_each(note.detail) AS beside
    CROSS JOIN main.row AS gone ON gone.run = past.id AND gone.seq = beside.value ->> 'kept'
  WHERE ${PUSHES} AND gone.op = 'send' AND gone.state ${among(THERE)}
    AND NOT EXISTS (SELECT 1 FROM row AS mine
      WHERE mine.row_key = gone.row_key AND mine.run = $run AND mine.seq IN (${KEPT_NOW}))
  GROUP BY gone.run, gone.seq ORDER BY past.rowid DESC, gone.seq LIMIT ${MOST}`;
const ROW = rowCodec({ seq: value<number>('row.seq'), registration: said(), place: place() });
type Row = RowOf<typeof ROW>;

const NEW = `FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND barcode IS NULL AND seq > $after
  ORDER BY seq`;

/** A person of whom one row was sent and others left out, and the one row that has the same e-mail and name now. */
interface Person {
  gone: GoneRow & { runNo: number };
  leftOut: string;
  owner: Row;
}

/**
 * Rows without a barcode that were one person in an earlier push of the files, so that one of them was left out, and
 * have two e-mails since one was mended: the row with the old e-mail would take the registration over, and the other
 * one register the person again. Returns by their numbers why they are not sent.
 */
export function readPartedTwins(context: GoneContext, people: People): ReadonlyMap<number, string> {
  const persons = readPersons(context, people);
  const pairs = persons.size === 0 ? [] : readPairs(context, persons, people);
  const found = pairs.map(({ person }) => person.gone).sort((one, other) => other.runNo - one.runNo);
  const open = new Set(unanswered(context, found, people.canTell));
  return new Map(
    pairs.flatMap(({ person, row }): [number, string][] =>
      open.has(person.gone)
        ? [
            [row.seq, describe(person, person.owner)],
            [person.owner.seq, describe(person, row)],
          ]
        : [],
    ),
  );
}

/** By name; as they were in the newest push. */
function readPersons(context: GoneContext, people: People): ReadonlyMap<string, Person> {
  const { journal, run, fields } = context;
  const persons = new Map<string, Person>();
  const last = lastPush(context);
  const keptNow = new Set(journal.all<{ seq: number }>(KEPT_NOW, { run }).map(({ seq }) => seq));
  for (const kept of journal.read(KEPT, FROM_KEPT, ownValues(context))) {
    const name = nameOf(kept.registration, fields);
    const email = emailOf(kept.registration, fields);
    if (name === undefined || persons.has(name)) continue;
    // Those that stand for somebody by that e-mail, without others of it that are left out.
    const [owner, another] = people.rows
      .withEmail(email)
      .filter((row) => row.barcode === undefined && !people.rows.isFree(row) && !keptNow.has(row.seq))
      .map(({ seq }) => personOf(context, seq))
      .filter(({ registration }) => nameOf(registration, fields) === name);
    // Several that are sent are said to be several people.
    if (owner === undefined || another !== undefined) continue;
    const gone = { ...toGoneRow(kept, { fields, last, record: undefined }), runNo: kept.runNo };
    persons.set(name, { gone, leftOut: kept.leftOut, owner });
  }
  return persons;
}

/** New rows with the name of one of them, and another e-mail. */
function readPairs(
  { journal, run, fields }: GoneContext,
  persons: ReadonlyMap<string, Person>,
  people: People,
): { person: Person; row: Row }[] {
  const pairs: { person: Person; row: Row }[] = [];
  for (const row of journal.readAll(ROW, NEW, { run }, 'seq')) {
    if (!people.rows.isFree(row)) continue;
    const person = persons.get(nameOf(row.registration, fields) ?? '');
    if (person === undefined || emailOf(row.registration, fields) === person.gone.email) continue;
    pairs.push({ person, row });
  }
  return pairs;
}

function describe({ gone: { place: was }, leftOut }: Person, other: Row): string {
  return `this row and ${formatPlace(other.place)} may be one person with two e-mails: ${was.what} ${was.of} was sent and ${leftOut} left out, as the same person; ${REMEDY}`;
}

const REMEDY =
  'mend the e-mail in both rows, or take out the one that is not to be sent; --match none sends both, as two people';

/** What becomes of a row of which only people can tell why; what is in the service as it says stays so. */
export function withholdParted(
  why: string | undefined,
  decision: PlanDecision | undefined,
  own: RegistrationRecord | undefined,
): PlanDecision | undefined {
  if (why === undefined || decision === undefined) return decision;
  if (decision.action === 'unchanged' || decision.action === 'kept') return decision;
  return { ...conflict(why, own), asked: own === undefined ? [] : [imageOf(own)] };
}
