import { checkPhone } from '../rules/phone-rule.ts';
import { isNational } from '../repairs/repair-phone.ts';
import { formatPlace } from '../model/row.ts';
import type { SeenCell } from './seen-cell.ts';

/** Counts the numbers that stay without a country code although their country is named. */
export class PhoneEvidence {
  #undecided = 0;
  #first = '';
  readonly #countries = new Set<string>();

  /** Called with every number as it would be sent, and the country that it is read as one of. */
  add({ place, value }: SeenCell, column: string, country: string | undefined): void {
    if (country === undefined || !isNational(value) || checkPhone(value) !== undefined) return;
    this.#undecided += 1;
    this.#countries.add(country);
    if (this.#undecided === 1) this.#first = `${formatPlace(place)}, column "${column}"`;
  }

  /** A sentence for the person; undefined when there is nothing to say. */
  remark(): string | undefined {
    if (this.#undecided === 0) return undefined;
    const numbers =
      this.#undecided === 1
        ? '1 phone number is not a complete one'
        : `${this.#undecided} phone numbers are not complete ones`;
    return `${numbers} of ${[...this.#countries].join(', ')}: sent as in the file, without a country code (${this.#first}).`;
  }
}
