import { expect, test } from 'vitest';
import { listedFields } from '../../../src/sync/snapshot/read-now.ts';

const RECORDS = [
  { persona: 'visitor', fields: { company: 'Acme', note: null } },
  { persona: 'exhibitor', fields: { stand: '' } },
  { fields: { phone: '1' } },
];

test.each([
  ['visitor', 'company', true],
  // What is listed blank is shown.
  ['visitor', 'note', true],
  ['exhibitor', 'stand', true],
  ['visitor', 'stand', false],
  ['exhibitor', 'company', false],
  // Whose record that is nobody knows.
  ['visitor', 'phone', true],
  ['visitor', 'remarks', false],
])('%s: %s is listed: %s', (persona, slug, is) => {
  expect(listedFields(() => RECORDS)(persona, slug)).toBe(is);
});
