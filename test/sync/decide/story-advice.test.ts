import { describe, expect, test } from 'vitest';
import { adviseOn } from '../../../src/sync/decide/story-advice.ts';
import { ROW_STATES } from '../../../src/registration/model/row-states.ts';
import type { Difference } from '../../../src/registration/model/difference.ts';
import type { ChapterView } from '../../../src/report/views/story-view.ts';

const CHAPTER: ChapterView = {
  run: '20270301-4f9a2c',
  kind: 'push',
  runState: 'finished',
  startedAt: 0,
  files: ['guests.csv', 'more.csv'],
  event: 'Fair',
  service: 'https://one.example/api',
  place: 'guests.csv:17',
  op: 'send',
  state: 'done',
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  registrationId: 'reg-1',
  enableComms: false,
  askedToWriteAt: undefined,
  plan: 'create',
  changes: [],
  storedOtherwise: [],
  differences: [],
  findings: [],
  notes: [],
  reasons: [],
  message: undefined,
  because: [],
  attempts: 1,
  steps: [],
  checkedAt: undefined,
};

const chapter = (facts: Partial<ChapterView>): ChapterView => ({ ...CHAPTER, ...facts });

const AGAIN = 'Run the same command again';
const PUSH = `${AGAIN} (eventreg push guests.csv more.csv)`;
const LOOK = 'Look at it (eventreg list --barcode A)';
const NOTHING = 'There is nothing to do.';
const DECIDE = 'Look in the service, then say what you found: eventreg runs decide 20270301-4f9a2c';
const MEND = `${LOOK}, and put right the service or the file; --overwrite sends the file's values.`;

const changed = (field: string): Difference => ({ field, kind: 'changed', expected: 'a', found: 'b' });
const stored = (field: string) => ({ field, before: 'a', after: 'b' });

type Told = [name: string, facts: Partial<ChapterView>, now: string, next: string];

describe('what is said of a registration that was sent', () => {
  test.each<Told>([
    [
      'rejected',
      { state: 'rejected' },
      'It was not sent, because the row was rejected.',
      'Mend guests.csv:17 and push the file again.',
    ],
    [
      'rejected, no longer in a file',
      { state: 'rejected', place: undefined },
      'It was not sent, because the row was rejected.',
      'Mend the row and push the file again.',
    ],
    ['not sent yet', { state: 'pending' }, 'It has not been sent.', `${PUSH}: it sends what is left.`],
    [
      'not sent yet, by a run that is no push',
      { state: 'pending', kind: 'undo of 20270301-4f9a2c' },
      'It has not been sent.',
      `${AGAIN}: it sends what is left.`,
    ],
    [
      'not sent yet, from no file',
      { state: 'pending', files: [] },
      'It has not been sent.',
      `${AGAIN}: it sends what is left.`,
    ],
    [
      'cut off',
      { state: 'sending' },
      'The run was ended before an answer came. The service may or may not hold it.',
      `${PUSH}: it looks whether it is there.`,
    ],
    [
      'in doubt, with a barcode',
      { state: 'uncertain', message: 'No answer (503).' },
      'The service may or may not hold it: No answer (503).',
      `${PUSH}: it looks whether it is there.`,
    ],
    [
      'in doubt, without a barcode',
      { state: 'uncertain', barcode: undefined },
      'The service may or may not hold it.',
      `${DECIDE} guests.csv:17 sent, or not-sent.`,
    ],
    [
      'in doubt, without barcode and place',
      { state: 'uncertain', barcode: undefined, place: undefined },
      'The service may or may not hold it.',
      `${DECIDE} PLACE sent, or not-sent.`,
    ],
    [
      'held already',
      { state: 'unchanged' },
      'The service held it as the row has it, so it was not sent.',
      NOTHING,
    ],
    [
      'taken without an id',
      { state: 'accepted' },
      'The service took it, without showing a registration.',
      `${PUSH}: it reads back what the service made of it.`,
    ],
    [
      'refused',
      { state: 'failed', message: 'e.g. no such country' },
      'The service refused it: e.g. no such country.',
      `Mend what it names. ${PUSH} then: it sends what was refused once more.`,
    ],
    [
      'in conflict',
      { state: 'conflict', message: 'two have its barcode' },
      'It is in conflict with what the service holds: two have its barcode.',
      `${LOOK}, put right the service or the file, and push again; --overwrite sends the file's values.`,
    ],
    [
      'in conflict, without a barcode',
      { state: 'conflict', barcode: undefined },
      'It is in conflict with what the service holds.',
      "Look at it, put right the service or the file, and push again; --overwrite sends the file's values.",
    ],
    [
      'blocked',
      { state: 'blocked', parentBarcode: 'P', message: 'its parent failed' },
      'It was not sent: its parent failed.',
      'See what its parent needs: eventreg runs why P.',
    ],
    [
      'blocked by a parent that is not known',
      { state: 'blocked' },
      'It was not sent.',
      `${PUSH} when its parent is there.`,
    ],
    [
      'deleted since',
      { state: 'deleted' },
      'It has been deleted with eventreg since it was sent.',
      'Push the file again to send it once more; take it out of the file otherwise.',
    ],
  ])('%s', (_, facts, now, next) => {
    expect(adviseOn(chapter(facts), false)).toEqual({ now, next });
  });
});

describe('what is said of a registration that the service took', () => {
  test.each<Told>([
    ['and nothing more is known', {}, 'The service took it.', NOTHING],
    [
      'and that was read back',
      { checkedAt: Date.UTC(2027, 2, 1, 8, 5, 59), message: 'seen' },
      'The service holds it as sent (read back 2027-03-01 08:05 UTC).',
      NOTHING,
    ],
    ['as somebody says', { message: 'seen' }, 'The service holds it: seen.', NOTHING],
    [
      'with values of its own',
      { checkedAt: 0, storedOtherwise: [stored('phone'), stored('name')] },
      'The service holds it, with other values than were sent in: phone, name.',
      NOTHING,
    ],
    [
      'with values of its own, and others that are not as before',
      { storedOtherwise: [stored('phone')], differences: [changed('company')] },
      'The service holds it, with other values than were sent in: phone.',
      MEND,
    ],
    [
      'and that has changed what was not sent',
      {
        checkedAt: 0,
        differences: [changed('company'), { ...changed('phone'), kind: 'stored' }, changed('comms')],
      },
      'The service holds it as sent; not sent, and not as before: company, comms.',
      MEND,
    ],
    [
      'and that the audit wonders at',
      { checkedAt: 0, findings: ['it is there twice', 'so it seems'] },
      'The service holds it; it is there twice; so it seems.',
      MEND,
    ],
    [
      'and that the audit wonders at beside other values',
      { differences: [changed('company')], findings: ['it is there twice'] },
      'The service holds it as sent; not sent, and not as before: company.',
      MEND,
    ],
  ])('%s', (_, facts, now, next) => {
    expect(adviseOn(chapter(facts), false)).toEqual({ now, next });
  });
});

describe('what is said of a registration that was to be deleted', () => {
  test.each<Told>([
    ['gone', { state: 'deleted' }, 'It has been deleted.', NOTHING],
    ['gone before', { state: 'unchanged' }, 'It was to be deleted, and was not there any more.', NOTHING],
    ['still to come', { state: 'pending' }, 'It is still to be deleted.', `${AGAIN}: it goes on from there.`],
    [
      'still to come, by a push that prunes',
      { state: 'pending', kind: 'push' },
      'It is still to be deleted.',
      `${PUSH}: it goes on from there.`,
    ],
    [
      'in conflict',
      { state: 'conflict', message: 'edited since' },
      'It was not deleted: edited since.',
      `${LOOK}. ${AGAIN} if it is to go all the same.`,
    ],
    [
      'refused',
      { state: 'failed', message: 'no right to.' },
      'It was not deleted: no right to.',
      `Mend what the service names. ${AGAIN} then.`,
    ],
    [
      'in doubt',
      { state: 'uncertain', message: 'no answer' },
      'It may or may not have been deleted: no answer.',
      `${AGAIN}: it looks what is left.`,
    ],
    [
      'cut off',
      { state: 'sending' },
      'It may or may not have been deleted.',
      `${AGAIN}: it looks what is left.`,
    ],
  ])('%s', (_, facts, now, next) => {
    expect(adviseOn(chapter({ kind: 'delete', op: 'delete', ...facts }), false)).toEqual({ now, next });
  });
});

describe('while somebody works on its run', () => {
  const next = 'Wait for run 20270301-4f9a2c to end.';

  test.each(['send', 'delete'] as const)('what is open is waited for: %s', (op) => {
    expect(adviseOn(chapter({ op, state: 'pending' }), true)).toEqual({
      now: 'Its turn has not come yet.',
      next,
    });
    expect(adviseOn(chapter({ op, state: 'sending' }), true)).toEqual({
      now: 'Its request is under way at this moment.',
      next,
    });
  });

  test('what is settled is told as ever', () => {
    const settled = ROW_STATES.filter((state) => state !== 'pending' && state !== 'sending');
    for (const state of settled) {
      expect(adviseOn(chapter({ state }), true)).toEqual(adviseOn(chapter({ state }), false));
    }
  });
});

test.each(ROW_STATES)('%s is told in whole sentences, whatever its message', (state) => {
  for (const op of ['send', 'delete'] as const) {
    for (const message of [undefined, 'No.', 'too long']) {
      const { now, next } = adviseOn(chapter({ op, state, message }), false);
      expect(now).toMatch(/^[A-Z].*[^.]\.$/);
      expect(next).toMatch(/^[A-Z].*[^.]\.$/);
    }
  }
});
