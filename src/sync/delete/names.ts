import { canStandInPath } from '../../service/endpoints.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { readLearned } from '../journal/learned.ts';
import type { Session } from '../journal/send-context.ts';
import type { ListedRecords } from '../snapshot/listed-records.ts';

/** What a registration may be named by. */
export interface Names {
  id?: string | undefined;
  barcode?: string | undefined;
}

/** What a registration is known by: its id, or its barcode where it shows none. */
export const nameOf = ({ id, barcode }: Names): string => id ?? barcode ?? 'without id';

/** On whose word a barcode may stand where the interface wants an id. `untried`: nobody's yet, a trial may prove it. */
export type BarcodeWord = 'profile' | 'learnt' | 'untried';

/** What helps where the ids that it shows mean nothing to the service. */
export const BY_BARCODE = 'If it deletes by barcode, say so in the profile: "registrationId": "barcode".';

export function wordForBarcodes(context: Session): BarcodeWord {
  if (context.registrations.registrationId === 'barcode') return 'profile';
  return readLearned(context, 'deletesBy') === undefined ? 'untried' : 'learnt';
}

/** Whether a delete names a registration by its id: unless the profile says otherwise, where it shows one. */
export const isById = (word: BarcodeWord, { id }: Names): boolean => word !== 'profile' && id !== undefined;

/** What a delete names a registration by. */
export const nameInPath = (word: BarcodeWord, names: Names): string | undefined =>
  isById(word, names) ? names.id : names.barcode;

const UUID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;

/** Why a registration cannot be named in a delete without meaning others, by id or barcode, as a clause. */
export function nameProblem(
  word: BarcodeWord,
  names: Names,
  holdersOf: (barcode: string) => readonly Names[],
): string | undefined {
  const { id } = names;
  const name = nameInPath(word, names);
  if (name === undefined)
    return word === 'profile' ? 'it shows no barcode' : 'it shows neither id nor barcode';
  if (!canStandInPath(name)) return `${JSON.stringify(name)} cannot be part of an address`;
  const isId = isById(word, names);
  if (!isId && word !== 'profile' && (/^\p{Nd}+$/u.test(name) || UUID.test(name)))
    return 'it shows no id, and its barcode may be the id of another';
  const holders = holdersOf(name);
  if (!isId) return holders.length > 1 ? 'several registrations have its barcode' : undefined;
  return holders.some((other) => other.id !== id)
    ? 'its id is the barcode of another, which may be deleted instead'
    : undefined;
}

/**
 * Who has as barcode what some are to be named by, but for what is known of; nobody's barcode is a UUID that is an id.
 * Where no barcodes are shown, nothing can be known of ids.
 */
export async function findHolders(
  context: Session,
  all: readonly Names[],
  isKnown: (name: string) => boolean,
): Promise<ReadonlyMap<string, readonly RegistrationRecord[]>> {
  const word = wordForBarcodes(context);
  const isId = (names: Names): boolean => isById(word, names);
  const wanted = all.flatMap((names) => {
    const name = nameInPath(word, names);
    return name === undefined || isKnown(name) || (isId(names) && UUID.test(name)) ? [] : [name];
  });
  if (wanted.length === 0) return new Map();
  return await context.registrations.findByBarcode([...new Set(wanted)]).catch((error: unknown) => {
    if (error instanceof BarcodesHiddenError && all.every(isId))
      return new Map<string, RegistrationRecord[]>();
    throw error;
  });
}

/** The listed registrations that a deletion means: by id, or by barcode where it shows none. */
export function listedAs(listed: ListedRecords, { id, barcode }: Names): RegistrationRecord[] {
  if (id !== undefined) return listed.byId(id);
  return barcode === undefined ? [] : listed.byBarcode(barcode);
}

/** Registrations that are named when there is something against them. */
const NAMED = 10;

/** What stands against naming registrations, as clauses, once for all alike: `registration A, B: it shows no barcode`. */
export function nameProblems(
  word: BarcodeWord,
  all: Iterable<Names>,
  holdersOf: (barcode: string) => readonly Names[],
): string[] {
  const alike = new Map<string, Set<string>>();
  for (const names of all) {
    const problem = nameProblem(word, names, holdersOf);
    if (problem !== undefined) alike.set(problem, (alike.get(problem) ?? new Set()).add(nameOf(names)));
  }
  return [...alike].map(([problem, names]) => {
    const named = [...names].slice(0, NAMED).join(', ');
    return `registration ${named}${names.size > NAMED ? ', …' : ''}: ${problem}`;
  });
}
