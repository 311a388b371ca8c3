import { describe, expect, test } from 'vitest';
import type { Difference } from '../../../src/registration/model/registration.ts';
import { ROW_STATES } from '../../../src/registration/model/row-states.ts';
import type { ChapterView, LookView } from '../../../src/report/views/story-view.ts';
import { tellStory } from '../../../src/sync/tell/advice.ts';
import type { Chapter } from '../../../src/sync/tell/standing.ts';

const VIEW = {
  run: '20270301-4f9a2c',
  kind: 'push',
  runState: 'finished',
  files: ['guests.csv', 'more.csv'],
  place: 'guests.csv:17',
  op: 'send',
  state: 'done',
  barcode: 'A',
  changes: [],
  storedOtherwise: [],
  differences: [],
  findings: [],
};
type Facts = Partial<ChapterView> & { undoes?: string; isUnderWay?: boolean };

function chapter({ undoes, isUnderWay = false, ...facts }: Facts): Chapter {
  const view = { ...VIEW, ...facts };
  return {
    view,
    row: { payload: { barcode: view.barcode }, verdicts: verdictsOf(view) },
    run: { undoes },
    isUnderWay,
  } as Chapter;
}

const verdictsOf = ({ changes }: Pick<ChapterView, 'changes'>) =>
  Object.fromEntries(changes.map(({ field, verdict = 'send' }) => [field, verdict]));

/** What is said of the first of some chapters, the last first. */
function told(...facts: readonly Facts[]): { now: string; next: string } {
  const look: LookView = { kind: 'not-asked', why: undefined, at: 0, knownAt: undefined };
  const { now, next } = tellStory(facts.map(chapter), look, (words) => `$ ${words.join(' ')}`);
  return { now, next };
}

const SAME = 'Run the same command again';
const PUSH = `${SAME} ($ push guests.csv more.csv)`;
const ONE = '$ push guests.csv more.csv --only A';
const LOOK = 'Look at it ($ list --barcode A)';
const NOTHING = 'There is nothing to do.';
const MEND = `${LOOK}, and put right the service or the file.`;
const CONFLICT = 'Its row is in conflict with the service';
const CHOOSE = `${LOOK}. To send what the file says: ${ONE} --overwrite; to leave what the service has: ${ONE} --keep.`;
const AGAIN = 'Push again once the service or the file is put right';
const DOUBT = 'The service may or may not hold it';
const DECIDE = 'Look in the service, then say what you found: $ runs decide 20270301-4f9a2c';

const changed = (field: string): Difference => ({ field, kind: 'changed', expected: 'a', found: 'b' });
const stored = (field: string) => ({ field, before: 'a', after: 'b' });
const held = (field: string, verdict: string) => ({ ...stored(field), verdict });

describe('what is said of a registration that was sent', () => {
  test.each<[Facts, now: string, next: string]>([
    [
      { state: 'rejected' },
      'Its row was rejected, and not sent.',
      'Mend guests.csv:17 and push the file again.',
    ],
    [{ state: 'pending' }, 'Its row has not been sent.', `${PUSH}: it sends what is left.`],
    [
      { state: 'pending', kind: 'undo of R' },
      'Its row has not been sent.',
      `${SAME}: it sends what is left.`,
    ],
    [{ state: 'pending', files: ['-'] }, 'Its row has not been sent.', `${SAME}: it sends what is left.`],
    [
      { state: 'pending', runState: 'closed' },
      'Its row has not been sent, and the push that went on from this one did not have it.',
      NOTHING,
    ],
    [
      { state: 'sending' },
      `The run was ended before an answer came. ${DOUBT}.`,
      `${PUSH}: it looks whether it is there.`,
    ],
    [
      { state: 'uncertain', message: 'No answer (503).' },
      `${DOUBT}: No answer (503).`,
      `${PUSH}: it looks whether it is there.`,
    ],
    [{ state: 'uncertain', barcode: undefined }, `${DOUBT}.`, `${DECIDE} guests.csv:17 sent, or not-sent.`],
    [
      { state: 'unchanged', changes: [held('phone', 'kept')] },
      'The service held it as the row has it, but for what stays as it is there (phone), so it was not sent.',
      NOTHING,
    ],
    [
      {
        state: 'conflict',
        message: 'it has been deleted since; --overwrite creates it again, --keep does not',
      },
      `${CONFLICT}: it has been deleted since; --overwrite creates it again, --keep does not.`,
      CHOOSE,
    ],
    [{ state: 'unchanged' }, 'The service held it as the row has it, so it was not sent.', NOTHING],
    [
      { state: 'accepted' },
      'The service took it, without showing a registration.',
      `${PUSH}: it reads back what the service made of it.`,
    ],
    [
      { state: 'failed', message: 'e.g. no such country' },
      'The service refused what was sent: e.g. no such country.',
      `Mend what it names. ${PUSH} then: it sends what was refused once more.`,
    ],
    [
      { state: 'conflict', message: 'two have its barcode' },
      `${CONFLICT}: two have its barcode.`,
      `${LOOK}. ${AGAIN}.`,
    ],
    [
      { state: 'conflict', barcode: undefined, message: 'two may be it: --match email, or --match none' },
      `${CONFLICT}: two may be it: --match email, or --match none.`,
      'Look at it. Push again with the flag that fits, or once the service or the file is put right.',
    ],
    [{ state: 'conflict', changes: [held('phone', 'conflict')] }, `${CONFLICT}.`, CHOOSE],
    [{ state: 'conflict', changes: [held('barcode', 'conflict')] }, `${CONFLICT}.`, `${LOOK}. ${AGAIN}.`],
    [
      { state: 'conflict', barcode: undefined, changes: [held('phone', 'conflict')] },
      `${CONFLICT}.`,
      `Look at it. ${AGAIN}.`,
    ],
    [
      { state: 'blocked', parentBarcode: 'P', message: 'its parent failed' },
      'Its row was not sent: its parent failed.',
      'See what its parent needs: $ runs why P.',
    ],
    [{ state: 'blocked' }, 'Its row was not sent.', 'Push it again when its parent is there.'],
    [
      { state: 'deleted' },
      'It has been deleted with eventreg since it was sent.',
      'Push the file again to send it once more; take it out of the file otherwise.',
    ],
    [{}, 'The service took it.', NOTHING],
    [
      { checkedAt: Date.UTC(2027, 2, 1, 8, 5, 59), message: 'seen' },
      'The service holds it as sent (read back 2027-03-01 08:05 UTC).',
      NOTHING,
    ],
    [{ message: 'seen' }, 'The service holds it: seen.', NOTHING],
    [{ changes: [held('phone', 'conflict')] }, 'The service took it.', CHOOSE],
    [{ changes: [held('phone', 'kept')] }, 'The service took it.', NOTHING],
    [
      { storedOtherwise: [stored('phone')], differences: [changed('company')] },
      'The service holds it; not sent, and not as before: company.',
      MEND,
    ],
    [
      {
        differences: [changed('company'), { ...changed('phone'), kind: 'stored' }],
        findings: ['it is twice'],
      },
      'The service holds it; stored otherwise than sent: phone; not sent, and not as before: company; it is twice.',
      MEND,
    ],
    [
      { findings: ['it is there twice', 'so it seems'] },
      'The service holds it; it is there twice; so it seems.',
      MEND,
    ],
  ])('%j', (facts, now, next) => {
    expect(told(facts)).toEqual({ now, next });
  });
});

describe('what is said of a registration that was to be deleted', () => {
  test.each<[Facts, now: string, next: string]>([
    [{ state: 'deleted' }, 'Run 20270301-4f9a2c has deleted it.', NOTHING],
    [{ state: 'unchanged' }, 'It was to be deleted, and was not there any more.', NOTHING],
    [{ state: 'pending' }, 'It is still to be deleted.', `${SAME}: it deletes what is left.`],
    [
      { state: 'pending', kind: 'push' },
      'It is still to be deleted.',
      `${SAME} once all its rows get through ($ push guests.csv more.csv --prune): it deletes what is left.`,
    ],
    [
      { state: 'conflict', message: 'edited since' },
      'It was not deleted: edited since.',
      `${LOOK}. ${SAME} if it is to go all the same.`,
    ],
    [
      { state: 'failed', message: 'no right to.' },
      'It was not deleted: no right to.',
      `Mend what the service names. ${SAME} then.`,
    ],
    [{ state: 'sending' }, 'It may or may not have been deleted.', `${SAME}: it looks what is left.`],
  ])('%j', (facts, now, next) => {
    expect(told({ kind: 'delete', op: 'delete', ...facts })).toEqual({ now, next });
  });
});

describe('what the next push of the list brings back is said', () => {
  const push = { run: 'R' };
  const again = 'Take it out of guests.csv, more.csv: as it is, its next push registers it again.';

  test.each<[name: string, Facts, next: string]>([
    ['after a delete', { kind: 'delete', op: 'delete', state: 'deleted' }, again],
    ['after an undo that deletes', { kind: 'undo of R', undoes: 'R', op: 'delete', state: 'deleted' }, again],
    [
      'after an undo that sends',
      { kind: 'undo of R', undoes: 'R', changes: [stored('phone')] },
      'Mend guests.csv, more.csv: as it is, its next push sends again what was taken back (phone).',
    ],
    ['but not where its file has it no more', { op: 'delete', state: 'deleted' }, NOTHING],
    ['nor where the undone run is forgotten', { kind: 'undo of S', undoes: 'S' }, NOTHING],
  ])('%s', (_, facts, next) => {
    expect(told(facts, push).next).toBe(next);
  });
});

test.each(['send', 'delete'] as const)('what somebody works on is waited for: %s', (op) => {
  const next = 'Wait for run 20270301-4f9a2c to end.';
  const of = (state: ChapterView['state']) => told({ op, state, isUnderWay: true });
  expect(of('pending')).toEqual({ now: 'Its turn has not come yet.', next });
  expect(of('sending')).toEqual({ now: 'Its request is under way at this moment.', next });
  expect(of('failed')).toEqual(told({ op, state: 'failed' }));
});

test.each(ROW_STATES)('%s is told in whole sentences, whatever its message', (state) => {
  for (const op of ['send', 'delete'] as const) {
    for (const message of [undefined, 'No.', 'too long']) {
      const { now, next } = told({ op, state, message });
      expect(now).toMatch(/^[A-Z].*[^.]\.$/);
      expect(next).toMatch(/^[A-Z].*[^.]\.$/);
    }
  }
});
