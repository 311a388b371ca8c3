import { InputError } from '../../errors.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { type ByColumn, meaningsOf } from '../../registration/repairs/meanings.ts';
import {
  BY_ROWS,
  ELSE_BLANK,
  type PhoneWish,
  type NationalPhones,
  type ReadPhone,
} from '../../registration/repairs/repair-phone.ts';
import type { RepairOptions } from '../../registration/repairs/repair-options.ts';
import { alpha2Of } from '../../registration/rules/countries.ts';
import { PAD, type PushCommandOptions } from './push-command-options.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Records may have as many keys as they like. */
const MOST_KNOWN = 10_000;

/**
 * How values may be mended, and what their owner has said of them, column by column. `nowMs`: nobody is born later, wherever
 * it is a day later already.
 */
export async function toRepairs(options: PushCommandOptions, nowMs: number): Promise<RepairOptions> {
  const { values, phones, leaveOut, phoneCountry } = options;
  const wishes: [string, PhoneWish][] = [];
  for (const [heading, said] of Object.entries(phones)) wishes.push([heading, await toWish(heading, said)]);
  return {
    phones: await loadNationalPhones(alpha2Of(phoneCountry ?? '') ?? ''),
    phonesOf: byColumn(wishes),
    dateOrder: options.dateOrder,
    dateSerials: options.dateSerials,
    hiddenTimes: options.hiddenTimes,
    lastBirth: new Date(nowMs + DAY_MS).toISOString().slice(0, 10),
    pad: new Map(options.pad.map((text) => [text.replace(PAD, '$1'), Number(text.replace(PAD, '$2'))])),
    accept: new Set(options.accept),
    decisions: new Map(),
    values: byColumn(Object.entries(values).map(([heading, said]) => [heading, meaningsOf(said)])),
    leaveOut: byColumn(leaveOut.map((heading) => [heading, true])),
  };
}

async function toWish(heading: string, said: string): Promise<PhoneWish> {
  if (said === 'none') return { phones: undefined };
  const country = [BY_ROWS, ELSE_BLANK].includes(said) ? '' : alpha2Of(said);
  if (country === undefined) {
    throw new InputError(
      `The phone numbers of "${heading}" are said to be of ${said}, which is no country.`,
      { hint: 'Name one by its code, such as DE, or say rows, blank, or none.' },
    );
  }
  return { phones: await loadNationalPhones(country), blank: said === ELSE_BLANK };
}

/** What is said of columns, by their own names in whatever spelling they are. */
function byColumn<Said>(all: readonly (readonly [heading: string, said: Said])[]): ByColumn<Said> {
  const said = new Map(all.map(([heading, one]) => [normaliseName(heading), one]));
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

/** Loads what is known of the phone numbers of a country, by its alpha-2 code, or of none: 80 kB that only a push needs. */
export async function loadNationalPhones(country: string): Promise<NationalPhones> {
  const library = await import('libphonenumber-js/min');
  const {
    getCountries,
    getCountryCallingCode,
    isSupportedCountry,
    parsePhoneNumberFromString: parse,
  } = library;
  const codes = new Set(getCountries().map((code) => getCountryCallingCode(code)));
  // Numbers are looked at in every row.
  const trunk = new RegExp(`^(?:\\+|00)(?:${[...codes].join('|')})[^0-9]*0`);
  // Some countries dial abroad with digits that begin numbers of others.
  const toRead = (parsed: ReturnType<typeof parse>, own: string | undefined): ReadPhone | undefined =>
    parsed?.isValid() === true && parsed.countryCallingCode === own
      ? { international: parsed.number, callingCode: parsed.countryCallingCode }
      : undefined;
  const phonesOf = (code: string): NationalPhones => {
    const known = isSupportedCountry(code) ? code : undefined;
    const own = known && getCountryCallingCode(known);
    return {
      country: code,
      of: phonesOf,
      read: (number) => known && toRead(parse(number, known), own),
      readCoded(number) {
        const digits = number.replace(/[^0-9]/g, '');
        if (own === undefined || !digits.startsWith(own)) return undefined;
        return toRead(parse(`+${digits}`), own);
      },
      withoutTrunk(number) {
        const read = trunk.test(number) ? parse(number.replace(/^00/, '+')) : undefined;
        const written = number.replace(/^00|[^0-9]/g, '');
        const isWritten = written === `${read?.countryCallingCode}0${read?.nationalNumber}`;
        return isWritten && read?.isValid() === true ? read.number : undefined;
      },
      countryOf: (number) => parse(number.replace(/^00/, '+'))?.country,
    };
  };
  return phonesOf(country);
}
