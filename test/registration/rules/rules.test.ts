import { looksPersonal } from '../../../src/registration/rules/contacts.ts';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/registration/model/row.ts';
import {
  checkCountry,
  checkDate,
  checkEmail,
  checkNumeric,
  checkPhone,
  checkText,
  checkUpload,
  checkValue,
  checkWebsite,
} from '../../../src/registration/rules/rules.ts';
import { FIELD_KINDS, hasTrait } from '../../../src/registration/model/persona.ts';
import { listed } from '../../support/tables.ts';

type Rule = (text: string) => Finding | undefined;
type Table = Readonly<Record<string, readonly [problem: string, remedy: string | undefined]>>;

/** One test a value: the good ones have no finding, the bad ones exactly the finding of the table. */
function table(name: string, rule: Rule, good: readonly string[], bad: Table): void {
  describe(`the rule of ${name}`, () => {
    it.each(good)('takes %j', (text) => {
      expect(rule(text)).toBeUndefined();
    });
    it.each(Object.entries(bad))('refuses %j', (text, [problem, remedy]) => {
      expect(rule(text)).toMatchObject({ problem, remedy });
    });
  });
}

const LOCAL: [string, string] = [
  'is a phone number in local format, without + or 00',
  'write it with country code, as +34 600 000 000, or name its country, as with --set phone-country=ES',
];
const LOST: [string, string] = [
  'is a number in scientific notation, so its last digits are lost',
  'format the column as Text and export again',
];

table(
  'phone',
  checkPhone,
  ['+34 600 000 000', '0034600000000', '12345', '+1 (555) 010-9999', '+49.30/123-45', '00 123', '+1234'],
  {
    '600 000 000': LOCAL,
    '(555) 010-9999': LOCAL,
    '(+34) 600 000 000': ['has a + inside', 'write one number, with + in front only'],
    '+34 600+1': ['has a + inside', 'write one number, with + in front only'],
    '+1-800-FLOWERS': ['has letters inside', 'keep the number only'],
    '+34 600 000 000 ext 5': ['has letters inside', 'keep the number only'],
    '1234': ['is too short for a phone number', 'write at least 5 characters'],
    '+123': ['is too short for a phone number', 'write at least 5 characters'],
    '+ ( ) -': ['has no digits', 'write the number, or empty the cell'],
    '00 ( )': ['has no digits', 'write the number, or empty the cell'],
    '+34#600000': ['has "#" inside', 'delete that character'],
    '+34\u00A0600000': ['has U+00A0 inside', 'delete that character'],
    '+34６00000': ['has U+FF16 inside', 'delete that character'],
    '3.46E+10': LOST,
    '3,46E+10': LOST,
  },
);

const MAIL = 'write it as name@example.com';
const label63 = 'a'.repeat(63);
table(
  'email',
  checkEmail,
  [
    'a@b.co',
    "o'brien+tag@sub.example.com",
    'josé@exämple.com',
    'x_y-z@xn--exmple-cua.com',
    `${'a'.repeat(64)}@example.com`,
    `a@${label63}.com`,
  ],
  {
    'example.com': ['has no @', MAIL],
    'a@b@c.com': ['has more than one @', MAIL],
    'a@x.com; b@x.com': [
      'holds more than one e-mail address',
      'keep one, and give another person a row of their own',
    ],
    'a@x.com,b@x.com': [
      'holds more than one e-mail address',
      'keep one, and give another person a row of their own',
    ],
    'a b@x.com': ['has a space inside', 'keep the address alone: no words beside it, and no space in it'],
    'a@x .com': ['has a space inside', 'keep the address alone: no words beside it, and no space in it'],
    'a@x,com': ['has a comma instead of a dot after the @', 'write a dot for the comma'],
    'a,b@x.com': ['has "," before the @', 'delete that character'],
    'mailto:a@x.com': ['has ":" before the @', MAIL],
    '<a@x.com': ['has "<" before the @', 'delete that character'],
    'a@x.com>': ['has ">" after the @', 'delete that character'],
    'a@b_c.com': ['has "_" after the @', 'delete that character'],
    'a\u200B@x.com': ['has U+200B before the @', 'delete that character'],
    '@x.com': ['has nothing before the @', MAIL],
    'a@': ['has nothing after the @', MAIL],
    '.a@x.com': ['begins with a dot before the @', 'delete the dot'],
    'a.@x.com': ['ends with a dot before the @', 'delete the dot'],
    'a..b@x.com': ['has two dots in a row before the @', 'delete the dot'],
    'a@.x.com': ['begins with a dot after the @', 'delete the dot'],
    'a@x.com.': ['ends with a dot after the @', 'delete the dot'],
    'a@x..com': ['has two dots in a row after the @', 'delete the dot'],
    'a@localhost': ['has no dot after the @', MAIL],
    'a@127.0.0.1': ['ends in digits only, which no domain does', MAIL],
    'a@-x.com': ['has a hyphen beside a dot or at an end after the @', 'delete the hyphen'],
    'a@x-.com': ['has a hyphen beside a dot or at an end after the @', 'delete the hyphen'],
    [`${'a'.repeat(65)}@x.com`]: ['has more than 64 characters before the @', MAIL],
    [`a@${label63}a.com`]: ['has more than 63 characters between two dots', MAIL],
    [`a@${'b.'.repeat(126)}c`]: ['is longer than 254 characters', MAIL],
  },
);

const SHORT = 'is not an assigned ISO 3166 country code';
const NO_CODE = 'is not an ISO 3166 country code of 2 or 3 letters';
const CODE = 'write the code, for example ES or ESP';
table('country', checkCountry, ['ES', 'es', 'Esp', 'USA', 'gbr', 'AX', 'SSD'], {
  UK: [SHORT, 'write GB'],
  el: [SHORT, 'write GR'],
  UAE: [SHORT, 'write AE'],
  XK: [SHORT, CODE],
  EU: [SHORT, CODE],
  ZZZ: [SHORT, CODE],
  Spain: [NO_CODE, 'write ES'],
  'united states of america': [NO_CODE, 'write US'],
  "cote d'ivoire": [NO_CODE, 'write CI'],
  'Bosnia and Herzegovina': [NO_CODE, 'write BA'],
  Türkiye: [NO_CODE, 'write TR'],
  Atlantis: [NO_CODE, CODE],
  '724': [NO_CODE, CODE],
  E: [NO_CODE, 'write ES'],
  X: [NO_CODE, CODE],
});

const URL_FORM = 'write it as https://example.com';
const badUrls: Table = {
  'ftp://example.com': ['does not begin with http:// or https://', URL_FORM],
  'mailto:a@example.com': ['does not begin with http:// or https://', URL_FORM],
  'javascript:alert(1)': ['does not begin with http:// or https://', URL_FORM],
  'https://exa mple.com': ['has a space inside', 'delete the space, or write %20 for it'],
  'https:\\\\example.com': ['has a backslash inside', 'write / for it'],
  'https://example.com/\u0007': ['contains the control character U+0007', 'delete that character'],
  'https://user:pw@example.com': ['has a user name or password inside', 'delete everything from // to @'],
  'https://@example.com': ['has a user name or password inside', 'delete everything from // to @'],
  'https://intranet/x': ['has no full host name', 'write the whole name, for example https://example.com'],
  'https://example..com': ['has no full host name', 'write the whole name, for example https://example.com'],
  'https://': ['is not a valid URL', URL_FORM],
  'https:///example.com': ['is not a valid URL', URL_FORM],
  'https:example.com': ['is not a valid URL', URL_FORM],
  'https://example.com:99999': ['is not a valid URL', URL_FORM],
  nothing: ['is not a valid URL', URL_FORM],
};
const goodUrls = listed(`
  https://example.com | HTTP://EXAMPLE.COM:8080/a?b=c#d | http://localhost:3000/ | https://exämple.com/ü |
  https://example.com/@name | http://192.0.2.1/
`);
table('website', checkWebsite, goodUrls, {
  ...badUrls,
  'example.com': ['has no https:// in front', 'write it with https:// in front, as https://example.com'],
  'example.com:8080/x': [
    'has no https:// in front',
    'write it with https:// in front, as https://example.com',
  ],
});
table('upload', checkUpload, goodUrls, {
  ...badUrls,
  'example.com/a.jpg': [
    'has no https:// in front',
    'write it with https:// in front, as https://example.com/photo.jpg',
  ],
  'C:\\photos\\a b.jpg': [
    'is the path of a file on a computer',
    'upload the file and write its https:// address',
  ],
  'file:///tmp/a.jpg': [
    'is the path of a file on a computer',
    'upload the file and write its https:// address',
  ],
});

const DATE = 'is not in the format yyyy-mm-dd';
const DATE_FORM = 'write it as yyyy-mm-dd, for example 2026-02-26';
const NO_DAY = 'names a day that does not exist';
const DAY = 'write a day of the calendar';
const AMBIGUOUS: [string, string] = [
  `${DATE}, and day and month cannot be told apart`,
  'write it as yyyy-mm-dd, or say with --set date-order which comes first',
];
table(
  'date',
  checkDate,
  ['2026-02-26', '2024-02-29', '2000-02-29', '2026-12-31 23:59:59', '1900-01-01 00:00:00', '0001-01-01'],
  {
    '2026-02-29': [NO_DAY, DAY],
    '1900-02-29': [NO_DAY, DAY],
    '2026-04-31': [NO_DAY, DAY],
    '2026-00-10': [NO_DAY, DAY],
    '2026-01-00': [NO_DAY, DAY],
    '0000-01-01': [NO_DAY, DAY],
    '2026-26-02': [NO_DAY, 'write 2026-02-26'],
    '2026-13-13': [NO_DAY, DAY],
    '2026-02-26 24:00:00': ['names a time that does not exist', 'write a time from 00:00:00 to 23:59:59'],
    '2026-02-26 23:60:00': ['names a time that does not exist', 'write a time from 00:00:00 to 23:59:59'],
    '2026-02-26 23:59:60': ['names a time that does not exist', 'write a time from 00:00:00 to 23:59:59'],
    '26/02/2026': [DATE, 'write 2026-02-26'],
    '26.2.2026': [DATE, 'write 2026-02-26'],
    '02/26/2026': [DATE, 'write 2026-02-26'],
    '05/05/2026': [DATE, 'write 2026-05-05'],
    '03/04/2026': AMBIGUOUS,
    '31/02/2026': ['names a day that does not exist', 'write a day of the calendar, as yyyy-mm-dd'],
    '26/02/26': ['has a year of two digits', 'write the year with 4 digits'],
    '2026/2/6': [DATE, 'write 2026-02-06'],
    '20260226': [DATE, 'write 2026-02-26'],
    '2026-02-26T10:30:00': [`${DATE} hh:MM:ss`, 'write 2026-02-26 10:30:00'],
    '2026-02-30T10:30:00': [`${DATE} hh:MM:ss`, DATE_FORM],
    '26.2.2026 10:30': [`${DATE} hh:MM:ss`, 'write 2026-02-26 10:30:00'],
    '2026-02-26 10:30': [`${DATE} hh:MM:ss`, 'write 2026-02-26 10:30:00'],
    '2026-02-26T10:30:00Z': ['has a time zone', 'write it as yyyy-mm-dd hh:MM:ss in the time of the event'],
    '2026-02-26T10:30:00.000+01:00': [
      'has a time zone',
      'write it as yyyy-mm-dd hh:MM:ss in the time of the event',
    ],
    '46079': [
      'is the number by which a spreadsheet stores a date',
      'format the column as yyyy-mm-dd and export again',
    ],
    '26 Feb 2026': [DATE, 'write 2026-02-26'],
    '２026-02-26': [DATE, DATE_FORM],
  },
);

table('numeric', checkNumeric, ['0', '007', '123456789012345678901234567890'], {
  '12.0': ['has decimals', 'write 12'],
  '12,00': ['has decimals', 'write 12'],
  '12.5': ['is not a whole number', 'write digits only'],
  '1,000': ['has thousands separators', 'write 1000'],
  '1 234 567': ['has thousands separators', 'write 1234567'],
  '12.000': ['has dots inside', 'write digits only'],
  '-5': ['is negative, and only digits are accepted', 'write digits only'],
  '1E+6': LOST,
  '１２': ['has digits other than 0 to 9', 'type it with 0 to 9'],
  '٣': ['has digits other than 0 to 9', 'type it with 0 to 9'],
  '+5': ['holds something other than digits', 'write digits only'],
  '12a': ['holds something other than digits', 'write digits only'],
});

table('text and name', checkText, ['Anna\tB\r\nC', 'Zoë 👩‍👩‍👧', '=1+1', '__proto__'], {
  'a\u0000b': ['contains the control character U+0000', 'delete that character'],
  'a\u001B[31m': ['contains the control character U+001B', 'delete that character'],
  'a\u0085': ['contains the control character U+0085', 'delete that character'],
  'M\uFFFDller': ['contains a damaged character (U+FFFD)', 'type it again, and save the file as UTF-8'],
  'a\uD800': ['contains a damaged character (U+D800)', 'type it again, and save the file as UTF-8'],
});

describe('rules in general', () => {
  const plain = { choices: [], multiple: false };

  it('checks each kind with its own rule', () => {
    const bad = FIELD_KINDS.filter((kind) => kind !== 'choice').map((kind) => [
      kind,
      checkValue('\u0001', { ...plain, kind })?.problem,
    ]);
    expect(Object.fromEntries(bad)).toEqual({
      name: 'contains the control character U+0001',
      text: 'contains the control character U+0001',
      email: 'has no @',
      phone: 'has U+0001 inside',
      country: NO_CODE,
      website: 'contains the control character U+0001',
      upload: 'contains the control character U+0001',
      date: DATE,
      numeric: 'holds something other than digits',
    });
  });

  it('never quotes a personal value in a finding, because findings are not masked', () => {
    const secrets = listed(`
      secret.example | Secret Name | secret@ | +secret | se@cr@et | https://secret | x:secret
    `);
    for (const kind of FIELD_KINDS.filter((kind) => hasTrait(kind, 'personal'))) {
      for (const secret of secrets) {
        const found = checkValue(secret, { ...plain, kind });
        expect(JSON.stringify(found ?? '').toLowerCase()).not.toContain('secret');
      }
    }
  });

  it.each(FIELD_KINDS)('reads hostile text of 100 kB as %s without hanging', (kind) => {
    const pieces = [
      ' ',
      ...listed('a | @ | . | 1 | - | a@ | a. | 1, | ( | 9. | \u0301 | ü | / | 1E+ | [ | "'),
    ];
    const field = { kind, choices: [{ value: 'Red', label: 'Red' }], multiple: true };
    for (const piece of pieces) {
      const long = piece.repeat(100_000 / piece.length);
      for (const text of [long, `+${long}`, `a@${long}`, `${long}@x.com`, `https://${long}`, `${long}!`]) {
        checkValue(text, field);
      }
    }
    expect(checkEmail(`${'a.'.repeat(50_000)}@x.com`)?.problem).toBe('is longer than 254 characters');
  });

  it('knows which kinds are personal', () => {
    expect(FIELD_KINDS.filter((kind) => !hasTrait(kind, 'personal'))).toEqual([
      'country',
      'date',
      'numeric',
      'choice',
    ]);
  });

  it('knows addresses and phone numbers in any column', () => {
    const personal = [
      ' +34 600 111 222',
      ...listed('a.q@example.com | 0034600111222 | 0034-60-01 11222 | Ada <ada@x.org>'),
    ];
    const plain = listed(`
      VIP | NL | 600 | 2027-01-05 | 0018-05-14 | 0018-05-14 22:00 | 00 | @home | reg-0034600111222 |
      12345678
    `);
    expect([...personal, ...plain].filter(looksPersonal)).toEqual(personal);
  });
});
