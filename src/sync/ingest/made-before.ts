import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Reason } from '../../registration/model/row.ts';
import { isMade, makeBarcode } from '../../registration/reading/made-barcode.ts';
import { type ByBarcode, isSendable, type ReadTogether, reject } from './input-row.ts';

/** A person of an earlier push who was given a barcode that this tool made, as they were sent last. */
export interface GivenBarcode {
  barcode: string;
  line: number;
  registration: Registration;
  /** A push of the same files gave it. */
  ofTheseFiles: boolean;
  /** This machine has deleted them since. */
  isDeleted: boolean;
}

/**
 * Who has a barcode that is made from an e-mail or a name which they have no more: by the barcode that would be made for
 * them now, the one that they have.
 */
export function keptBarcodes(given: readonly GivenBarcode[], { personas }: EventInfo): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { barcode, registration } of given) {
    const fields = personas.find(({ slug }) => slug === registration.persona)?.fields ?? [];
    const made = makeBarcode(new Map(Object.entries(registration.fields)), fields);
    if (made !== undefined && made.barcode !== barcode) kept.set(made.barcode, barcode);
  }
  return kept;
}

/** More than these are no correction of a file, but another file. */
const MOST = 1000;

/** Whom a row may be. */
interface Person {
  name: string | undefined;
  email: string | undefined;
}
type Gone = GivenBarcode & Person;

const personOf = (registration: Registration, fields: FieldsOf): Person => ({
  name: nameOf(registration, fields),
  email: emailOf(registration, fields),
});

/**
 * Refuses rows that may be people who were given a barcode in an earlier push of the same files: with a mended e-mail
 * or name they would get another one, and be registered twice. Returns, by the barcode that they would get, the one that
 * they were given, where it can be one person only.
 */
export function rejectMadeTwice(
  { rows, payloads, byBarcode }: ReadTogether & { byBarcode: ByBarcode },
  given: readonly GivenBarcode[],
  { event, column }: { event: EventInfo; column: string },
): ReadonlyMap<string, string> {
  const fields = fieldsOf(event);
  const own = given.filter(({ ofTheseFiles }) => ofTheseFiles);
  const gone = own
    .filter(({ barcode, isDeleted }) => !isDeleted && !byBarcode.has(barcode))
    .slice(0, MOST)
    .map((one): Gone => ({ ...one, ...personOf(one.registration, fields) }));
  const same = new Map<string, string>();
  if (gone.length === 0) return same;
  const known = new Set(own.map(({ barcode }) => barcode));
  const suspects = rows.flatMap((row) => {
    const { barcode, part } = row;
    if (part > 0 || !isSendable(row)) return [];
    if (barcode !== undefined && (!isMade(barcode) || known.has(barcode))) return [];
    const registration = payloads.registrationOf(row);
    if (registration === undefined) return [];
    const candidates = candidatesFor(barcode, personOf(registration, fields), gone);
    return candidates.length === 0 ? [] : [{ row, candidates }];
  });
  for (const { row, candidates } of suspects) {
    const [only, another] = candidates;
    const rivals = suspects.filter((one) => one.candidates.some((candidate) => candidate === only));
    const before = another === undefined && rivals.length === 1 ? only?.barcode : undefined;
    if (before !== undefined && row.barcode !== undefined) same.set(row.barcode, before);
    reject(row, { ...toReason(candidates), fills: { column, value: before ?? '' } });
  }
  return same;
}

/** Those with its name; without any, those of whom nothing tells it apart. */
function candidatesFor(
  barcode: string | undefined,
  { name, email }: Person,
  gone: readonly Gone[],
): readonly Gone[] {
  // Whoever has no barcode is found by the e-mail anyway.
  if (barcode === undefined && email !== undefined) return [];
  const named = gone.filter((one) => name !== undefined && name === one.name);
  if (named.length > 0 || barcode === undefined || email !== undefined) return named;
  // Where neither has an e-mail, a name alone tells nobody apart from a mended one.
  return gone.filter((one) => one.email === undefined);
}

/** Candidates that a reason names. */
const MOST_NAMED = 3;

function toReason(candidates: readonly Gone[]): Reason {
  const [first, another] = candidates;
  const named = candidates.slice(0, MOST_NAMED).map(({ barcode, line }) => `${barcode} (line ${line})`);
  const more = candidates.length > MOST_NAMED ? ', …' : '';
  const one = `may be the person of line ${first?.line} of an earlier push, who was given the barcode ${first?.barcode}`;
  const several = `may be one of ${candidates.length} people of an earlier push, who were given barcodes: ${named.join(', ')}${more}`;
  const that = another === undefined ? 'that barcode' : 'the right barcode';
  return {
    code: 'person-of-before',
    problem: another === undefined ? one : several,
    remedy: `write ${that} into the row, in a column called barcode, if it is, or another one if it is somebody else`,
    personal: false,
  };
}
