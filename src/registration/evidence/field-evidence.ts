import type { Field } from '../model/persona.ts';
import { splitChoices, readChoice } from '../rules/choice-rule.ts';
import { isCountryCode } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import { checkEmail } from '../rules/rules.ts';
import type { ColumnSample } from './column-samples.ts';

/** Of the filled cells of a column, as many have to fit a field for it to be proposed. */
const FITTING_SHARE = 0.6;
/** A country and an option may stand in a column of anything once. */
const LEAST_CELLS = 2;

const DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}\/\d{1,2}\/\d{1,2})$/;
/** Digits alone are as often numbers of tickets and members: a phone number shows itself. */
const PHONE = /^(?:\+|00|0|\()[\d\s()./-]{6,20}$/;

/** What the values of a column say of a field: they are of its kind, are not, or nothing either way. */
export function fits(sample: ColumnSample, field: Field): boolean | undefined {
  const test = testOf(field);
  if (test === undefined || sample.filled === 0) return undefined;
  let fitting = 0;
  for (const [value, count] of sample.values) if (test(value)) fitting += count;
  return fitting >= LEAST_CELLS && fitting >= sample.filled * FITTING_SHARE;
}

function testOf({ kind, choices, multiple }: Field): ((text: string) => boolean) | undefined {
  switch (kind) {
    case 'choice':
      return (text) => (multiple ? splitChoices(text) : [text]).some((part) => readChoice(part, choices).ok);
    case 'email':
      return (text) => checkEmail(text) === undefined;
    case 'phone':
      return (text) => PHONE.test(text) && !DATE.test(text);
    case 'country':
      return (text) => isCountryCode(text) || countryCodeOf(text) !== undefined;
    case 'date':
      return (text) => DATE.test(text);
    default:
      return undefined;
  }
}
