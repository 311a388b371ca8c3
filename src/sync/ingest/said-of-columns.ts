import { InputError } from '../../errors.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import type { ColumnAnswers } from '../../registration/model/column-answers.ts';
import { type ByColumn, foldValue } from '../../registration/repairs/meanings.ts';
import {
  BY_ROWS,
  type NationalPhones,
  type PhoneWish,
  readPhoneWish,
} from '../../registration/repairs/national-phones.ts';
import type { RepairOptions } from '../../registration/repairs/repair-options.ts';
import { alpha2Of } from '../../registration/rules/countries.ts';

/** Records may have as many keys as they like. */
const MOST_KNOWN = 10_000;

/** Loads what is known of the phone numbers of a country, by its alpha-2 code. */
export type LoadPhones = (country: string) => Promise<NationalPhones>;

/** What is said of the values of columns, as the repairs take it: by the columns' own names. */
export async function repairsAsSaid(
  repairs: RepairOptions,
  { values, phones, dates, leaveOut }: ColumnAnswers,
  loadPhones: LoadPhones,
): Promise<RepairOptions> {
  const wishes = new Map<string, PhoneWish>();
  for (const [heading, said] of phones) wishes.set(heading, await toWish(heading, said, loadPhones));
  const meanings = [...values].map(
    ([heading, of]) =>
      [heading, new Map([...of].map(([text, meaning]) => [foldValue(text), meaning]))] as const,
  );
  return {
    ...repairs,
    phones: repairs.phones ?? (await loadPhones('')),
    values: byColumn(new Map(meanings)),
    phonesOf: byColumn(wishes),
    dateOrderOf: byColumn(dates),
    leaveOut: byColumn(leaveOut),
  };
}

async function toWish(heading: string, said: string, loadPhones: LoadPhones): Promise<PhoneWish> {
  const wish = readPhoneWish(said);
  const country = wish?.country === BY_ROWS ? '' : alpha2Of(wish?.country ?? '');
  if (wish === undefined || (wish.country !== undefined && country === undefined)) {
    throw new InputError(
      `The phone numbers of "${heading}" are said to be of ${said}, which is no country.`,
      {
        hint: 'Name one by its code, such as DE, rows, or none; +DE for numbers that have their country code already.',
      },
    );
  }
  return { phones: country === undefined ? undefined : await loadPhones(country), coded: wish.coded };
}

/** By the columns' own names, in whatever spelling they are. */
function byColumn<Said>(said: ReadonlyMap<string, Said>): ByColumn<Said> {
  const known = new Map<string, Said | undefined>();
  return {
    size: said.size,
    get(column) {
      if (known.has(column)) return known.get(column);
      if (known.size >= MOST_KNOWN) known.clear();
      const found = said.get(normaliseName(column));
      known.set(column, found);
      return found;
    },
  };
}
