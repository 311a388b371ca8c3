import type { RegistrationsClient } from '../../service/registrations.ts';
import { canStandInPath } from '../../service/endpoints.ts';
import type { ListedRecords } from '../../sync/snapshot/listed-records.ts';
import { readLearned } from '../../sync/journal/learned.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** What a registration may be named by. */
export interface Names {
  id?: string | undefined;
  barcode?: string | undefined;
}

/** What a delete names a registration by: what the profile says, else its id, else its barcode. */
export function nameInPath(
  { registrationId }: Pick<RegistrationsClient, 'registrationId'>,
  { id, barcode }: Names,
): string | undefined {
  return registrationId === 'barcode' ? barcode : (id ?? barcode);
}

/** On whose word a barcode may stand where the interface wants an id. `untried`: nobody's yet, a trial may prove it. */
type BarcodeWord = 'profile' | 'learnt' | 'untried';

export type NameContext = Pick<SendContext, 'journal' | 'target' | 'clock' | 'registrations'>;

export function wordForBarcodes({ journal, target, clock, registrations }: NameContext): BarcodeWord {
  if (registrations.registrationId === 'barcode') return 'profile';
  const learnt = readLearned(journal, target.service, 'deletesBy', clock.now());
  return learnt === undefined ? 'untried' : 'learnt';
}

const UUID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;

/** All digits, or a UUID: where ids are hidden, it may be the id of somebody else. */
const looksLikeId = (barcode: string): boolean => /^\p{Nd}+$/u.test(barcode) || UUID.test(barcode);

/** Why a registration cannot be named in a delete, as a clause; undefined when it can. */
export function nameProblem(
  registrations: Pick<RegistrationsClient, 'registrationId'>,
  word: BarcodeWord,
  names: Names,
): string | undefined {
  const name = nameInPath(registrations, names);
  if (name === undefined) {
    return word === 'profile' ? 'it shows no barcode' : 'it shows neither id nor barcode';
  }
  if (!canStandInPath(name)) return `${JSON.stringify(name)} cannot be part of an address`;
  if (names.id === undefined && word !== 'profile' && looksLikeId(name)) {
    return 'it shows no id, and its barcode may be the id of another';
  }
  return undefined;
}

/** Why a delete by id may mean another registration, as a clause: some services look for what is named in ids and barcodes. */
export function namesakeProblem(
  { registrationId }: Pick<RegistrationsClient, 'registrationId'>,
  { id }: Names,
  byBarcode: (barcode: string) => readonly Names[],
): string | undefined {
  if (registrationId === 'barcode' || id === undefined) return undefined;
  const isShared = byBarcode(id).some((other) => other.id !== id);
  return isShared ? 'its id is the barcode of another, which may be deleted instead' : undefined;
}

/**
 * The ids of which it has to be asked whether others have them as barcodes: nobody's barcode is a UUID that is
 * somebody's id.
 */
export function mayBeBarcodes(names: Iterable<Names>): string[] {
  const ids = new Set<string>();
  for (const { id } of names) if (id !== undefined && !UUID.test(id)) ids.add(id);
  return [...ids];
}

/** The listed registrations that a deletion means: by id, or by barcode where it shows none. */
export function listedAs(listed: ListedRecords, { id, barcode }: Names): RegistrationRecord[] {
  if (id !== undefined) return listed.byId(id);
  return barcode === undefined ? [] : listed.byBarcode(barcode);
}

/** Registrations that are named when there is something against them. */
const NAMED = 10;

/** What stands against naming registrations, told once for all alike: `registration A, B: it shows no barcode`. */
export class NameProblems {
  readonly #names = new Map<string, Set<string>>();

  add({ id, barcode }: Names, problem: string | undefined): void {
    if (problem === undefined) return;
    const alike = this.#names.get(problem) ?? new Set();
    this.#names.set(problem, alike.add(id ?? barcode ?? 'without id'));
  }

  /** As clauses. */
  get clauses(): string[] {
    return [...this.#names].map(([problem, names]) => {
      const named = [...names].slice(0, NAMED).join(', ');
      return `registration ${named}${names.size > NAMED ? ', …' : ''}: ${problem}`;
    });
  }
}
