import type { NationalPhones } from './national-phones.ts';
import { checkPhone } from './phone-rule.ts';
import { isNational } from './repair-phone.ts';
import { formatPlace } from './row.ts';
import type { SeenCell } from './seen-cell.ts';

/** Counts the numbers that stay without a country code although their country is named. */
export class PhoneEvidence {
  #undecided = 0;
  #first = '';

  /** Called with every number as it would be sent. */
  add({ place, value }: SeenCell, column: string): void {
    if (!isNational(value) || checkPhone(value) !== undefined) return;
    this.#undecided += 1;
    if (this.#undecided === 1) this.#first = `${formatPlace(place)}, column "${column}"`;
  }

  /** A sentence for the person; undefined when there is nothing to say. */
  remark(phones: NationalPhones | undefined): string | undefined {
    if (this.#undecided === 0 || phones === undefined) return undefined;
    const numbers =
      this.#undecided === 1
        ? '1 phone number is not a complete one'
        : `${this.#undecided} phone numbers are not complete ones`;
    return `${numbers} of ${phones.country}: sent as in the file, without a country code (${this.#first}).`;
  }
}
