import { GuardError } from '../../errors.ts';
import { canStandInPath } from '../../service/endpoints.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import type { DeleteList } from './delete-list.ts';
import {
  mayBeBarcodes,
  nameProblem,
  NameProblems,
  type Names,
  namesakeProblem,
  wordForBarcodes,
} from './delete-name.ts';
import type { SelectContext, Wanted } from './delete-wish.ts';

/** Problems that are told one by one. */
const TOLD = 50;

/**
 * Sees that what was chosen can be named in a delete, each by a name that is its alone. Throws GuardError with
 * everything that stands against it.
 */
export async function checkNames(wanted: Wanted, context: SelectContext, list: DeleteList): Promise<void> {
  const { registrations } = context;
  const word = wordForBarcodes(context);
  const unnamed = new NameProblems();
  const namesakes = await findNamesakes(registrations, list.names);
  for (const names of list.names) {
    const namesake = namesakeProblem(registrations, names, (barcode) => namesakes.get(barcode) ?? []);
    unnamed.add(names, nameProblem(registrations, word, names) ?? namesake);
  }
  await lookForOthers(wanted, context, list);
  const problems = [
    ...wanted.ids
      .filter((id) => !canStandInPath(id))
      .map((id) => `The id ${JSON.stringify(id)} cannot be part of an address.`),
    ...contradictions(wanted, list),
    ...unnamed.clauses.map((clause) => `${clause.replace(/^r/, 'R')}.`),
    ...list.several,
  ];
  if (problems.length > 0) throw refusal(problems, list);
}

/** The registrations whose barcodes are ids of those that are to be deleted. */
async function findNamesakes(
  registrations: SelectContext['registrations'],
  names: readonly Names[],
): Promise<ReadonlyMap<string, readonly Names[]>> {
  const ids = registrations.registrationId === 'barcode' ? [] : mayBeBarcodes(names);
  if (ids.length === 0) return new Map();
  return await registrations.findByBarcode(ids).catch((error: unknown) => {
    // Where no barcodes are shown, nothing more can be known.
    if (error instanceof BarcodesHiddenError) return new Map();
    throw error;
  });
}

/** Rows of a file whose id is that of a registration with another barcode than theirs. */
function contradictions({ pairs = [] }: Wanted, list: DeleteList): string[] {
  const barcodes = new Map(list.names.map(({ id, barcode }) => [id, barcode]));
  return pairs.flatMap(({ place, id, barcode }) => {
    const listed = barcodes.get(id);
    if (listed === undefined || listed === barcode) return [];
    return [`${place}: registration ${id} has the barcode ${listed}, not ${barcode} as the row says.`];
  });
}

/** Looks whether a name is somebody else's, too: where a barcode is the name, at all that have it. */
async function lookForOthers(
  { ids, barcodes }: Wanted,
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<void> {
  const named = list.names.flatMap(({ id, barcode }) => {
    const isName = id === undefined || registrations.registrationId === 'barcode';
    return isName && barcode !== undefined && !barcodes.includes(barcode) ? [barcode] : [];
  });
  if (named.length > 0) {
    for (const [barcode, found] of await registrations.findByBarcode(named)) list.noteBarcode(barcode, found);
  }
  // What looks like an id may be that of something else, which many have. For ids the list was read to its end.
  if (ids.length > 0 || list.names.every(({ id }) => id === undefined)) return;
  list.compare((await registrations.page({}, 1, PER_PAGE_MAX)).records);
}

function refusal(problems: readonly string[], list: DeleteList): GuardError {
  const hidden = list.names.some(({ id }) => id === undefined);
  return new GuardError(
    'unclear',
    'Nothing was deleted, because not every registration can be named without doubt.',
    {
      details:
        problems.length > TOLD ? [...problems.slice(0, TOLD), `… (${problems.length} in all)`] : problems,
      hint: hidden
        ? 'If the service deletes by barcode, say so in the profile: "registrationId": "barcode".'
        : 'Delete by an id that is that of one registration alone.',
    },
  );
}
