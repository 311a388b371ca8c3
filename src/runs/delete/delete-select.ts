import { GuardError } from '../../errors.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { DeleteList } from './delete-list.ts';
import { checkNames } from './delete-check-names.ts';
import type { SelectContext, Wanted } from './delete-wish.ts';

export interface Selection {
  /** Ids and barcodes that no registration has. */
  absent: readonly string[];
}

/**
 * Reads the registrations to delete from the service into the run, so that they can be kept before they go.
 * Throws GuardError when the service does not show by what they were chosen, when a list that may lack some of them
 * never stood still, when a name means several, or when one cannot be named in a delete: nothing is deleted on a
 * guess, or on the word of a filter.
 */
export async function selectRegistrations(wanted: Wanted, context: SelectContext): Promise<Selection> {
  const list = new DeleteList(context);
  const selection =
    wanted.persona === undefined
      ? await addNamed(wanted, context, list)
      : await addPersona(wanted.persona, context, list);
  await checkNames(wanted, context, list);
  return selection;
}

async function addNamed(wanted: Wanted, context: SelectContext, list: DeleteList): Promise<Selection> {
  const { absent } = await addIds(wanted.ids, context, list);
  const unknown = await addBarcodes(wanted.barcodes, context, list);
  return { absent: [...absent, ...unknown] };
}

/** No operation reads one registration by its id, and two may show the same: the list is read to its end. */
async function addIds(
  ids: readonly string[],
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<Selection> {
  if (ids.length === 0) return { absent: [] };
  const wanted = new Set(ids);
  const missing = new Set(ids);
  const byBarcode = registrations.registrationId === 'barcode';
  const namesOf = ({ id, barcode }: RegistrationRecord): string[] =>
    [id, byBarcode ? barcode : undefined].flatMap((name) => name ?? []);
  let listed = 0;
  let nameless = 0;
  const { moved } = await registrations.readAll({}, ({ records, restart }) => {
    if (restart) {
      list.clear();
      for (const id of ids) missing.add(id);
      listed = 0;
      nameless = 0;
    }
    const hits = records.filter((record) => namesOf(record).some((name) => wanted.has(name)));
    list.add(hits);
    for (const name of hits.flatMap(namesOf)) missing.delete(name);
    listed += records.length;
    nameless += records.filter((record) => namesOf(record).length === 0).length;
  });
  if (listed > 0 && nameless === listed) throw idsHidden();
  if (moved && missing.size > 0) throw restless();
  return { absent: [...missing] };
}

/** Returns the barcodes that no registration has. */
async function addBarcodes(
  barcodes: readonly string[],
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<string[]> {
  if (barcodes.length === 0) return [];
  const found = await registrations.findByBarcode(barcodes).catch((error: unknown) => {
    if (!(error instanceof BarcodesHiddenError)) throw error;
    throw new GuardError('unclear', `${error.message} Nothing was deleted.`, {
      hint: 'Delete by id or by persona.',
    });
  });
  for (const [barcode, records] of found) {
    if (records.some((record) => record.barcode !== barcode)) {
      throw new GuardError(
        'unclear',
        'A registration that was found by its barcode does not show it, so the filter cannot be checked.',
        { hint: 'Delete by id.' },
      );
    }
    list.add(records);
    list.noteBarcode(barcode, records);
  }
  return barcodes.filter((barcode) => (found.get(barcode) ?? []).length === 0);
}

/** Every registration has to show that it is of this persona. */
async function addPersona(
  persona: string,
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<Selection> {
  const { moved } = await registrations.readAll({ persona }, ({ records, restart, unverified }) => {
    if (unverified > 0) {
      throw new GuardError(
        'unclear',
        'The service does not show the persona of its registrations, so the filter cannot be checked.',
        { hint: 'Delete by id or by barcode.' },
      );
    }
    if (restart) list.clear();
    list.add(records);
  });
  if (moved) throw restless();
  return { absent: [] };
}

function restless(): GuardError {
  return new GuardError(
    'moving-list',
    'Nothing was deleted: registrations came or went each time the list was read, so it may lack some of those to delete.',
    { hint: 'Run the same command again when fewer registrations come in.' },
  );
}

function idsHidden(): GuardError {
  return new GuardError(
    'unclear',
    'The service does not show the ids of its registrations, so none can be chosen by id.',
    {
      hint: 'Name them with --barcode, or in a file with a column barcode.',
    },
  );
}
