import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { firstOf, Lookup } from '../../registration/model/maps.ts';
import { wasSeen } from '../decide/base.ts';
import { hasName, isAlike, isNamedOtherwise } from '../decide/judge-person.ts';
import type { Listed, ListedRecords } from '../snapshot/listed-records.ts';
import type { Memory, Shown } from './memory.ts';
import type { PersonRow as Row, Rows } from './rows.ts';

export interface ClaimFacts {
  rows: Rows;
  listed: ListedRecords;
  memory: Memory;
  fields: FieldsOf;
  shown: Shown;
}

/** More of one e-mail are no family, and so many of one name are looked at for one that is just as a row says. */
const LARGEST_FAMILY = 200;
const NAMESAKES = 20;

/** Those in doubt first, then those that were sent before: a new row takes what they leave. */
const inTurn = ({ memory }: ClaimFacts, rows: readonly Row[]): readonly Row[] => {
  const turnOf = (row: Row): number => (row.inDoubt ? 0 : memory.ofRow(row) !== undefined ? 1 : 2);
  const turns = new Map(rows.map((row) => [row, turnOf(row)]));
  return rows.toSorted(
    (one, other) => (turns.get(one) ?? 0) - (turns.get(other) ?? 0) || one.seq - other.seq,
  );
};

/** Barcodes claim first. */
export const claimByBarcode = (facts: ClaimFacts): void => claimWith(facts, ({ barcode }) => barcode);

/** Each row stands for what has the barcode that it goes by. */
function claimWith({ rows, listed }: ClaimFacts, barcodeOf: (row: Row) => string | undefined): void {
  for (const row of rows.all) {
    const barcode = barcodeOf(row);
    for (const one of barcode === undefined ? [] : listed.withBarcode(barcode)) rows.claim(row, one);
  }
}

/**
 * Then rows what they stood for when they were last sent or seen. An id says nothing alone: it may be new, or another's
 * by now; something of the person has to be there. Returns rows whose registration shows another person.
 */
export function claimOwn(facts: ClaimFacts): Map<Row, Listed> {
  const { rows, fields } = facts;
  const rest: { row: Row; own: Listed }[] = [];
  const others = new Map<Row, Listed>();
  for (const row of rows.all.filter(rows.isOpen)) {
    const own = ownOf(facts, row);
    if (own === undefined) continue;
    const { registration } = row;
    const { record } = own.listed;
    if (own.isUnseen && isNamedOtherwise(registration, record, fields)) others.set(row, own.listed);
    else if (record.fields === undefined || hasName(registration, record, fields))
      rows.claim(row, own.listed);
    else if (isAlike(registration, record, fields)) rest.push({ row, own: own.listed });
    else if (own.isTicket) others.set(row, own.listed);
  }
  // Where two rows were given one id, or people of one e-mail are in the list, it is that of the one whose name it has.
  for (const { row, own } of rest) {
    const named = rows
      .withEmail(own.email)
      .some((one) => rows.isOpen(one) && hasName(one.registration, own.record, fields));
    if (named) others.set(row, own);
    else rows.claim(row, own);
  }
  return others;
}

/** `isTicket`: by more than an id it is the registration that the row had; `isUnseen`: nobody has seen the row there. */
function ownOf(
  { memory }: ClaimFacts,
  row: Row,
): { listed: Listed; isTicket: boolean; isUnseen: boolean } | undefined {
  const base = memory.ofRow(row);
  const listed = base && memory.listedOf(base);
  return listed && base && { listed, isTicket: memory.hasBarcodeOf(listed, base), isUnseen: !wasSeen(base) };
}

/** Then rows without a barcode what they stood for, under the e-mail and name that were last said of it: staff may have mended those. */
export function claimAsSaid({ rows, memory, fields }: ClaimFacts): void {
  for (const row of rows.all) {
    if (row.barcode !== undefined || row.email === undefined || !rows.isOpen(row)) continue;
    const known = memory.of('name', row.name).filter((base) => memory.has(base, 'email', row.email));
    const [own, another] = known.flatMap((base) => memory.listedOf(base) ?? []).filter(rows.isFree);
    if (own === undefined || another !== undefined) continue;
    if (hasName(row.registration, own.record, fields)) rows.claim(row, own);
  }
}

/** Whoever stands for one of several registrations with a barcode stands for all that nobody else does: they are one ticket. */
export const claimDoubles = (facts: ClaimFacts): void =>
  claimWith(facts, (row) => facts.rows.ownedBy(row)[0]?.record.barcode);

/** Puts together who shares an e-mail and a name; without an e-mail, who is just as a row says. */
export function claimAlike(facts: ClaimFacts): void {
  const { rows, listed } = facts;
  const seekers = rows.all.filter((row) => row.barcode === undefined && rows.isOpen(row));
  const [byEmail, byName] = [new Lookup<string, Row>(), new Lookup<string, Row>()];
  for (const row of seekers) {
    byEmail.add(row.email, row);
    // An e-mail that the row does not have may be that of another person.
    if (row.email === undefined) byName.add(row.name, row);
  }
  for (const email of byEmail.keys()) {
    const there = firstOf(listed.withEmail(email), LARGEST_FAMILY + 1, rows.isFree);
    const sharing = byEmail.of(email);
    if (sharing.length <= LARGEST_FAMILY) pairUp(facts, { seekers: sharing, listed: there, hasEmail: true });
  }
  for (const name of byName.keys())
    pairUp(facts, {
      seekers: byName.of(name),
      listed: listed.withName(name).filter(({ email }) => email === undefined),
      hasEmail: false,
    });
}

/** One registration to a row, in the order of both: of equal ones it does not matter which is whose. */
function pairUp(
  facts: ClaimFacts,
  { seekers, listed, hasEmail }: { seekers: readonly Row[]; listed: readonly Listed[]; hasEmail: boolean },
): void {
  const { rows, fields } = facts;
  const most = hasEmail ? LARGEST_FAMILY : NAMESAKES;
  const rest = listed[Symbol.iterator]();
  const near: Listed[] = [];
  const fill = (): void => {
    for (let next; near.length < most && !(next = rest.next()).done; )
      if (rows.isFree(next.value)) near.push(next.value);
  };
  fill();
  if (near.length === 0) return;
  for (const row of inTurn(facts, seekers)) {
    const at = near.findIndex(
      ({ record }) => isPersonaOf(row, record) && openChanges(facts, row, record) === 0,
    );
    for (const own of at < 0 ? [] : near.splice(at, 1)) rows.claim(row, own);
    fill();
    if (near.length === 0) return;
  }
  if (!hasEmail) return;
  const certain = seekers.filter((row) => rows.isOpen(row) && !row.inDoubt);
  for (const row of certain) {
    const named = near.filter(
      (one) =>
        rows.isFree(one) && isPersonaOf(row, one.record) && hasName(row.registration, one.record, fields),
    );
    const [first] = named;
    if (first === undefined) continue;
    const rivals = certain.filter(
      (one) => rows.isOpen(one) && hasName(one.registration, first.record, fields),
    );
    // More registrations than rows of one name: nothing tells which is whose.
    if (named.length > rivals.length) continue;
    const [best = first] = named.toSorted(
      (one, other) => openChanges(facts, row, one.record) - openChanges(facts, row, other.record),
    );
    rows.claim(row, best);
  }
}

const isPersonaOf = ({ persona }: Row, { persona: listed = persona }: RegistrationRecord): boolean =>
  listed === persona;

const openChanges = ({ fields }: ClaimFacts, { registration }: Row, record: RegistrationRecord): number =>
  (changesButMessages(registration, record, fields) ?? []).length;
