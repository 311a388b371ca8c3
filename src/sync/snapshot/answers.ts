import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { hasKind, type KindOf } from './listed-records.ts';
import type { ListReading } from './read-listed.ts';

/*
 * What a reading says to a question: these; none, where it was seen whole; or undefined, where it cannot say.
 */

type Answer = readonly RegistrationRecord[] | undefined;

/** Those with a barcode. */
export const withBarcode = ({ listed, barcodesShown }: ListReading, barcode: string): Answer =>
  barcodesShown ? listed.byBarcode(barcode) : undefined;

/** The one with an id. What is not unique is no id, and a list that moves may lack what is there. */
export function withId({ listed, how, moved, idsShown }: ListReading, id: string): Answer {
  if (how !== 'list' || !idsShown) return undefined;
  const found = listed.byId(id);
  return found.length > 1 || (found.length === 0 && moved) ? undefined : found;
}

/** Those of a persona with an e-mail address. */
export const withEmail = (reading: ListReading, persona: string, email: string): Answer =>
  ofPerson(reading, () => reading.listed.byEmail(persona, email));

/** Those without one that have a name, as `nameKeyOf` gives it. */
export const withName = (reading: ListReading, name: string): Answer =>
  ofPerson(reading, () => reading.listed.withName(name).map(({ record }) => record));

function ofPerson({ how, moved, fieldsShown }: ListReading, find: () => RegistrationRecord[]): Answer {
  const found = how === 'list' && fieldsShown ? find() : undefined;
  return found?.length === 0 && moved ? undefined : found;
}

/** The one that an answer has named: by its id, or where the service shows none by its barcode. */
export const answeredAs = (reading: ListReading, name: string): Answer =>
  reading.idsShown ? withId(reading, name) : withBarcode(reading, name);

/** Those with a barcode; where none is known, or shown, the one with an id. */
export const named = (
  reading: ListReading,
  { barcode, id }: Pick<RegistrationRecord, 'id' | 'barcode'>,
): Answer =>
  (barcode === undefined ? undefined : withBarcode(reading, barcode)) ??
  (id === undefined ? undefined : withId(reading, id));

/** Whether everything there is was read while it stood still. */
export const isWhole = ({ how, moved }: ListReading): boolean => how === 'list' && !moved;

/** Whether a list that was read whole proves that a registration was not there: by its id, or where none are shown its barcode. */
export function isUnlisted(
  reading: ListReading,
  { id, barcode }: Pick<RegistrationRecord, 'id' | 'barcode'>,
): boolean {
  const { listed, idsShown, barcodesShown } = reading;
  if (!isWhole(reading)) return false;
  if (id !== undefined && idsShown) return listed.byId(id).length === 0;
  return barcode !== undefined && barcodesShown && !listed.hasBarcode(barcode);
}

/**
 * Whether what was read has shown a registration of a kind, or one that may be: without that it cannot say that another
 * one is not there. An empty list has shown nothing, and hides nothing either.
 */
export const hasShownLike = (
  { kinds }: Pick<ListReading, 'kinds'>,
  { persona, parentBarcode }: KindOf,
): boolean => kinds.size === 0 || hasKind(kinds, parentBarcode !== undefined, (one) => one === persona);

/** Whether one that it does not show was not there: what was looked up by barcode is told by how many there are. */
export const tellsAbsent = (reading: ListReading, one: KindOf): boolean =>
  reading.how === 'list'
    ? isWhole(reading) && hasShownLike(reading, one)
    : reading.barcodesShown && reading.total !== undefined;

/**
 * Whether any record of a persona, or of none that is shown, is listed with a field, be it blank: what was sent there and
 * is not there is no field that is never shown. They are read through once, when first asked.
 */
export function listedFields(
  records: () => Iterable<RecordImage>,
): (persona: string, slug: string) => boolean {
  let seen: Map<string, Set<string>> | undefined;
  return (persona, slug) => {
    seen ??= slugsOf(records());
    return [persona, ''].some((owner) => seen?.get(owner)?.has(slug) === true);
  };
}

function slugsOf(records: Iterable<RecordImage>): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const { persona = '', fields = {} } of records) {
    const slugs = seen.get(persona) ?? new Set();
    seen.set(persona, slugs);
    for (const slug of Object.keys(fields)) slugs.add(slug);
  }
  return seen;
}
