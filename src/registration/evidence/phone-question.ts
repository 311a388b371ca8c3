import { COUNTRY_CODES } from '../rules/countries.ts';
import { countryName } from '../rules/country-names.ts';
import { BY_ROWS, type NationalPhones } from '../repairs/national-phones.ts';
import { isNumberOf, misfitOf, ownersOf } from '../repairs/repair-phone.ts';
import { MOST_SHOWN } from './date-evidence.ts';
import { isEither, type NationalNumber, type PhoneEvidence } from './phone-evidence.ts';
import type { Answer, ChoiceQuestion } from '../model/question.ts';
import { formatPlace } from '../model/row.ts';

/** A country that the numbers of a column may be of, where their row names none. */
interface Candidate {
  country: string;
  /** Rows that name it, and numbers of the column that have its code. */
  named: number;
  /** Complete numbers of it, and those that would be none with a digit more or less: some countries take any length. */
  fitting: number;
  exact: number;
}

const MOST_ANSWERS = 40;
const MOST_TRIED = 50;

/**
 * Asks which country the numbers of a column belong to that have no country code. A row that names one has answered
 * for itself. For the others the likeliest is first, by what rows and other numbers name, then by how many of them it
 * fits to the digit. Numbers are never shown.
 */
export function phoneQuestion(file: string, evidence: PhoneEvidence, phones: NationalPhones): ChoiceQuestion {
  const { column, all, unnamed, refused, national } = evidence;
  const own = national.filter(({ countries }) => countries.length > 0);
  const have = all === 1 ? '1 phone number has' : `${all} phone numbers have`;
  const some = refused === all ? ' and cannot be sent so' : `; ${refused} cannot be sent so`;
  const spoilt = refused === 0 ? '' : some;
  const countries = unnamed > 0 ? candidatesOf(evidence, phones).map(({ country }) => country) : [BY_ROWS];
  return {
    text: `${file}: ${have} no country code in "${column}"${spoilt}. Which country are they of?`,
    details: misfitsOf(own, phones),
    answers: [
      ...countries.flatMap((country) => answersOf(country, evidence, phones)),
      answer('none of these: leave them as they are', column, 'none'),
    ],
  };
}

/** The first rows whose number is none of the country that they name: no country makes it one of another. */
function misfitsOf(own: readonly NationalNumber[], phones: NationalPhones): string[] {
  return own
    .map(({ place, number, countries }) => ({ place, number, owners: ownersOf(countries, phones) }))
    .filter(({ number, owners }) => !owners.some((owner) => isNumberOf(number, owner)))
    .slice(0, MOST_SHOWN)
    .map(({ place, number, owners }) => `${formatPlace(place)}: ${misfitOf(number, owners)}`);
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

function candidatesOf({ national, international }: PhoneEvidence, phones: NationalPhones): Candidate[] {
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
  return isEnough ? likely : candidates.slice(0, MOST_ANSWERS);
}

/** A country that nothing names is tried with the first numbers only. */
function countFitting(
  numbers: readonly string[],
  phones: NationalPhones,
  isNamed: boolean,
): Pick<Candidate, 'fitting' | 'exact'> {
  const fitting = numbers
    .slice(0, isNamed ? numbers.length : MOST_TRIED)
    .filter((number) => isNumberOf(number, phones));
  const exact = fitting.filter(
    (number) => ![`${number}2`, number.slice(0, -1)].some((near) => isNumberOf(near, phones)),
  );
  return { fitting: fitting.length, exact: exact.length };
}
