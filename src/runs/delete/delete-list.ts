import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { Names } from './delete-name.ts';
import { addDeletion } from '../../sync/journal/delete-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

interface Listed extends Names {
  /** Number of the page, or of the look-up, that showed it. */
  page: number;
}

/** The list of a run: each registration comes on it once. What names several of them is noted. */
export class DeleteList {
  readonly #context: Pick<SendContext, 'journal' | 'run'>;
  readonly #listed = new Map<string, Listed>();
  readonly #several = new Set<string>();
  #pages = 0;

  constructor(context: Pick<SendContext, 'journal' | 'run'>) {
    this.#context = context;
  }

  /** Sentences about ids and barcodes that several registrations have. */
  get several(): ReadonlySet<string> {
    return this.#several;
  }

  get names(): Names[] {
    return [...this.#listed.values()];
  }

  /** Takes the chosen ones of a page. One that was listed before, under the same names, is the same. */
  add(records: readonly RegistrationRecord[]): void {
    const { journal, run } = this.#context;
    this.#pages += 1;
    journal.transaction(() => {
      for (const record of records) {
        if (this.#isListed(record)) continue;
        addDeletion(journal, run, this.#listed.size, record);
        this.#listed.set(keyOf(record), { id: record.id, barcode: record.barcode, page: this.#pages });
      }
    });
  }

  /** Looks whether others show the id of one on the list. */
  compare(records: readonly RegistrationRecord[]): void {
    this.#pages += 1;
    for (const record of records) this.#isListed(record);
  }

  #isListed({ id, barcode }: Names): boolean {
    const known = this.#listed.get(keyOf({ id, barcode }));
    if (known === undefined) return false;
    const alike = known.barcode === barcode;
    if (id !== undefined && (!alike || known.page === this.#pages)) {
      const both = [known.barcode, barcode].map((one) => one ?? 'not shown').join(' and ');
      this.#several.add(
        `The id ${id} is that of several registrations${alike ? '' : ` (barcodes ${both})`}.`,
      );
    }
    return true;
  }

  /** Notes a barcode that does not name exactly one registration. */
  noteBarcode(barcode: string, records: readonly RegistrationRecord[]): void {
    if (records.length < 2) return;
    const ids = records.map(({ id }) => id ?? 'without id').join(', ');
    this.#several.add(`The barcode ${barcode} is that of ${records.length} registrations: ${ids}.`);
  }

  clear(): void {
    const { journal, run } = this.#context;
    journal.run('DELETE FROM row WHERE run = $run', { run });
    this.#listed.clear();
    this.#several.clear();
  }
}

const keyOf = ({ id, barcode }: Names): string => JSON.stringify(id === undefined ? { barcode } : { id });
