import { EventregError, EXIT } from '../../errors.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RawRecord, RecordImage } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { WholeReading } from '../../service/list/read-all-registrations.ts';
import { Sight } from '../decide/base.ts';
import { kindOf, ListedRecords, lookBehindList } from './listed-records.ts';
import type { ReadContext } from '../journal/send-context.ts';
import { lastSaidOf } from '../journal/sent-facts.ts';

/** What was read of the service. */
export interface ListReading {
  listed: ListedRecords;
  /** `list`: everything there is. `lookup`: what was asked for by barcode. */
  how: 'list' | 'lookup';
  /** How many registrations the service has, by its own count or by ours; undefined when neither is known. */
  total: number | undefined;
  /** The list never stood still while it was read, or lacks what is there: registrations may be missing in it. */
  moved: boolean;
  /** The last step of the journal before it was read. */
  step: number;
  /** Whether any of the records shows it, or there is none. */
  barcodesShown: boolean;
  fieldsShown: boolean;
  /** The fields that any of the records has, be it empty. */
  fieldsListed: ReadonlySet<string>;
  parentsShown: boolean;
  /** Whether every record shows it. */
  personasShown: boolean;
  idsShown: boolean;
  /** Of what kinds registrations were shown: see `kindOf`. */
  kinds: ReadonlySet<string>;
  sight: Sight;
}

/** What is known of a service that nothing was read of. */
export const nothingRead = (fields: FieldsOf): ListReading => ({
  listed: new ListedRecords(fields),
  sight: new Sight(() => []),
  how: 'lookup',
  total: undefined,
  moved: false,
  step: 0,
  ...new ShownParts().facts(),
  barcodesShown: false,
  fieldsShown: false,
});

export interface ListWish {
  /** The barcodes to look for. */
  barcodes?: Iterable<string>;
  /** How many pages of the list may be read rather than asking for each of them. */
  pages?: number;
  /** Read everything there is, whatever it costs. */
  whole?: boolean;
  /** Of which persona; of all unless given. What is read then is no list of everything. */
  persona?: string | undefined;
}

/** Barcodes looked up at a time: what is found of them is in memory. */
const CHUNK = 500;

/**
 * Reads what the service holds: the whole list, or only the wanted barcodes when that takes fewer requests.
 * Wanted barcodes that a list did not show which moved all the time, or which lacks what the service finds by
 * its barcode, are looked up one by one. Throws ServiceError, and EventregError when it cannot tell of a
 * wanted barcode whether it is there.
 */
export async function readListed(context: ReadContext, wish: ListWish): Promise<ListReading> {
  const { journal, event } = context;
  const wanted = [...(wish.barcodes ?? [])];
  const pages = wish.pages ?? wanted.length;
  const step = journal.latestNo;
  const personas = event.personas.map(({ slug }) => slug);
  const listed = new ListedRecords(fieldsOf(event), personas);
  const shown = new ShownParts();
  const { cut, moved, total } = await readList(context, { ...wish, pages }, listed, shown);
  let hidden = false;
  let lacking = false;
  if (cut) {
    // What the list has shown so far would be found a second time.
    listed.clear();
    hidden = !(await lookUp(context, wanted, listed, shown, true));
  } else if (moved && shown.barcodes) {
    await lookUp(context, missing(wanted, listed), listed, shown);
  } else if (shown.barcodes) {
    const add = (record: RawRecord): void => {
      listed.add([record]);
      shown.see(record);
    };
    lacking = await lookBehindList(context, () => missing(wanted, listed), add);
  }
  const find = ({ id = '', barcode = '' }: Pick<RecordImage, 'id' | 'barcode'>) =>
    listed.byBarcode(barcode)[0] ?? listed.byId(id)[0];
  const all = () => listed.all();
  return {
    listed,
    sight: new Sight(all, () => lastSaidOf(context, find)),
    step,
    how: cut || wish.persona !== undefined ? 'lookup' : 'list',
    total: cut ? total : Math.max(total ?? 0, listed.count),
    moved: moved || lacking,
    ...shown.facts(),
    ...(hidden ? { barcodesShown: false } : {}),
  };
}

async function readList(
  { registrations, reporter, stopping }: ReadContext,
  { pages, whole, persona }: ListWish & { pages: number },
  listed: ListedRecords,
  shown: ShownParts,
): Promise<WholeReading & { total: number | undefined }> {
  let total: number | undefined;
  const reading = await registrations.readAll(
    persona === undefined ? {} : { persona },
    (page) => {
      stopping.throwIfAborted();
      if (page.restart) listed.clear();
      listed.add(page.records);
      for (const record of page.records) shown.see(record);
      total = page.total ?? total;
      progress(reporter, listed.count, total ?? listed.count);
    },
    whole === true ? {} : { pagesMax: pages },
  );
  return { ...reading, total };
}

function progress(reporter: ReadContext['reporter'], done: number, total: number): void {
  reporter.report({ type: 'checking', what: 'registrations in the service', done, total });
}

/** Adds what is found under the barcodes. False when the service shows no barcodes. */
async function lookUp(
  context: ReadContext,
  barcodes: Iterable<string>,
  listed: ListedRecords,
  shown: ShownParts,
  isLong = false,
): Promise<boolean> {
  const { registrations, reporter, stopping } = context;
  const all = [...barcodes];
  for (let done = 0; done < all.length; done += CHUNK) {
    const chunk = all.slice(done, done + CHUNK);
    stopping.throwIfAborted();
    try {
      for (const records of (await registrations.findByBarcode(chunk, isLong)).values()) {
        listed.add(records);
        for (const record of records) shown.see(record);
      }
    } catch (error) {
      if (!(error instanceof BarcodesHiddenError)) throw error;
      if (!shown.barcodes) return false;
      throw restless(error);
    }
    progress(reporter, done + chunk.length, done + chunk.length);
  }
  return true;
}

/** Barcodes are shown, and still nothing can be said of one: the list moves, and there is no filter to rely on. */
function restless(cause: BarcodesHiddenError): EventregError {
  const hint = 'Run the same command again when fewer registrations come in.';
  return new EventregError(EXIT.failed, cause.message, { hint, cause }, 'service');
}

function* missing(barcodes: Iterable<string>, listed: ListedRecords): Generator<string> {
  for (const barcode of barcodes) if (!listed.hasBarcode(barcode)) yield barcode;
}

/** What the records of a service show of themselves. */
class ShownParts {
  #records = 0;
  readonly #counts = { barcodes: 0, fields: 0, parents: 0, personas: 0, ids: 0 };
  readonly #listed = new Set<string>();
  readonly #kinds = new Set<string>();

  see(record: RawRecord): void {
    const { id, barcode, persona, parentBarcode, fields, raw } = record;
    const counts = this.#counts;
    this.#kinds.add(kindOf(record));
    this.#records += 1;
    if (barcode !== undefined) counts.barcodes += 1;
    if (fields !== undefined) counts.fields += 1;
    for (const slug in fields) this.#listed.add(slug);
    if (persona !== undefined) counts.personas += 1;
    if (id !== undefined) counts.ids += 1;
    // A key without a value says that there is none.
    if (parentBarcode !== undefined || 'parent_barcode' in raw || 'parent' in raw) counts.parents += 1;
  }

  /** Whether a barcode was seen. */
  get barcodes(): boolean {
    return this.#counts.barcodes > 0;
  }

  facts() {
    const { barcodes, fields, parents, personas, ids } = this.#counts;
    const any = (count: number): boolean => count > 0 || this.#records === 0;
    return {
      barcodesShown: any(barcodes),
      fieldsShown: any(fields),
      fieldsListed: this.#listed,
      parentsShown: any(parents),
      personasShown: personas === this.#records,
      idsShown: ids === this.#records,
      kinds: this.#kinds,
    };
  }
}
