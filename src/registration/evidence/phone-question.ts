import { COUNTRY_CODES } from '../rules/countries.ts';
import { countryName } from '../rules/country-names.ts';
import { BY_ROWS, type NationalPhones } from '../repairs/national-phones.ts';
import { isNumberOf, ownersOf } from '../repairs/repair-phone.ts';
import { isEither, type PhoneEvidence } from './phone-evidence.ts';
import type { Answer, ChoiceQuestion } from '../model/question.ts';

const MOST_ANSWERS = 40;
const MOST_TRIED = 50;

/**
 * Asks which country the numbers of a column belong to that have no country code. A row that names one has answered
 * for itself. For the others the countries stand by what rows and other numbers name, then by how many of them each
 * fits to the digit. One is likely only where several name it, none another, and all of the numbers fit; else leaving them
 * as they are is first. Numbers are never shown.
 */
export function phoneQuestion(file: string, evidence: PhoneEvidence, phones: NationalPhones): ChoiceQuestion {
  const { column, all, unnamed, refused } = evidence;
  const have = all === 1 ? '1 phone number has' : `${all} phone numbers have`;
  const some = refused === all ? ' and cannot be sent so' : `; ${refused} cannot be sent so`;
  const spoilt = refused === 0 ? '' : some;
  const { countries, isClear } =
    unnamed > 0 ? candidatesOf(evidence, phones) : { countries: [BY_ROWS], isClear: true };
  const said = countries.flatMap((country) => answersOf(country, evidence, phones));
  // Numbers of rows that name their country are certain.
  const kept = evidence.wish.unsaid === true ? BY_ROWS : 'none';
  const none = answer('none of these: leave them as they are', column, kept);
  return {
    text: `${file}: ${have} no country code in "${column}"${spoilt}. Which country are they of?`,
    details: [],
    answers: isClear ? [...said, none] : [none, ...said],
    unlikely: unnamed === 0 || !isClear,
  };
}

function answersOf(country: string, { column, national }: PhoneEvidence, phones: NationalPhones): Answer[] {
  const owned = national.map(({ number, countries }) => ({
    number,
    owners: ownersOf(countries, phones.of(country)),
  }));
  const count = (is: typeof isNumberOf): number =>
    owned.filter(({ number, owners }) => owners.some((owner) => is(number, owner))).length;
  const each = 'the one that each row names';
  const isNamed = national.some(({ countries }) => countries.length > 0);
  const whose =
    country === BY_ROWS ? each : `${isNamed ? `${each}, else ` : ''}${countryName(country)} (${country})`;
  const label = `${whose}: ${count(isNumberOf)} of ${owned.length} fit`;
  const either = count(isEither);
  if (either === 0) return [answer(label, column, country)];
  const such = `${either === 1 ? 'the one that begins' : `the ${either} that begin`} with the country code`;
  return [
    answer(`${label}; ${such} ${either === 1 ? 'has' : 'have'} it already`, column, `+${country}`),
    answer(`${label}; ${such} ${either === 1 ? 'needs' : 'need'} it in front too`, column, `-${country}`),
  ];
}

function answer(label: string, column: string, said: string): Answer {
  return { label, flag: undefined, option: 'phones', value: [column, said] };
}

/** Countries, and whether the first is clear: whatever names one names it, not once only, and it fits all others. */
function candidatesOf({ national, international }: PhoneEvidence, phones: NationalPhones) {
  const named = new Map<string, number>();
  const others = international.map((number) => phones.countryOf(number));
  for (const country of [...national.flatMap(({ countries }) => countries), ...others]) {
    if (country !== undefined) named.set(country, (named.get(country) ?? 0) + 1);
  }
  const open = national.filter(({ countries }) => countries.length === 0).map(({ number }) => number);
  const candidates = COUNTRY_CODES.map(([country]) => ({ country, named: named.get(country) ?? 0 }))
    .map((one) => ({ ...one, ...countFitting(open, phones.of(one.country), one.named > 0) }))
    .filter((one) => one.fitting > 0 || one.named > 0)
    .sort((one, other) => other.named - one.named || other.exact - one.exact || other.fitting - one.fitting);
  const likely = candidates.filter((one) => one.named > 0);
  const isEnough = likely.some(({ fitting }) => fitting === open.length);
  const countries = (isEnough ? likely : candidates.slice(0, MOST_ANSWERS)).map(({ country }) => country);
  return { countries, isClear: isEnough && likely.length === 1 && Number(likely[0]?.named) > 1 };
}

/**
 * Complete numbers of a country, and those that would be none with a digit more or less: some countries take any length. One
 * that nothing names is tried with the first numbers only.
 */
function countFitting(numbers: readonly string[], phones: NationalPhones, isNamed: boolean) {
  const fitting = numbers
    .slice(0, isNamed ? numbers.length : MOST_TRIED)
    .filter((number) => isNumberOf(number, phones));
  const exact = fitting.filter(
    (number) => ![`${number}2`, number.slice(0, -1)].some((near) => isNumberOf(near, phones)),
  );
  return { fitting: fitting.length, exact: exact.length };
}
