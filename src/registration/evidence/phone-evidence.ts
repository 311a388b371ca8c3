import { checkPhone } from '../rules/rules.ts';
import type { SeenCell } from './date-evidence.ts';
import type { NationalPhones, PhoneWish } from '../repairs/national-phones.ts';
import { isNational, readingsOf } from '../repairs/repair-phone.ts';
import { formatPlace } from '../model/row.ts';

/** Numbers that are looked at when a country is to be proposed. */
const MOST_KEPT = 500;
/** As numbers are dialled inside most countries. */
const TRUNK = /^[^0-9]*0/;

/** What the phone numbers of one column have shown. */
export class PhoneEvidence {
  readonly column: string;
  /** The first numbers without a country code, and the first with one. */
  readonly national: { number: string; country: string | undefined }[] = [];
  readonly international: string[] = [];
  /** Numbers without a country code: all, those that are refused as they are, those that are dialled inside a country. */
  all = 0;
  refused = 0;
  trunk = 0;
  readonly #wish: PhoneWish;
  readonly #countries = new Set<string>();
  #undecided = 0;
  #first = '';
  #either = 0;
  #bare = 0;

  constructor(column: string, wish: PhoneWish) {
    this.column = column;
    this.#wish = wish;
  }

  /** Whether a number with its country code tells nothing more. */
  get hasSeenEnough(): boolean {
    return this.international.length >= MOST_KEPT;
  }

  /** Called with every number before it gets its country code. */
  add(seen: SeenCell, country: string | undefined): void {
    const { value } = seen;
    if (!isNational(value)) {
      if (!this.hasSeenEnough) this.international.push(value);
      return;
    }
    this.all += 1;
    if (checkPhone(value) !== undefined) this.refused += 1;
    else if (TRUNK.test(value)) this.trunk += 1;
    if (this.national.length < MOST_KEPT) this.national.push({ number: value, country });
    if (this.#wish.phones !== undefined) this.#tryOut(seen, country, this.#wish.phones);
  }

  /** That numbers which begin with the calling code have it, because no number of the column is written otherwise. */
  get coded(): boolean | undefined {
    return this.#either > 0 && this.#bare === 0 ? true : undefined;
  }

  /** Whether somebody has to say whose they are, or whether they have their country code. */
  get isOpen(): boolean {
    const { phones, coded } = this.#wish;
    return phones === undefined
      ? this.refused + this.trunk > 0
      : this.#either > 0 && (coded ?? this.coded) === undefined;
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

  /** What is sent without a country code, where nobody could be asked whose it is; undefined when nothing is. */
  unasked(): string | undefined {
    const sent = this.all - this.refused;
    if (this.#wish.phones !== undefined || sent === 0) return undefined;
    const [have, are] = sent === 1 ? ['1 phone number has', 'is'] : [`${sent} phone numbers have`, 'are'];
    return `${have} no country code in "${this.column}" and ${are} sent as in the file; name the country, as with --set phone-country=ES.`;
  }

  #tryOut({ place, value }: SeenCell, country: string | undefined, phones: NationalPhones): void {
    const own = country === undefined ? phones : phones.of(country);
    const { national, coded } = bestReadings(value, own, phones);
    if (coded !== undefined && national !== undefined) this.#either += 1;
    else if (national !== undefined && !TRUNK.test(value)) this.#bare += 1;
    if (coded !== undefined || national !== undefined || checkPhone(value) !== undefined) return;
    this.#undecided += 1;
    this.#countries.add(own.country);
    if (this.#undecided === 1) this.#first = `${formatPlace(place)}, column "${this.column}"`;
  }
}

/** As a number of the row's country, else of the column's. */
export function bestReadings(
  number: string,
  own: NationalPhones,
  phones: NationalPhones,
): ReturnType<typeof readingsOf> {
  const readings = readingsOf(number, own);
  const isNone = readings.national === undefined && readings.coded === undefined;
  return isNone && own.country !== phones.country ? readingsOf(number, phones) : readings;
}
