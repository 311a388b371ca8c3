import { describe, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Guest } from './guests.ts';
import { type Evidence, judge } from './verdict.ts';

const guest = (name: string, barcode?: string, known = false): Guest => ({
  barcode,
  parentBarcode: undefined,
  firstName: name,
  lastName: 'Family',
  email: `${name}@example.com`,
  known,
});

const registration = ({ barcode, firstName, lastName, email }: Guest): SandboxRegistration => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: barcode ?? 'QR-1',
  barcodeGenerated: barcode === undefined,
  parentBarcode: undefined,
  enableComms: false,
  fields: { email, first_name: firstName, last_name: lastName },
  createdAt: 0,
  updatedAt: 0,
});

const post = ({ barcode, firstName, lastName, email }: Guest, status = 201): RequestLogEntry => ({
  at: 0,
  method: 'POST',
  path: '/api/registration',
  query: {},
  status,
  body: JSON.stringify({ barcode, fields: { first_name: firstName, last_name: lastName, email } }),
});

const ended = (code: number, summary: object) => ({ code, out: JSON.stringify(summary), err: 'said' });
const ADA = guest('Ada', 'C-1');
const BOB = guest('Bob');
const ALL_SENT = { sent: 2, unchanged: 0, uncertain: 0, problems: [] };
const BOB_IN_DOUBT = {
  sent: 1,
  unchanged: 0,
  uncertain: 1,
  problems: [{ place: 'guests.csv:3', state: 'uncertain' }],
};

/** Ada and Bob are there once, as the file has them; `change` says what is otherwise. */
const judged = (change: Partial<Evidence> = {}) =>
  judge({
    guests: [ADA, BOB],
    registrations: [registration(ADA), registration(BOB)],
    requests: [post(ADA), post(BOB)],
    resumed: ended(0, ALL_SENT),
    again: { ...ended(0, ALL_SENT), requests: [] },
    ...change,
  });

describe('the verdict on a push under fire', () => {
  test('is clean when everybody is there once and the program says so', () => {
    expect(judged()).toEqual({ lost: 0, doubled: 0, uncertain: 0, violations: [] });
  });

  test('counts a row that is not there as lost', () => {
    const verdict = judged({ registrations: [registration(ADA)] });
    expect(verdict).toMatchObject({ lost: 1, doubled: 0 });
    expect(verdict.violations.join()).toContain('lost: 1 of');
  });

  test('counts other values than those of the file as lost', () => {
    const old = registration({ ...ADA, lastName: 'Maiden' });
    expect(judged({ registrations: [old, registration(BOB)] })).toMatchObject({ lost: 1, doubled: 0 });
  });

  test('takes a row without a barcode as not lost when it is listed as uncertain', () => {
    const doubt = { resumed: ended(5, BOB_IN_DOUBT), again: { ...ended(5, BOB_IN_DOUBT), requests: [] } };
    const there = judged(doubt);
    const notThere = judged({ ...doubt, registrations: [registration(ADA)] });
    for (const verdict of [there, notThere]) {
      expect(verdict).toEqual({ lost: 0, doubled: 0, uncertain: 1, violations: [] });
    }
  });

  test('does not take a row with a barcode as uncertain', () => {
    const doubt = { ...BOB_IN_DOUBT, problems: [{ place: 'guests.csv:2', state: 'uncertain' }] };
    const verdict = judged({ resumed: ended(5, doubt), again: { ...ended(5, doubt), requests: [] } });
    expect(verdict.violations).toEqual(['uncertain in spite of a barcode: lines 2']);
    expect(judged({ resumed: ended(5, doubt), registrations: [registration(BOB)] })).toMatchObject({
      lost: 1,
    });
  });

  test.each([
    ['with a barcode', ADA],
    ['without one', BOB],
  ])('counts a second registration %s as doubled', (_, twice) => {
    const verdict = judged({ registrations: [ADA, BOB, twice].map(registration) });
    expect(verdict).toMatchObject({ lost: 0, doubled: 1 });
    expect(verdict.violations.join()).toContain('doubled: 1 too many of');
  });

  test('takes two equal rows as two people', () => {
    const guests = [ADA, BOB, BOB];
    const summary = { ...ALL_SENT, sent: 3 };
    const end = { resumed: ended(0, summary), again: { ...ended(0, summary), requests: [] } };
    const requests = guests.map((one) => post(one));
    expect(judged({ guests, requests, registrations: guests.map(registration), ...end }).violations).toEqual(
      [],
    );
    expect(judged({ guests, requests, ...end })).toMatchObject({ lost: 1 });
  });

  test('sees what was sent twice in the log, where the service hides it', () => {
    const { violations } = judged({ requests: [post(ADA), post(BOB), post(ADA, 409)] });
    expect(violations).toEqual(['sent although the service had it: C-1']);
  });

  test('lets a row be sent again that the service did not take', () => {
    expect(judged({ requests: [post(ADA, 500), post(ADA), post(BOB)] }).violations).toEqual([]);
  });

  test('sees that a row was sent which the service had before', () => {
    const { violations } = judged({ guests: [guest('Ada', 'C-1', true), BOB] });
    expect(violations).toEqual(['sent although the service had it: C-1']);
  });

  test('sees that the same push once more sends something or ends otherwise', () => {
    const { violations } = judged({ again: { ...ended(3, ALL_SENT), requests: [post(BOB)] } });
    expect(violations).toHaveLength(2);
    expect(violations[0]).toContain('once more sent');
    expect(violations[1]).toContain('it ended with 3: said');
  });

  test.each([
    ['a wrong exit code', 3, ALL_SENT, 'ended with 3, not 0'],
    ['a count that does not add up', 0, { ...ALL_SENT, sent: 1 }, 'are not 2'],
    [
      'another problem than doubt',
      0,
      { ...ALL_SENT, problems: [{ place: 'guests.csv:2', state: 'conflict' }] },
      'rows with problems',
    ],
    ['doubt that is not listed', 5, { ...ALL_SENT, sent: 1, uncertain: 1 }, '1 uncertain, 0 listed'],
  ])('sees %s', (_, code, summary, violation) => {
    const verdict = judged({
      resumed: ended(code, summary),
      again: { ...ended(code, summary), requests: [] },
    });
    expect(verdict.violations.join()).toContain(violation);
  });

  test('sees a resumed push that gave no summary', () => {
    const { violations } = judged({ resumed: { code: 1, out: '', err: 'The journal is broken.' } });
    expect(violations[0]).toBe('the resumed push gave no summary; it ended with 1: The journal is broken.');
  });
});
