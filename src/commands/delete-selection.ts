import { GuardError, InputError, UsageError } from '../errors.ts';
import { FOUND_OUT, openInput } from '../input/read-input.ts';
import { type StoredInput, storeInput } from '../input/stored-input.ts';
import { readText } from '../registration/mend-value.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import { formatPlace, type SourceRow } from '../registration/row.ts';
import type { Runtime } from '../runtime.ts';
import type { RegistrationsClient } from '../service/registrations.ts';
import { toSource } from './file-source.ts';

/** What the person asked to delete: exactly one of the ways is not empty. */
export interface Wanted {
  ids: readonly string[];
  barcodes: readonly string[];
  persona: string | undefined;
}

/** A registration that can be deleted: it has an id. */
export type Deletable = RegistrationRecord & { id: string };

export interface Selection {
  records: Deletable[];
  /** Ids and barcodes that no registration has. */
  absent: string[];
}

/** Reads the registrations to delete from the service, so that they can be kept before they go. */
export async function select(wanted: Wanted, registrations: RegistrationsClient): Promise<Selection> {
  if (wanted.persona !== undefined)
    return { records: await byPersona(wanted.persona, registrations), absent: [] };
  const byId = await findIds(wanted.ids, registrations);
  const byBarcode = await registrations.findByBarcode(wanted.barcodes);
  const found = [...byId.values(), ...[...byBarcode.values()].flat()];
  const absent = [
    ...wanted.ids.filter((id) => !byId.has(id)),
    ...[...byBarcode].filter(([, records]) => records.length === 0).map(([barcode]) => barcode),
  ];
  return { records: distinct(found.map(deletable)), absent };
}

/** No operation reads one registration by its id, so the list is read until all are found. */
async function findIds(
  ids: readonly string[],
  registrations: RegistrationsClient,
): Promise<Map<string, RegistrationRecord>> {
  const wanted = new Set(ids);
  const found = new Map<string, RegistrationRecord>();
  if (wanted.size === 0) return found;
  for await (const page of registrations.pages({})) {
    for (const record of page.records) {
      if (record.id !== undefined && wanted.has(record.id)) found.set(record.id, record);
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/** Every registration has to show that it is of this persona: nothing is deleted on the filter's word. */
async function byPersona(persona: string, registrations: RegistrationsClient): Promise<Deletable[]> {
  const records: Deletable[] = [];
  for await (const page of registrations.pages({ persona })) {
    if (page.unverified > 0) {
      throw new GuardError(
        'The service does not show the persona of its registrations, so the filter cannot be checked.',
        {
          hint: 'Delete by id or by barcode.',
        },
      );
    }
    records.push(...page.records.map(deletable));
  }
  return distinct(records);
}

function deletable(record: RegistrationRecord): Deletable {
  if (record.id !== undefined) return { ...record, id: record.id };
  throw new GuardError(
    'The service does not show the ids of its registrations, so none can be deleted here.',
    {
      hint: 'Delete them in the event platform itself.',
    },
  );
}

function distinct(records: readonly Deletable[]): Deletable[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

const ID_NAMES = ['registration_id', 'registratoin_id', 'id'];
const BARCODE_NAMES = ['barcode'];

/** Ids and barcodes from the columns `registration_id` and `barcode` of a file. */
export async function readWanted(file: string, runtime: Runtime): Promise<Wanted> {
  const stored = await storeInput(toSource(file, runtime));
  try {
    return await readIdentities(stored);
  } finally {
    await stored.close();
  }
}

async function readIdentities(stored: StoredInput): Promise<Wanted> {
  const knows = (heading: string): boolean => [...ID_NAMES, ...BARCODE_NAMES].includes(nameOf(heading));
  const input = await openInput(stored, { ...FOUND_OUT, includeHidden: true, knows });
  const ids: string[] = [];
  const barcodes: string[] = [];
  for await (const batch of input.batches()) {
    const [bad] = batch.rejects;
    if (bad !== undefined)
      throw new InputError(`${formatPlace(bad.place)}: ${bad.reasons[0]?.problem ?? 'unreadable'}.`);
    for (const row of batch.rows) {
      const id = cellOf(row, ID_NAMES);
      const barcode = cellOf(row, BARCODE_NAMES);
      if (id !== undefined) ids.push(id);
      else if (barcode !== undefined) barcodes.push(barcode);
      else throw noIdentity(row);
    }
  }
  if (ids.length + barcodes.length === 0) throw new UsageError(`${stored.file} names no registration.`);
  return { ids: [...new Set(ids)], barcodes: [...new Set(barcodes)], persona: undefined };
}

function cellOf(row: SourceRow, names: readonly string[]): string | undefined {
  const at = row.columns.findIndex((column) => names.includes(nameOf(column)));
  const column = row.columns[at];
  if (column === undefined) return undefined;
  const read = readText({ column, cell: row.cells[at], escaped: false }, 'barcode', true);
  if (!read.ok) {
    const { problem, remedy } = read.finding;
    const hint = remedy === undefined ? {} : { hint: `To mend it: ${remedy}. Nothing was deleted.` };
    throw new InputError(`${formatPlace(row.place)}: column "${column}" ${problem}.`, hint);
  }
  const text = read.value.value.trim();
  return text === '' ? undefined : text;
}

function nameOf(heading: string): string {
  return heading.trim().toLowerCase().replace(/[\s-]/g, '_');
}

function noIdentity(row: SourceRow): InputError {
  return new InputError(`${formatPlace(row.place)}: this row has neither a registration_id nor a barcode.`, {
    hint: 'Nothing was deleted.',
  });
}
