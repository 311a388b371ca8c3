import { type Field, type FieldKind, hasTrait } from '../model/persona.ts';
import { choiceOf, looseWays, splitChoices } from '../rules/choice-rule.ts';
import { isCountryCode } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import { readTime } from '../rules/date-forms.ts';
import { isBirthDate } from '../rules/date-rule.ts';
import { checkEmail } from '../rules/rules.ts';
import { checkWebsite } from '../rules/url-rule.ts';
import type { ColumnSample } from './column-samples.ts';
import { meansNothing } from './nothing-words.ts';
import { heldOption, sameOption } from './synonyms.ts';
import { cleanText, unchanged } from '../repairs/clean-text.ts';
import { onlyAddress } from '../repairs/mend-value.ts';
import { type SplitName, splitName } from '../repairs/split-name.ts';

/** Of the filled cells of a column, as many have to fit a field, or be names of two parts, for it to be proposed. */
const FITTING_SHARE = 0.6;
/** A country and an option may stand in a column of anything once. */
const LEAST_CELLS = 2;

/** Of how many years the dates of birth of a list are at least. */
const LEAST_YEARS = 4;

const DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}\/\d{1,2}\/\d{1,2})(?: 00:00:00)?$/;
/** Digits alone are as often numbers of tickets and members: a phone number shows itself. */
const PHONE = /^(?:\+|00|0|\()[\d\s()./-]{6,20}$/;

/** What the values of a column say of a field: they are of its kind, are not, or nothing either way. */
export function fits({ values, filled: told }: ColumnSample, field: Field): boolean | undefined {
  const test = testOf(field);
  let filled = told;
  if (test === undefined || (filled === 0 && values.size === 0)) return undefined;
  if (field.kind === 'website' && areOfOneServer([...values.keys()])) return false;
  let fitting = 0;
  for (const [value, count] of values) {
    if (!test(value)) continue;
    fitting += count;
    // An option may be called `None`.
    if (meansNothing(value)) filled += count;
  }
  // A single one speaks neither for nor against it.
  if (fitting > 0 && filled < LEAST_CELLS) return undefined;
  return fitting >= LEAST_CELLS && fitting >= filled * FITTING_SHARE;
}

/** Whether the values alone propose the field. Of dates only those of births do, of many years; of countries, names. */
export function showsItself(sample: ColumnSample, field: Field): boolean {
  if (hasTrait(field.kind, 'common')) return false;
  const values = new Map([...sample.values].filter(([text]) => SHOWING[field.kind]?.(text) !== false));
  if (fits({ ...sample, values }, field) !== true) return false;
  if (field.kind !== 'date') return true;
  const years = new Set([...sample.values.keys()].map((text) => /^\d{4}|\d{2,4}$/.exec(text)?.[0]));
  return isBirthDate(field) && years.size >= LEAST_YEARS;
}

/** One letter or two are as often a size, a title, a language, a state, or `No`: `M.`, `Mr`, `DE`, `CA`. */
const isWord = (text: string): boolean => text.length > 2;

/** Goods have a barcode of 13 digits that begin as no country code does, or whose last one checks the others. */
const isNotOfGoods = (text: string): boolean =>
  !/^0[1-9]\d{11}$/.test(text) &&
  (!/^\d{13}$/.test(text) ||
    Array.from(text, Number).reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 > 0);

type Shows = (text: string) => boolean;
/** Of some kinds, the values that show it by themselves. */
const SHOWING: Partial<Record<FieldKind, Shows>> = { country: isWord, phone: isNotOfGoods };

/** Words for yes and no stand in columns of anything. */
const isWordFor = (text: string, choices: Field['choices']): boolean =>
  isWord(text) &&
  choices.length > 2 &&
  (sameOption(text, choices) ?? heldOption(text, choices)) !== undefined;

/** As it would be sent: `Ada <ada@example.com>` and `mailto:ada@example.com` are addresses. */
const isAddress = (text: string): boolean =>
  checkEmail(onlyAddress(cleanText(unchanged(text), 'email')).value) === undefined;

/** As links to tickets are: people's own are at different ones. */
function areOfOneServer(links: readonly string[]): boolean {
  const servers = new Set(links.map((link) => link.replace(/^\w+:\/\//, '').replace(/[/?#].*$/s, '')));
  return links.length > 1 && servers.size === 1;
}

/** As it would be sent, or with `https://` in front. */
const isLink = (text: string): boolean =>
  [text, `https://${text}`].some((link) => checkWebsite(link) === undefined);

function testOf({ kind, choices, multiple }: Field): ((text: string) => boolean) | undefined {
  switch (kind) {
    case 'choice':
      return (text) =>
        (multiple ? [splitChoices(text, choices), ...looseWays(text, choices)].flat() : [text]).some(
          (part) => choiceOf(part, choices) !== undefined || isWordFor(part, choices),
        );
    case 'email':
      return isAddress;
    case 'phone':
      return (text) => PHONE.test(text) && !DATE.test(text);
    case 'country':
      return (text) => isCountryCode(text) || countryCodeOf(text) !== undefined;
    case 'date':
      return (text) => DATE.test(text);
    case 'website':
    case 'upload':
      return isLink;
    case 'numeric':
      return (text) => /^\d+$/.test(text);
    default:
      return undefined;
  }
}

/** Whether the cells hold times of day, and nothing else. */
export const areTimes = ({ values }: ColumnSample): boolean =>
  values.size > 0 && [...values.keys()].every((text) => readTime(text) !== undefined);

const MOST_EXAMPLES = 4;

/** Whether the cells hold full names. */
export function areFullNames({ values, filled }: ColumnSample, isLastFirst: boolean): boolean {
  let fitting = 0;
  for (const [text, count] of values) {
    const split = /[@\d]/.test(text) ? undefined : splitName(text, isLastFirst);
    if (split?.ok === true && split.value.last !== '') fitting += count;
  }
  return fitting > 0 && fitting >= filled * FITTING_SHARE;
}

const WRITTEN_AS_NAME = /^\p{Lu}\S*(?:\s\S+){0,3}\s\p{Lu}\S*$/u;

/** Whether they are full names by themselves, whatever their column is called: with capitals, and few of them twice. */
export function areWrittenAsNames(sample: ColumnSample): boolean {
  const { values, filled } = sample;
  const written = [...values.keys()].filter((text) => WRITTEN_AS_NAME.test(text));
  return written.length * 2 > filled && areFullNames(sample, false);
}

/** Whether all may be names, and some are full ones: of who comes along a first name may be all that is known. */
export function areNames({ values }: Pick<ColumnSample, 'values'>): boolean {
  const texts = [...values.keys()];
  return (
    texts.some((text) => WRITTEN_AS_NAME.test(text)) && texts.every((text) => /^\p{Lu}[^@\d]*$/u.test(text))
  );
}

/** What becomes of names of each kind: `"Jan van der Berg" → "Jan" | "van der Berg"`. */
export function splitExamples({ values }: ColumnSample, isLastFirst: boolean): string[] {
  const kinds = new Map<string, string>();
  for (const text of values.keys()) {
    const split = splitName(text, isLastFirst);
    if (!split.ok || meansNothing(text)) continue;
    const { first, last } = split.value;
    const parts = [first, last].map((part) => (part === '' ? '(blank)' : `"${part}"`));
    const kind = kindOf(text, split.value);
    if (!kinds.has(kind)) kinds.set(kind, `"${text}" → ${parts.join(' | ')}`);
  }
  return [...kinds.values()].slice(0, MOST_EXAMPLES);
}

function kindOf(text: string, { first, last }: SplitName): string {
  if (text.includes(',')) return 'comma';
  if (first === '' || last === '') return 'one word';
  // Of four words and more it may be in the middle that the last name begins.
  return `${Math.min(first.split(' ').length, 3)} ${last.includes(' ')}`;
}
