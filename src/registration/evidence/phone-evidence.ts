import { checkPhone } from '../rules/rules.ts';
import { unchanged } from '../repairs/clean-text.ts';
import type { SeenCell } from './date-evidence.ts';
import type { NationalPhones, PhoneWish } from '../repairs/national-phones.ts';
import { isNational, isNumberOf, mendPhone, ownersOf, readingsOf } from '../repairs/repair-phone.ts';
import { formatPlace, type Place } from '../model/row.ts';

/** Numbers that are looked at when a country is to be proposed. */
const MOST_KEPT = 500;
/** As numbers are dialled inside most countries. */
const TRUNK = /^[^0-9]*0/;

/** What the phone numbers of one column have shown. */
export class PhoneEvidence {
  readonly column: string;
  readonly wish: PhoneWish;
  /** The first numbers without a country code, with the countries that their rows name, and the first with one. */
  readonly national: { place: Place; number: string; countries: readonly string[] }[] = [];
  readonly international: string[] = [];
  /**
   * Numbers without a country code of which nothing is said: all, those of rows that name no country, those that are
   * refused as they are, those that are dialled inside a country.
   */
  all = 0;
  unnamed = 0;
  refused = 0;
  trunk = 0;
  #undecided = 0;
  #first = '';
  #either = 0;
  #bare = 0;

  constructor(column: string, wish: PhoneWish) {
    this.column = column;
    this.wish = wish;
  }

  /** Whether a number with its country code tells nothing more. */
  get hasSeenEnough(): boolean {
    return this.international.length >= MOST_KEPT;
  }

  /** Called with every number before it gets its country code. One that is certain all the same shows what others are of. */
  add(seen: SeenCell, countries: readonly string[]): void {
    const { place } = seen;
    const { phones, unsaid = false } = this.wish;
    if (phones !== undefined && isNational(seen.value)) this.#tryOut(seen, countries, phones);
    const read = unsaid ? mendPhone(unchanged(seen.value), this.wish, countries) : undefined;
    if (read?.ok === false) return;
    const value = read?.value.value ?? seen.value;
    if (!isNational(value)) {
      if (!this.hasSeenEnough) this.international.push(value);
      return;
    }
    const isNamed = countries.length > 0;
    if (!isNamed || unsaid || this.#hasCountry) {
      this.all += 1;
      if (!isNamed) this.unnamed += 1;
      if (checkPhone(value) !== undefined) this.refused += 1;
      else if (TRUNK.test(value)) this.trunk += 1;
    }
    if (this.national.length < MOST_KEPT) this.national.push({ place, number: value, countries });
  }

  /** That numbers which begin with the calling code have it, because no number of the column is written otherwise. */
  get coded(): boolean | undefined {
    return this.#either > 0 && this.#bare === 0 ? true : undefined;
  }

  /** Whether somebody has to say whose they are, or whether they have their country code. */
  get isOpen(): boolean {
    const isCodeOpen = this.#either > 0 && (this.wish.coded ?? this.coded) === undefined;
    return isCodeOpen || (this.wish.unsaid === true && this.refused + this.trunk > 0);
  }

  /** Whether the column has a country of its own. */
  get #hasCountry(): boolean {
    return (this.wish.phones?.country ?? '') !== '';
  }

  /** A sentence for the person; undefined when there is nothing to say. */
  remark(): string | undefined {
    if (this.#undecided === 0) return undefined;
    const numbers =
      this.#undecided === 1
        ? '1 phone number is not a complete one'
        : `${this.#undecided} phone numbers are not complete ones`;
    return `${numbers} of ${this.wish.phones?.country}: sent as in the file, without a country code (${this.#first}).`;
  }

  /** What is sent without a country code, where nobody could be asked whose it is; undefined when nothing is. */
  unasked(): string | undefined {
    const sent = this.all - this.refused;
    if (this.#hasCountry || sent === 0) return undefined;
    const [have, are] = sent === 1 ? ['1 phone number has', 'is'] : [`${sent} phone numbers have`, 'are'];
    return `${have} no country code in "${this.column}" and ${are} sent as in the file; name the country, as with --set phone-country=ES.`;
  }

  /** Numbers of rows that name a country are refused where they are none of it: there is nothing to remark. */
  #tryOut({ place, value }: SeenCell, countries: readonly string[], phones: NationalPhones): void {
    const owners = ownersOf(countries, phones);
    if (owners.some((owner) => isEither(value, owner))) this.#either += 1;
    else if (!TRUNK.test(value) && owners.some((owner) => owner.read(value) !== undefined)) this.#bare += 1;
    if (owners.some((owner) => isNumberOf(value, owner))) return;
    if (countries.length > 0 || phones.country === '' || checkPhone(value) !== undefined) return;
    this.#undecided += 1;
    if (this.#undecided === 1) this.#first = `${formatPlace(place)}, column "${this.column}"`;
  }
}

/** Whether a number is a complete one with the calling code that it begins with, and another one without. */
export function isEither(number: string, phones: NationalPhones): boolean {
  const { national, coded } = readingsOf(number, phones);
  return national !== undefined && coded !== undefined;
}
