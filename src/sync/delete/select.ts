import { GuardError } from '../../errors.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { canStandInPath } from '../../service/endpoints.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import type { Session } from '../journal/send-context.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { movingList } from '../snapshot/read-now.ts';
import { findHolders, nameOf, nameProblems, wordForBarcodes } from './names.ts';

/** What the person asked to delete: ids and barcodes, or a persona. */
export interface Wanted {
  ids: readonly string[];
  barcodes: readonly string[];
  persona: string | undefined;
  /** What rows of a file say that is both: the registration has to agree. Undefined where no file was read. */
  pairs?: readonly WantedPair[];
}

/** A row of a file that gives an id and a barcode. */
export interface WantedPair {
  place: string;
  id: string;
  barcode: string;
}

/**
 * Reads the registrations to delete from the service, so that they can be kept before they go. Throws GuardError when
 * the service does not show by what they were chosen, when a list that may lack some of them never stood still, when a
 * name means several, or when one cannot be named in a delete: nothing is deleted on a guess, or on the word of a filter.
 * `absent`: ids and barcodes that no registration has.
 */
export async function selectRegistrations(
  wanted: Wanted,
  context: Session,
): Promise<{ records: readonly RegistrationRecord[]; absent: readonly string[] }> {
  const { ids, barcodes, persona } = wanted;
  // No operation reads one registration by its id, and two may show the same.
  const wish = { barcodes, whole: ids.length > 0 || persona !== undefined };
  const filtered = await readListed(context, { ...wish, persona });
  // A filter that finds nobody proves nothing.
  const isEmpty = persona !== undefined && filtered.listed.count === 0;
  const reading = isEmpty ? await readListed(context, wish) : filtered;
  const { listed } = reading;
  const byBarcode = context.registrations.registrationId === 'barcode';
  refuseHidden(wanted, reading, byBarcode);
  const withName = (name: string): RegistrationRecord[] => {
    const found = listed.byId(name);
    return found.length > 0 || !byBarcode ? found : listed.byBarcode(name);
  };
  const found = [
    ...ids.map((name) => ({ name, records: withName(name) })),
    ...barcodes.map((name) => ({ name, records: listed.byBarcode(name) })),
  ];
  const absent = found.flatMap(({ name, records }) => (records.length === 0 ? name : []));
  if (reading.moved && (persona !== undefined || ids.some((id) => absent.includes(id))))
    throw movingList('Nothing was deleted', ', so it may lack some of those to delete');
  const all =
    persona === undefined
      ? found.flatMap(({ records }) => records)
      : [...listed.all()].filter((record) => record.persona === persona);
  // The first of each name.
  const records = [...new Map(all.toReversed().map((record) => [nameOf(record), record])).values()].reverse();
  const problems = await findProblems(wanted, { reading, records }, context);
  if (problems.length > 0) throw refusal(problems, records);
  return { records, absent };
}

/** Throws GuardError where the service does not show by what they were chosen. */
function refuseHidden({ ids, barcodes, persona }: Wanted, reading: ListReading, byBarcode: boolean): void {
  const all = [...reading.listed.all()];
  if (barcodes.length > 0 && !reading.barcodesShown)
    throw hidden(
      'The service does not show the barcodes of its registrations, so none can be chosen by barcode. Nothing was deleted.',
      'Delete by id or by persona.',
    );
  if (persona !== undefined && all.some((record) => record.persona === undefined))
    throw hidden(
      'The service does not show the persona of its registrations, so the filter cannot be checked.',
      'Delete by id or by barcode.',
    );
  const isNameless = ({ id, barcode }: RegistrationRecord): boolean =>
    id === undefined && !(byBarcode && barcode !== undefined);
  if (ids.length > 0 && all.length > 0 && all.every(isNameless))
    throw hidden(
      'The service does not show the ids of its registrations, so none can be chosen by id.',
      'Name them with --barcode, or in a file with a column barcode.',
    );
}

/** Everything that stands against naming each of the chosen by a name that is its alone, as sentences. */
async function findProblems(
  { ids, barcodes, pairs = [] }: Wanted,
  { reading: { how, listed }, records }: { reading: ListReading; records: readonly RegistrationRecord[] },
  context: Session,
): Promise<string[]> {
  // What looks like an id may be that of something else, which many have.
  const some = how === 'list' ? [] : await sample(records, context);
  const isKnown = (name: string): boolean => how === 'list' || listed.hasBarcode(name);
  const known = await findHolders(context, records, isKnown);
  const holdersOf = (barcode: string): readonly RegistrationRecord[] =>
    known.get(barcode) ?? listed.byBarcode(barcode);
  return [
    ...ids
      .filter((id) => !canStandInPath(id))
      .map((id) => `The id ${JSON.stringify(id)} cannot be part of an address.`),
    ...contradictions(pairs, records),
    ...nameProblems(wordForBarcodes(context), records, holdersOf).map(
      (clause) => `${clause.replace(/^r/, 'R')}.`,
    ),
    ...new Set(records.flatMap((record) => sharedId(record, listed.byId(record.id ?? ''), some))),
    ...barcodes.flatMap((barcode) => sharedBarcode(barcode, listed.byBarcode(barcode))),
  ];
}

async function sample(
  records: readonly RegistrationRecord[],
  { registrations }: Session,
): Promise<readonly RegistrationRecord[]> {
  if (records.every(({ id }) => id === undefined)) return [];
  return (await registrations.page({}, 1, PER_PAGE_MAX)).records.map(({ raw: _raw, ...record }) => record);
}

/** Where others show the id of one; `some`: whom a look into the list has shown beside. */
function sharedId(
  { id, barcode }: RegistrationRecord,
  alike: readonly RegistrationRecord[],
  some: readonly RegistrationRecord[],
): string[] {
  const other = [...alike, ...some.filter((one) => one.id === id)].find((one) => one.barcode !== barcode);
  if (id === undefined || (other === undefined && alike.length < 2)) return [];
  const both = [barcode, other?.barcode].map((one) => one ?? 'not shown').join(' and ');
  return [
    `The id ${id} is that of several registrations${other === undefined ? '' : ` (barcodes ${both})`}.`,
  ];
}

function sharedBarcode(barcode: string, records: readonly RegistrationRecord[]): string[] {
  if (records.length < 2) return [];
  const ids = records.map(({ id }) => id ?? 'without id').join(', ');
  return [`The barcode ${barcode} is that of ${records.length} registrations: ${ids}.`];
}

/** Rows of a file whose id is that of a registration with another barcode than theirs. */
function contradictions(pairs: readonly WantedPair[], records: readonly RegistrationRecord[]): string[] {
  const barcodes = new Map(records.map(({ id, barcode }) => [id, barcode]));
  return pairs.flatMap(({ place, id, barcode }) => {
    const listed = barcodes.get(id);
    if (listed === undefined || listed === barcode) return [];
    return [`${place}: registration ${id} has the barcode ${listed}, not ${barcode} as the row says.`];
  });
}

/** Problems that are told one by one. */
const TOLD = 50;

function refusal(problems: readonly string[], records: readonly RegistrationRecord[]): GuardError {
  return new GuardError(
    'unclear',
    'Nothing was deleted, because not every registration can be named without doubt.',
    {
      details:
        problems.length > TOLD ? [...problems.slice(0, TOLD), `… (${problems.length} in all)`] : problems,
      hint: records.some(({ id }) => id === undefined)
        ? 'If the service deletes by barcode, say so in the profile: "registrationId": "barcode".'
        : 'Delete by an id that is that of one registration alone.',
    },
  );
}

const hidden = (message: string, hint: string): GuardError => new GuardError('unclear', message, { hint });
