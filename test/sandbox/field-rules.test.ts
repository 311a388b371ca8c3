import { describe, expect, test } from 'vitest';
import { checkText } from '../../src/sandbox/field-rules.ts';
import { listed } from '../support/tables.ts';

const CASES = {
  email: {
    good: ['ada@example.org', "o'hara+fair@mail.example.co.uk", 'zoë@exämple.de'],
    bad: listed(`
      ada | ada@ | @example.org | a@b@c.de | ada@example | a..b@example.org | ada@-x.org | a b@x.de
    `),
  },
  phone: {
    good: ['+1234', '+31 20 123 45 67', '0031201234567', '12345', '0201234', '+1 (555) 010-999'],
    bad: ['1234', '+31', '020-1234567', 'call me', '+31 20 12x', '1234 '],
  },
  country: { good: ['NL', 'nl', 'NLD', 'Deu'], bad: ['Netherlands', 'XX', 'UK', 'N', 'ß', 'NLDE'] },
  url: {
    good: ['https://example.org/a?b=c', 'http://localhost:8080'],
    bad: ['example.org', 'ftp://example.org', 'https://', 'https://exa mple.org', 'javascript:alert(1)'],
  },
  date: {
    good: ['2027-05-11', '2028-02-29', '2027-05-11 23:59:59', '0050-01-01'],
    bad: listed(`
      11.05.2027 | 2027-02-29 | 2027-13-01 | 2027-00-10 | 2027-05-11 24:00:00 | 2027-05-11T10:00:00
    `),
  },
  numeric: { good: ['0', '007', '12345678901234567890'], bad: ['-1', '1.5', '1 000', '١'] },
  text: { good: ['anything', '\u0000', '<b>'], bad: [] },
} as const;

describe.each(Object.entries(CASES))('%s', (kind, { good, bad }) => {
  test('takes what the interface allows', () => {
    for (const value of good)
      expect([value, checkText(kind as keyof typeof CASES, value)]).toEqual([value, undefined]);
  });

  test('says what is wrong, without repeating the value', () => {
    for (const value of bad) {
      const message = checkText(kind as keyof typeof CASES, value);
      expect([value, message]).toEqual([value, expect.stringMatching(/^must /)]);
      expect(message).not.toContain(`"${value}"`);
    }
  });
});
