import { EventregError, GuardError, isCalledOff } from '../../errors.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { OPEN } from '../../registration/model/row-states.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { countIn } from '../journal/queued-rows.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { hasKind, type KindOf } from './listed-records.ts';
import { type ListReading, type ListWish, readListed } from './read-listed.ts';

/**
 * The registrations that are listed under a barcode by now; where there are none, or barcodes are not shown, those of
 * the id that it is known to have: a service may give it another barcode. Throws what reading throws.
 */
export async function readNow(
  { registrations }: Pick<SendContext, 'registrations'>,
  { barcode, id }: Pick<RegistrationRecord, 'barcode' | 'id'>,
): Promise<readonly RegistrationRecord[]> {
  let filter = {};
  try {
    const found =
      barcode === undefined ? [] : ((await registrations.findByBarcode([barcode])).get(barcode) ?? []);
    if (found.length > 0 || id === undefined) return found;
  } catch (error) {
    if (!(error instanceof BarcodesHiddenError) || id === undefined) throw error;
    filter = { barcode };
  }
  let found: RegistrationRecord[] = [];
  await registrations.readAll(filter, ({ records, restart }) => {
    if (restart) found = [];
    found.push(...records.filter((record) => record.id === id));
  });
  return found;
}

/** Looks for some registrations: in the list of all where it has no more pages than `least`, or some show no barcode. */
export function wishFor(some: readonly Pick<RecordImage, 'barcode'>[], least = 0): ListWish {
  const barcodes = some.flatMap(({ barcode }) => barcode ?? []);
  const whole = barcodes.length < some.length;
  return { barcodes, pages: Math.max(least, some.length), whole };
}

/** Reads what a wish asks for, and all of the list where barcodes are not shown to look it up by. */
export async function readShown(context: SendContext, wish: ListWish): Promise<ListReading> {
  const reading = await readListed(context, wish);
  if (reading.how === 'list' || reading.barcodesShown) return reading;
  reading.listed.clear();
  return await readListed(context, { ...wish, whole: true });
}

/** All that is listed. Throws GuardError where the list never stood still; `what`: what was done until then, `so`: what that means. */
export async function readWhole(context: Session, what: string, so = ''): Promise<ListReading> {
  const reading = await readListed(context, { whole: true });
  if (reading.moved) throw movingList(what, so);
  return reading;
}

export const movingList = (what: string, so = ''): GuardError =>
  new GuardError('moving-list', `${what}: registrations came or went each time the list was read${so}.`, {
    hint: 'Run the same command again when fewer registrations come in.',
  });

/** The whole list, where it is short for what a run deletes; undefined where it is not, or cannot be read. */
export async function readShortList(context: SendContext): Promise<ListReading | undefined> {
  const { journal, run, stopping } = context;
  const deletions = countIn(journal, run, [...OPEN, 'deleted'], 'delete');
  try {
    const reading = await readListed(context, { pages: Math.max(CHEAP_PAGES, Math.ceil(deletions / 10)) });
    return reading.how === 'list' ? reading : undefined;
  } catch (error) {
    if (!stopping.aborted && (!(error instanceof EventregError) || isCalledOff(error))) throw error;
    return undefined;
  }
}

/** A list of so many pages is worth reading for a single row that can be told only by all of it. */
export const CHEAP_PAGES = 10;

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
  ofPerson(reading, () =>
    reading.listed.withName(name).flatMap(({ email, record }) => (email === undefined ? record : [])),
  );

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
  let seen: Set<string> | undefined;
  const nameOf = (persona: string, slug: string): string => `${persona} ${slug}`;
  const readThrough = (): Set<string> => {
    const names = new Set<string>();
    for (const { persona = '', fields = {} } of records())
      for (const slug of Object.keys(fields)) names.add(nameOf(persona, slug));
    return names;
  };
  return (persona, slug) => {
    seen ??= readThrough();
    return seen.has(nameOf(persona, slug)) || seen.has(nameOf('', slug));
  };
}
