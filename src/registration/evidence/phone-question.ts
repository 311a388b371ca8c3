import { COUNTRY_CODES } from '../rules/countries.ts';
import type { NationalPhones } from '../repairs/national-phones.ts';
import { readingsOf } from '../repairs/repair-phone.ts';
import { bestReadings, type PhoneEvidence } from './phone-evidence.ts';
import type { Answer, ChoiceQuestion } from '../model/question.ts';

/** A country that the numbers of a column may be of. */
interface Candidate {
  country: string;
  name: string;
  /** Rows that name it, and numbers of the column that have its code. */
  named: number;
  /** Numbers that are complete ones of the country that their row names, or of it. */
  fitting: number;
  /** Of them those that begin with its calling code, and are complete with it and without. */
  either: number;
}

const MOST_ANSWERS = 40;
const MOST_TRIED = 50;

/**
 * Asks which country the numbers of a column belong to that have no country code; the likeliest first, by what rows
 * and other numbers name, then by how many numbers are complete ones of it. Numbers are never shown.
 */
export function phoneQuestion(file: string, evidence: PhoneEvidence, phones: NationalPhones): ChoiceQuestion {
  const { column, all, refused } = evidence;
  const candidates = candidatesOf(evidence, phones);
  const have = all === 1 ? '1 phone number has' : `${all} phone numbers have`;
  const some = refused === all ? ' and cannot be sent so' : `; ${refused} cannot be sent so`;
  const spoilt = refused === 0 ? '' : some;
  const told = candidates.length > 1 && isToldByRows(evidence, phones);
  return {
    text: `${file}: ${have} no country code in "${column}"${spoilt}. Which country are they of?`,
    details: [],
    answers: [
      ...(told ? candidates.slice(0, 1) : candidates).flatMap((one) =>
        answersOf(column, one, evidence, told),
      ),
      answer('none of these: leave them as they are', column, 'none'),
    ],
  };
}

/** Whether each number is a complete one of the country that its row names: no other country is needed. */
function isToldByRows({ national, all }: PhoneEvidence, phones: NationalPhones): boolean {
  return (
    all === national.length &&
    national.every(({ number, country }) => {
      if (country === undefined) return false;
      const { national: bare, coded } = readingsOf(number, phones.of(country));
      return bare !== undefined || coded !== undefined;
    })
  );
}

function answersOf(
  column: string,
  { country, name, fitting, either }: Candidate,
  seen: PhoneEvidence,
  told: boolean,
): Answer[] {
  const each = seen.national.some((one) => one.country !== undefined)
    ? 'the one that each row names, else '
    : '';
  const count = seen.national.length;
  const whose = told ? 'the one that each row names' : `${each}${name} (${country})`;
  const label = `${whose}: ${fitting} of ${count} fit`;
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
  for (const country of [...national.map((one) => one.country), ...others]) {
    if (country !== undefined) named.set(country, (named.get(country) ?? 0) + 1);
  }
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const candidates = COUNTRY_CODES.map(([country]) => ({ country, named: named.get(country) ?? 0 }))
    .map((one) => ({
      ...one,
      ...countFitting(national, phones, one),
      name: names.of(one.country) ?? one.country,
    }))
    .filter((one) => one.fitting > 0)
    .sort((one, other) => other.named - one.named || other.fitting - one.fitting);
  const likely = candidates.filter((one) => one.named > 0);
  const isEnough = likely.some(({ fitting }) => fitting === national.length);
  return isEnough ? likely : candidates.slice(0, MOST_ANSWERS);
}

/** A country that nothing names is tried with the first numbers only. */
function countFitting(
  seen: PhoneEvidence['national'],
  phones: NationalPhones,
  { country, named }: { country: string; named: number },
): Pick<Candidate, 'fitting' | 'either'> {
  const of = phones.of(country);
  let fitting = 0;
  let either = 0;
  for (const one of named > 0 ? seen : seen.slice(0, MOST_TRIED)) {
    const own = one.country === undefined ? of : phones.of(one.country);
    const { national, coded } = bestReadings(one.number, own, of);
    if (national !== undefined || coded !== undefined) fitting += 1;
    if (national !== undefined && coded !== undefined) either += 1;
  }
  return { fitting, either };
}
