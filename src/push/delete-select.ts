import { GuardError } from '../errors.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import { BarcodesHiddenError, type RegistrationsClient } from '../service/registrations.ts';
import { addDeletion } from './delete-rows.ts';
import type { Journal } from './journal.ts';

/** What the person asked to delete: ids and barcodes, or a persona. */
export interface Wanted {
  ids: readonly string[];
  barcodes: readonly string[];
  persona: string | undefined;
}

export interface Selection {
  /** Ids and barcodes that no registration has. */
  absent: readonly string[];
  /** The list never stood still while it was read: registrations may be missing. */
  moved: boolean;
}

export interface SelectContext {
  journal: Journal;
  run: string;
  registrations: RegistrationsClient;
}

/**
 * Reads the registrations to delete from the service into the run, so that they can be kept before they go.
 * Throws GuardError when the service does not show by what they were chosen, or no ids: nothing is deleted
 * on the word of a filter.
 */
export async function selectRegistrations(wanted: Wanted, context: SelectContext): Promise<Selection> {
  const list = new DeleteList(context);
  if (wanted.persona !== undefined) {
    const { moved } = await addPersona(wanted.persona, context, list);
    return { absent: [], moved };
  }
  const { absent, moved } = await addIds(wanted.ids, context, list);
  const unknown = await addBarcodes(wanted.barcodes, context, list);
  return { absent: [...absent, ...unknown], moved };
}

/** The list of a run: each registration comes on it once. */
class DeleteList {
  readonly #context: SelectContext;
  readonly #ids = new Set<string>();

  constructor(context: SelectContext) {
    this.#context = context;
  }

  add(records: readonly RegistrationRecord[]): void {
    const { journal, run } = this.#context;
    journal.transaction(() => {
      for (const record of records) {
        const { id } = record;
        if (id === undefined) throw idsHidden();
        if (this.#ids.has(id)) continue;
        addDeletion(journal, run, this.#ids.size, { ...record, id });
        this.#ids.add(id);
      }
    });
  }

  clear(): void {
    const { journal, run } = this.#context;
    journal.run('DELETE FROM row WHERE run = $run', { $run: run });
    this.#ids.clear();
  }
}

/** No operation reads one registration by its id, so the list is read until all are found. */
async function addIds(
  ids: readonly string[],
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<Selection> {
  const missing = new Set(ids);
  const take = (records: readonly RegistrationRecord[]): void => {
    const hits = records.filter(({ id }) => id !== undefined && missing.has(id));
    list.add(hits);
    for (const { id = '' } of hits) missing.delete(id);
  };
  if (missing.size === 0) return { absent: [], moved: false };
  let listed = 0;
  let withId = 0;
  for await (const { records } of registrations.pages({})) {
    listed += records.length;
    withId += records.filter(({ id }) => id !== undefined).length;
    take(records);
    if (missing.size === 0) break;
  }
  if (listed > 0 && withId === 0) throw idsHidden();
  if (missing.size === 0 || listed === 0) return { absent: [...missing], moved: false };
  // Others that came or went meanwhile may have pushed one from page to page past us.
  const { moved } = await registrations.readAll({}, ({ records }) => take(records));
  return { absent: [...missing], moved: moved && missing.size > 0 };
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
    throw new GuardError(`${error.message} Nothing was deleted.`, { hint: 'Delete by id or by persona.' });
  });
  for (const [barcode, records] of found) {
    if (records.some((record) => record.barcode !== barcode)) {
      throw new GuardError(
        'A registration that was found by its barcode does not show it, so the filter cannot be checked.',
        { hint: 'Delete by id.' },
      );
    }
    list.add(records);
  }
  return barcodes.filter((barcode) => (found.get(barcode) ?? []).length === 0);
}

/** Every registration has to show that it is of this persona. */
async function addPersona(
  persona: string,
  { registrations }: SelectContext,
  list: DeleteList,
): Promise<{ moved: boolean }> {
  return await registrations.readAll({ persona }, ({ records, restart, unverified }) => {
    if (unverified > 0) {
      throw new GuardError(
        'The service does not show the persona of its registrations, so the filter cannot be checked.',
        { hint: 'Delete by id or by barcode.' },
      );
    }
    if (restart) list.clear();
    list.add(records);
  });
}

function idsHidden(): GuardError {
  return new GuardError(
    'The service does not show the ids of its registrations, so none can be deleted here.',
    {
      hint: 'Delete them in the event platform itself.',
    },
  );
}
