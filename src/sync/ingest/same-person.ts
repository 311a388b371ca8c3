import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { givenBarcode } from '../../registration/reading/companions.ts';
import { type Reporter, noteSome } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { groupRows, type InputRow, isSendable } from './input-row.ts';

/** Which row is sent of those without a barcode that have one e-mail and name, such as a form that was sent again. */
export type SamePerson = 'last' | 'first' | 'all';

/** Asks a person which it is to be, and throws to send nothing. */
export type AskSamePerson = (question: { text: string; details: readonly string[] }) => Promise<SamePerson>;

/** A row that is not sent because another one of the same person is. */
export interface LeftOutRow {
  row: InputRow;
  kept: InputRow;
}

/** The same by their places. */
export const placesOf = (leftOut: readonly LeftOutRow[]): { place: string; kept: string }[] =>
  leftOut.map(({ row, kept }) => ({ place: formatPlace(row.place), kept: formatPlace(kept.place) }));

/** Places that a question or a warning names. */
const NAMED = 3;

/**
 * Says which rows are to be left out of people who stand more than once; asks where nobody has said which one is sent,
 * and warns where nobody can be asked: only people know whether it is one person.
 */
export async function settleSamePerson(
  all: readonly InputRow[],
  { samePerson, ask }: { samePerson: SamePerson | undefined; ask: AskSamePerson | undefined },
  { event, reporter }: { event: EventInfo; reporter: Reporter },
): Promise<readonly LeftOutRow[]> {
  const fields = fieldsOf(event);
  const rows = all.filter((row) => givenBarcode(row) === undefined && isSendable(row));
  const people = groupRows(rows, (row) => whoIs(row, fields))
    .groups()
    .filter(({ length }) => length > 1);
  const told = new Set(people.flat().map(({ place }) => place));
  const others = rows.filter(({ barcode, place }) => barcode === undefined && !told.has(place));
  warnOfEqual(others, reporter);
  if (people.length === 0) return [];
  const question = questionOf(people);
  const wanted = samePerson ?? (await ask?.(question));
  if (wanted === undefined) warnOfPeople(question, reporter);
  if (wanted === undefined || wanted === 'all') return [];
  const leftOut = othersOf(people, wanted);
  tellLeftOut(leftOut, wanted, reporter);
  return leftOut;
}

/** Persona, e-mail and name of a row that has both. A barcode made of the name stands for an e-mail. */
function whoIs({ registration }: InputRow, fields: FieldsOf): string | undefined {
  if (registration === undefined) return undefined;
  const email = emailOf(registration, fields) ?? registration.barcode;
  const name = email && nameOf(registration, fields);
  return name && JSON.stringify([registration.persona, email.toLowerCase(), name]);
}

/** The rows of people but the one that is kept of each, in the order of the files. */
function othersOf(people: readonly (readonly InputRow[])[], keep: 'first' | 'last'): LeftOutRow[] {
  return people
    .flatMap((rows) => {
      const kept = rows.at(keep === 'first' ? 0 : -1);
      return rows.flatMap((row) => (kept === undefined || row === kept ? [] : [{ row, kept }]));
    })
    .sort((one, other) => one.row.seq - other.row.seq);
}

function questionOf(people: readonly (readonly InputRow[])[]): { text: string; details: readonly string[] } {
  const others = othersOf(people, 'first');
  const often = others.length === people.length ? 'twice' : 'more than once';
  const some = plural(people.length, 'person stands', 'people stand');
  const pairs = others
    .slice(0, NAMED)
    .map(({ row, kept }) => `${formatPlace(row.place)}, after ${formatPlace(kept.place)}`);
  return {
    text: `${some} ${often} (same e-mail and name, no barcode).`,
    details: others.length > NAMED ? [...pairs, '…'] : pairs,
  };
}

/** What a person is to say who stands more than once. */
export const SAME_PERSON = '--set same-person=last sends the later row of each, first the earlier one';

function warnOfPeople({ text, details }: ReturnType<typeof questionOf>, reporter: Reporter): void {
  const remedy = `${SAME_PERSON}, and all says that it is meant`;
  const told = `${text} Each of their rows that is sent becomes a registration of its own (${details.join('; ')}); ${remedy}.`;
  reporter.report({ type: 'warning', text: told });
}

function tellLeftOut(leftOut: readonly LeftOutRow[], wanted: 'first' | 'last', reporter: Reporter): void {
  const rows = plural(leftOut.length, 'row is', 'rows are');
  const which = wanted === 'last' ? 'a later' : 'an earlier';
  const text = `${rows} left out, because ${which} row has the same e-mail and name (--set same-person=${wanted})`;
  const places = leftOut.map(
    ({ row, kept }) => `${formatPlace(row.place)} (${formatPlace(kept.place)} stays)`,
  );
  noteSome(text, places, reporter);
}

/** Of rows that do not say by e-mail and name who they are: they may be several people, or one of them twice. */
function warnOfEqual(rows: readonly InputRow[], reporter: Reporter): void {
  const groups = groupRows(rows, ({ key }) => key)
    .groups()
    .filter(({ length }) => length > 1);
  const [first] = groups.flatMap((group) => group.slice(-1)).sort((one, other) => one.seq - other.seq);
  if (first === undefined) return;
  const equal = groups.flat().length - groups.length;
  const some = plural(equal, 'row without a barcode is equal', 'rows without a barcode are equal');
  const text = `${some} to an earlier row (${formatPlace(first.place)}): each becomes a registration of its own.`;
  reporter.report({ type: 'warning', text });
}
