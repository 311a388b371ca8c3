import { isCountryCode } from '../registration/rules/countries.ts';

/** What is wrong with a text that is not empty; undefined when the kind takes it. */
export function checkText(kind: TextKind, value: string): string | undefined {
  const rule = RULES[kind];
  return rule.test(value) ? undefined : rule.message;
}

/** Kinds of fields that take a text which is none of some options. */
export type TextKind = keyof typeof RULES;

const RULES = {
  text: { test: (_value: string) => true, message: '' },
  email: { test: isEmail, message: 'must be a valid e-mail address.' },
  phone: {
    test: isPhone,
    message: 'must have at least 5 characters and start with 00 or +, or be digits only.',
  },
  country: { test: isCountryCode, message: 'must be an ISO 3166 code of 2 or 3 letters.' },
  url: { test: isUrl, message: 'must be a valid URL.' },
  date: { test: isDate, message: 'must be a date as yyyy-mm-dd or yyyy-mm-dd hh:MM:ss.' },
  numeric: { test: (value: string) => /^\d+$/.test(value), message: 'must be digits only.' },
};

/** The form only. Split by hand, because a pattern for a whole address can take for ever on a long text. */
function isEmail(value: string): boolean {
  const [local = '', domain = '', ...rest] = value.split('@');
  if (rest.length > 0 || value.length > 254 || local.length > 64) return false;
  const words = local.split('.');
  const labels = domain.split('.');
  return (
    words.every((part) => /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u.test(part)) &&
    labels.length > 1 &&
    labels.every(
      (label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !label.startsWith('-') && !label.endsWith('-'),
    )
  );
}

function isPhone(value: string): boolean {
  if (value.length < 5) return false;
  return /^\d+$/.test(value) || /^(?:\+|00)[\d\s()./-]*\d$/.test(value);
}

function isUrl(value: string): boolean {
  if (/\s/.test(value)) return false;
  try {
    const { protocol, hostname } = new URL(value);
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
  } catch {
    return false;
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/;

/** A day that the calendar has: 2027-02-29 is none. */
function isDate(value: string): boolean {
  const match = DATE.exec(value);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  // A day that its month does not have falls into another month.
  return date.getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
}
