import { describe, expect, test } from 'vitest';
import { refusesFields, shapedBody } from '../../src/service/send-registration.ts';
import { visitor } from './visitors.ts';

const ROW = { fields: { first_name: 'Ada', email: 'ada@example.com' } };

const isRefused = (body: unknown, status = 422): boolean =>
  refusesFields({ status, body: typeof body === 'string' ? body : JSON.stringify(body) }, ROW);

describe('a refusal of fields as a whole', () => {
  test.each<[string, unknown]>([
    ['a map', { message: 'The given data is invalid.', errors: { fields: ['must be an array.'] } }],
    ['a list', { errors: [{ field: 'fields', message: 'Expected array, received object' }] }],
    ['a problem', { title: 'Invalid', errors: [{ pointer: '#/fields', detail: 'is not a list' }] }],
    ['a path', { detail: [{ loc: ['body', 'fields'], msg: 'value is not a valid list' }] }],
    ['a sentence', { message: 'The fields field must be an array.' }],
    ['a name in quotes', { error: "'fields' should be a list of objects with slug and value" }],
    ['plain text', 'fields must be a list'],
    ['one line with the key', { message: 'The given data is invalid. fields: Expected array.' }],
  ])('is seen in %s', (_name, body) => {
    expect([isRefused(body), isRefused(body, 400)]).toEqual([true, true]);
    expect(isRefused(body, 500)).toBe(false);
  });

  test.each<[string, unknown]>([
    ['names a field in it', { errors: { 'fields.email': ['is not valid'] } }],
    ['names one by its place', { errors: { 'fields[0].value': ['must be an array'] } }],
    ['names a field beside it', { errors: { fields: ['email is not valid'] } }],
    ['names another key as well', { errors: { fields: ['must be an array'], persona: ['is unknown'] } }],
    ['speaks of required fields', { message: 'Missing required fields: last_name' }],
    ['speaks of all fields', { message: 'All fields must be filled in.' }],
    ['says nothing', ''],
    ['is a page', '<title>Bad request</title>'],
  ])('is none where it %s', (_name, body) => {
    expect(isRefused(body)).toBe(false);
  });
});

test('the body has fields as a list of slug and value, nothing else changes', () => {
  const row = { ...visitor('B1'), parentBarcode: 'P1' };
  const { fields, ...rest } = shapedBody(row, 'object') as { fields: Record<string, unknown> };
  expect(shapedBody(row, 'entries')).toEqual({
    ...rest,
    fields: Object.entries(fields).map(([slug, value]) => ({ slug, value })),
  });
});
