import { among, SHOWN } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { Doubt } from './doubts.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import { KnownIds } from '../../sync/snapshot/known-ids.ts';
import { emailOf } from '../../sync/decide/near.ts';
import { CHEAP_PAGES } from '../../sync/snapshot/read-now.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { readLearned } from '../../sync/journal/learned.ts';

/**
 * Reads what the service holds of uncertain rows: the list when rows can be told only by it and it is not
 * long, else whatever takes fewer requests. Throws what reading throws.
 */
export async function takeLook(context: SendContext, doubts: readonly Doubt[]): Promise<Look> {
  const witness = newestDone(context);
  const barcodes = doubts.flatMap(({ row }) => row.registration.barcode ?? []);
  const wanted = [...new Set([...barcodes, ...(witness?.barcode === undefined ? [] : [witness.barcode])])];
  const byListOnly = doubts.some(({ handle }) => handle !== 'barcode');
  const pages = byListOnly ? Math.max(CHEAP_PAGES, doubts.length) : 0;
  const wish = { barcodes: () => wanted, count: Math.max(wanted.length, pages), whole: false };
  const reading = await readListed(context, wish);
  const hidden = !reading.barcodesShown && barcodes.length > 0;
  if (hidden) context.reporter.report({ type: 'warning', text: new BarcodesHiddenError().message });
  return new Look(context, reading, witness);
}

interface Witness {
  barcode: string | undefined;
  id: string | undefined;
}

/** The row that was done last, or is known to be there, if any: a list without it cannot show that another is absent. */
function newestDone({ journal, run }: SendContext): Witness | undefined {
  return journal.get<Witness>(
    `SELECT barcode, remote_id AS id FROM row
     WHERE run = $run AND op = 'send' AND state ${among(SHOWN)} AND (barcode IS NOT NULL OR remote_id IS NOT NULL)
     ORDER BY barcode IS NULL, done_at DESC, seq DESC LIMIT 1`,
    { run },
  );
}

/** What one look at the service shows of uncertain rows. */
class Look {
  readonly #context: SendContext;
  readonly #reading: ListReading;
  readonly #witness: Witness | undefined;
  readonly #ids: KnownIds;

  constructor(context: SendContext, reading: ListReading, witness: Witness | undefined) {
    this.#context = context;
    this.#ids = new KnownIds(context.journal, context.run);
    this.#reading = reading;
    this.#witness = witness;
  }

  /** The registrations listed for a row; undefined when the service shows too little to tell. */
  find({ row, handle }: Doubt): RegistrationRecord[] | undefined {
    const { listed, how, barcodesShown, idsShown, fieldsShown } = this.#reading;
    const { registration, remoteId } = row;
    if (handle === 'barcode') return barcodesShown ? listed.byBarcode(registration.barcode ?? '') : undefined;
    if (how !== 'list') return undefined;
    if (handle === 'id') return idsShown ? listed.byId(remoteId ?? '') : undefined;
    const email = emailOf(registration, fieldsOf(this.#context.event));
    if (!fieldsShown || email === undefined) return undefined;
    return listed
      .byEmail(registration.persona, email)
      .filter(({ id }) => id === undefined || !this.#ids.belongsToAnother(id, row.seq));
  }

  /** Whether a row that is not listed can be believed to be absent. */
  isCredible({ cause, handle }: Doubt): boolean {
    const { listed, how, total, moved } = this.#reading;
    // Wanted barcodes that a moving list did not show were looked up; nothing else was.
    if (moved && handle !== 'barcode') return false;
    const seen = this.#seesWitness();
    if (seen !== undefined) return seen;
    if (cause !== 'missing') return true;
    // The service has contradicted itself: only where sending again cannot double is it sent again.
    const { journal, target, clock } = this.#context;
    const count = how === 'list' ? listed.count : (total ?? 0);
    return count > 0 && readLearned(journal, target.service, 'upsert', clock.now())?.value === 'update';
  }

  /** Undefined when there is none that could be seen. */
  #seesWitness(): boolean | undefined {
    const { listed, how, barcodesShown, idsShown } = this.#reading;
    const { barcode, id } = this.#witness ?? {};
    if (barcode !== undefined && barcodesShown) return listed.byBarcode(barcode).length > 0;
    if (id !== undefined && idsShown && how === 'list') return listed.byId(id).length > 0;
    return undefined;
  }
}
