import { COUNTRY_CODES } from '../rules/countries.ts';
import { countryName } from '../rules/country-names.ts';
import { checkPhone } from '../rules/rules.ts';
import type { Answer, ChoiceQuestion } from '../model/question.ts';
import { unchanged } from '../repairs/clean-text.ts';
import type { SeenCell } from './date-evidence.ts';
import { BY_ROWS, ELSE_BLANK, type NationalPhones, type PhoneWish } from '../repairs/repair-phone.ts';
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
  /** Countries that rows show whose number has no country code, and how many rows have them. */
  readonly hinted = new Map<string, number>();
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
  add(seen: SeenCell, countries: readonly string[], hints: () => readonly string[]): void {
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
    for (const hint of isNamed ? [] : hints()) this.hinted.set(hint, (this.hinted.get(hint) ?? 0) + 1);
    if (this.national.length < MOST_KEPT) this.national.push({ place, number: value, countries });
  }

  /** That numbers which begin with the calling code have it, because no number of the column is written otherwise. */
  get areCoded(): boolean {
    return this.#either > 0 && this.#bare === 0;
  }

  /** Whether somebody has to say whose they are. */
  get isOpen(): boolean {
    return this.wish.unsaid === true && this.refused + this.trunk > 0;
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
    const read = owners.map((owner) => readingsOf(value, owner));
    if (read.some(({ national, coded }) => national && coded)) this.#either += 1;
    else if (!TRUNK.test(value) && owners.some((owner) => owner.read(value) !== undefined)) this.#bare += 1;
    if (owners.some((owner) => isNumberOf(value, owner))) return;
    if (countries.length > 0 || phones.country === '' || checkPhone(value) !== undefined) return;
    this.#undecided += 1;
    if (this.#undecided === 1) this.#first = `${formatPlace(place)}, column "${this.column}"`;
  }
}

const MOST_ANSWERS = 40;
const MOST_TRIED = 50;

/**
 * Asks which country the numbers of a column belong to that have no country code. A row that names one has answered
 * for itself. For the others the countries stand by what their rows show, or else by what other rows and numbers name, then by how many of them each fits. One is likely only where several name it, none another,
 * and most of the numbers fit; else what leaves nobody out is first: without those that cannot be sent. Numbers are never shown.
 */
export function phoneQuestion(file: string, evidence: PhoneEvidence, phones: NationalPhones): ChoiceQuestion {
  const { column, all, unnamed, refused } = evidence;
  const have = all === 1 ? '1 phone number has' : `${all} phone numbers have`;
  const some = refused === all ? ' and cannot be sent so' : `; ${refused} cannot be sent so`;
  const spoilt = refused === 0 ? '' : some;
  const { countries, isClear } =
    unnamed > 0 ? candidatesOf(evidence, phones) : { countries: [BY_ROWS], isClear: true };
  const said = countries.map((country) => answerOf(country, evidence, phones));
  // Numbers of rows that name their country are certain.
  const kept = evidence.wish.unsaid === true ? BY_ROWS : 'none';
  const none = answer('none of these: leave them as they are', column, kept);
  const blank = answer('nobody knows: leave them blank, and send the people without', column, ELSE_BLANK);
  const first = isClear ? [] : [refused === 0 ? none : blank];
  return {
    text: `${file}: ${have} no country code in "${column}"${spoilt}. Which country are they of?`,
    details: [],
    answers: [...first, ...said, ...[none, blank].filter((one) => !first.includes(one))],
    ...(isClear
      ? {}
      : {
          unlikely: true,
          leavesOut: `${refused === 0 ? 'the country of ' : ''}${all === 1 ? '1 phone number' : `${all} phone numbers`} in "${column}"`,
        }),
  };
}

function answerOf(country: string, { column, national }: PhoneEvidence, phones: NationalPhones): Answer {
  const fitting = national.filter(({ number, countries }) =>
    ownersOf(countries, phones.of(country)).some((owner) => isNumberOf(number, owner)),
  );
  const each = 'the one that each row names';
  const isNamed = national.some(({ countries }) => countries.length > 0);
  const whose =
    country === BY_ROWS ? each : `${isNamed ? `${each}, else ` : ''}${countryName(country)} (${country})`;
  return answer(`${whose}: ${fitting.length} of ${national.length} fit`, column, country);
}

function answer(label: string, column: string, said: string): Answer {
  return { label, flag: undefined, option: 'phones', value: [column, said] };
}

/** Where most of those are from who write headings as this tool knows them. */
const USUAL = 'DE GB US FR IT ES NL PT AT CH BE IE CA BR MX AU'.split(' ');

/** Countries, and whether the first is clear: whatever names one names it, not once only, and it fits most others. */
function candidatesOf({ national, international, hinted }: PhoneEvidence, phones: NationalPhones) {
  const told = new Map<string, number>();
  const tell = (country: string | undefined, rows: number): void => {
    if (country !== undefined) told.set(country, (told.get(country) ?? 0) + rows);
  };
  const others = international.map((number) => phones.countryOf(number));
  // What their own rows show says more of open numbers than what others are of.
  const isOwn = (country = ''): boolean => hinted.size === 0 || hinted.has(country);
  const all = [...national.flatMap(({ countries }) => countries), ...others];
  for (const country of all.filter(isOwn)) tell(country, 1);
  for (const [country, rows] of hinted) tell(country, rows);
  const open = national.filter(({ countries }) => countries.length === 0).map(({ number }) => number);
  // Beside others of a country, one that begins with its code names it, too.
  for (const country of told.keys()) {
    const own = phones.of(country);
    tell(country, open.filter((number) => own.readCoded(number) !== undefined).length);
  }
  const codes = COUNTRY_CODES.map(([country]) => country);
  const countFitting = (phones: NationalPhones, most: number): number =>
    open.slice(0, most).filter((number) => isNumberOf(number, phones)).length;
  const candidates = [...new Set([...USUAL, ...codes])]
    .map((country) => ({ country, told: told.get(country) ?? 0 }))
    .map((one) => {
      // One that nothing names is tried with the first numbers only.
      const fitting = countFitting(phones.of(one.country), one.told > 0 ? MOST_KEPT : MOST_TRIED);
      return { ...one, fitting };
    })
    .filter((one) => one.fitting > 0 || one.told > 0)
    .sort((one, other) => other.told - one.told || other.fitting - one.fitting);
  const likely = candidates.filter((one) => one.told > 0);
  const isEnough = likely.some(({ fitting }) => fitting === open.length);
  const countries = (isEnough ? likely : candidates.slice(0, MOST_ANSWERS)).map(({ country }) => country);
  const misfits = open.length - Number(likely[0]?.fitting);
  const fitsMost = misfits * 2 < national.length + international.length;
  return { countries, isClear: likely.length === 1 && Number(likely[0]?.told) > 1 && fitsMost };
}
