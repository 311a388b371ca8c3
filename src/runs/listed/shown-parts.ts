import type { RegistrationRecord } from '../../registration/model/registration.ts';

/** What the records of a service show of themselves. */
export class ShownParts {
  #records = 0;
  #barcodes = 0;
  #fields = 0;
  #parents = 0;
  #personas = 0;
  #ids = 0;

  see({ id, barcode, persona, parentBarcode, fields, raw }: RegistrationRecord): void {
    this.#records += 1;
    if (barcode !== undefined) this.#barcodes += 1;
    if (fields !== undefined) this.#fields += 1;
    if (persona !== undefined) this.#personas += 1;
    if (id !== undefined) this.#ids += 1;
    // A key without a value says that there is none.
    if (parentBarcode !== undefined || 'parent_barcode' in raw || 'parent' in raw) this.#parents += 1;
  }

  /** Whether a barcode was seen. */
  get barcodes(): boolean {
    return this.#barcodes > 0;
  }

  facts() {
    const any = (count: number): boolean => count > 0 || this.#records === 0;
    return {
      barcodesShown: any(this.#barcodes),
      fieldsShown: any(this.#fields),
      parentsShown: any(this.#parents),
      personasShown: this.#personas === this.#records,
      idsShown: this.#ids === this.#records,
    };
  }
}
