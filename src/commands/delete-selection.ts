import { GuardError } from '../errors.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import type { RegistrationsClient } from '../service/registrations.ts';

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
