import { expect, test } from 'vitest';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Guest } from './guests.ts';
import { judgeState, type StateEvidence } from './verdict-of-state.ts';

const guest = (barcode: string): Guest => ({
  barcode,
  parentBarcode: undefined,
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'a@example.com',
  known: false,
});

const held = (barcode: string, last = 'Byron'): SandboxRegistration => ({
  id: `${barcode} ${last}`,
  persona: 'visitor',
  barcode,
  barcodeGenerated: false,
  parentBarcode: undefined,
  enableComms: false,
  fields: { first_name: 'Ada', last_name: last, email: 'a@example.com' },
  createdAt: 0,
  updatedAt: 0,
});

const END = { code: 0, out: '', err: '' };

function verdict(registrations: SandboxRegistration[], more: Partial<StateEvidence> = {}) {
  const expected = [guest('A'), guest('B')];
  return judgeState({ expected, registrations, resumed: END, again: { ...END, requests: [] }, ...more });
}

test('all is as it is to be', () => {
  expect(verdict([held('A'), held('B')])).toEqual({ lost: 0, doubled: 0, uncertain: 0, violations: [] });
});

test('somebody is gone, is otherwise, is there twice, or should be gone', () => {
  expect(verdict([held('A')])).toMatchObject({ lost: 1, violations: [expect.stringContaining('B')] });
  expect(verdict([held('A'), held('B', 'Curie')])).toMatchObject({ lost: 1, doubled: 0 });
  expect(verdict([held('A'), held('B'), held('B', 'Curie')])).toMatchObject({ lost: 0, doubled: 1 });
  expect(verdict([held('A'), held('B'), held('C')]).violations).toEqual([
    expect.stringContaining('still there: C'),
  ]);
});

test('it ended badly, or went on', () => {
  const all = [held('A'), held('B')];
  expect(verdict(all, { resumed: { ...END, code: 3, err: 'why' } }).violations).toEqual([
    'it ended with 3: why',
  ]);
  const request = { at: 0, method: 'DELETE', path: '/api/registration/1', query: {}, status: 404 };
  expect(verdict(all, { again: { ...END, requests: [request] } }).violations).toHaveLength(1);
});
