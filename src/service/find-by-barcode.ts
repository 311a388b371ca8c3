import { EventregError, EXIT } from '../errors.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import type { RegistrationList } from './list-registrations.ts';

export type FindByBarcode = (barcodes: readonly string[]) => Promise<Map<string, RegistrationRecord[]>>;

/** The service lists registrations without their barcodes, so that none can be found by its own. */
export class BarcodesHiddenError extends EventregError {
  constructor() {
    super(
      EXIT.failed,
      'The service does not show the barcodes of its registrations, so none can be looked up by barcode.',
    );
  }
}

/** Records looked at for one whose barcode proves the filter. */
const SAMPLE = 5;

/**
 * Looks barcodes up one by one as long as the answers show that the filter works; else it reads the
 * whole list. "Not there" leads to sending again, so it is believed only of a filter that has found
 * something. Exact comparison on our side, always.
 * The function throws BarcodesHiddenError when the service shows no barcodes at all.
 */
export function createBarcodeFinder(list: RegistrationList): FindByBarcode {
  let filterWorks: boolean | undefined;

  const lookUpAll = async (found: Map<string, RegistrationRecord[]>): Promise<boolean> => {
    for (const [barcode, records] of found) {
      const answer = await lookUp(list, barcode);
      if (answer === undefined) return false;
      if (answer.length > 0) filterWorks = true;
      else filterWorks ??= await findsKnown(list);
      if (!filterWorks) return false;
      records.push(...answer);
    }
    return true;
  };

  return async (barcodes) => {
    const found = emptyMap(barcodes);
    if (filterWorks !== false && (await lookUpAll(found))) return found;
    filterWorks = false;
    return await pickFromAll(list, emptyMap(barcodes));
  };
}

const emptyMap = (barcodes: readonly string[]): Map<string, RegistrationRecord[]> =>
  new Map(barcodes.map((barcode) => [barcode, []]));

/** What the filter finds; undefined when the answer shows that it was ignored, or cannot show that it was not. */
async function lookUp(list: RegistrationList, barcode: string): Promise<RegistrationRecord[] | undefined> {
  const records: RegistrationRecord[] = [];
  for await (const page of list.pages({ barcode })) {
    if (page.mismatched > 0 || page.unverified > 0) return undefined;
    records.push(...page.records);
  }
  return records;
}

/** Whether the filter finds a registration that is known to be there; true when there is none at all. */
async function findsKnown(list: RegistrationList): Promise<boolean> {
  const { records } = await list.page({}, 1, SAMPLE);
  if (records.length === 0) return true;
  const known = records.find((record) => record.barcode !== undefined)?.barcode;
  if (known === undefined) return false;
  const found = await lookUp(list, known);
  return found !== undefined && found.length > 0;
}

async function pickFromAll(
  list: RegistrationList,
  found: Map<string, RegistrationRecord[]>,
): Promise<Map<string, RegistrationRecord[]>> {
  let records = 0;
  let withBarcode = 0;
  for await (const page of list.pages({})) {
    for (const record of page.records) {
      records += 1;
      if (record.barcode === undefined) continue;
      withBarcode += 1;
      found.get(record.barcode)?.push(record);
    }
  }
  if (records > 0 && withBarcode === 0) {
    throw new BarcodesHiddenError();
  }
  return found;
}
