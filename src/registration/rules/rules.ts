import { checkChoice } from './choice-rule.ts';
import { checkCountry } from './country-rule.ts';
import { checkDate } from './date-rule.ts';
import { checkEmail } from './email-rule.ts';
import type { Finding } from '../model/finding.ts';
import { checkNumeric } from './numeric-rule.ts';
import type { Field, FieldKind } from '../model/persona.ts';
import { checkPhone } from './phone-rule.ts';
import { checkText } from './text-rule.ts';
import { checkUpload, checkWebsite } from './url-rule.ts';

export { checkChoice, checkCountry, checkDate, checkEmail, checkNumeric, checkPhone };
export { checkText, checkUpload, checkWebsite };

/** The rule of each kind that looks at the text alone. None of them expects white space at the ends. */
const TEXT_RULES: Readonly<Record<Exclude<FieldKind, 'choice'>, (text: string) => Finding | undefined>> = {
  name: checkText,
  email: checkEmail,
  phone: checkPhone,
  country: checkCountry,
  website: checkWebsite,
  upload: checkUpload,
  date: checkDate,
  numeric: checkNumeric,
  text: checkText,
};

/** What the field's rule has against a value; undefined when it may be sent. The text is trimmed and not empty. */
export function checkValue(
  text: string,
  field: Pick<Field, 'kind' | 'choices' | 'multiple'>,
): Finding | undefined {
  return field.kind === 'choice' ? checkChoice(text, field) : TEXT_RULES[field.kind](text);
}

const PERSONAL: readonly FieldKind[] = ['name', 'email', 'phone', 'website', 'upload', 'text'];

/** Whether values of this kind may identify a person: they are masked in messages, and findings never quote them. */
export function isPersonal(kind: FieldKind): boolean {
  return PERSONAL.includes(kind);
}
