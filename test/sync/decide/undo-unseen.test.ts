import { describe, expect, test } from 'vitest';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { describeUnseen, neverListed } from '../../../src/sync/decide/undo-unseen.ts';

const SENT: Registration = {
  persona: 'visitor',
  fields: { name: 'Ada' },
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
};
const IMAGE: RecordImage = { persona: 'visitor', fields: { name: 'Ada' } };

interface Given {
  sent?: Partial<Registration> | undefined;
  before?: RecordImage | undefined;
  after?: RecordImage;
  isReadBack?: boolean;
  parentsShown?: boolean;
  earlier?: readonly Partial<Registration>[];
  now?: RecordImage;
}

const rowOf = (given: Given) => ({
  sent: 'sent' in given && given.sent === undefined ? undefined : { ...SENT, ...given.sent },
  before: 'before' in given ? given.before : IMAGE,
  after: given.after,
  isReadBack: given.isReadBack ?? false,
});

function unseen(given: Given): string | undefined {
  const { parentsShown = true, earlier, now = IMAGE } = given;
  const sends = earlier?.map((one) => ({ ...SENT, ...one }));
  return describeUnseen(
    { row: rowOf(given), parentsShown, ...(sends === undefined ? {} : { earlier: () => sends }) },
    now,
  );
}

const MEMBER = 'it may still be a member of P (parent_barcode), which the service does not list';
const MESSAGES = 'it may ask for messages since (enable_comms), which the service does not list';
const FIELDS = (slugs: string): string =>
  `whether ${slugs} is as it was before cannot be told: the service does not list what was sent`;

test('of what is listed as it was sent, nothing is unseen', () => {
  expect(unseen({})).toBeUndefined();
  expect(unseen({ sent: undefined })).toBeUndefined();
});

describe('a parent that is never listed', () => {
  const member = { sent: { parentBarcode: 'P' }, parentsShown: false };

  test('may be left of the run', () => {
    expect(unseen(member)).toBe(MEMBER);
    expect(unseen({ ...member, earlier: [] })).toBe(MEMBER);
    expect(unseen({ ...member, earlier: [{ parentBarcode: 'Q' }, { parentBarcode: 'P' }] })).toBe(MEMBER);
    expect(unseen({ ...member, earlier: [{ leavesGroup: true }, { parentBarcode: 'P' }] })).toBe(MEMBER);
  });

  test('is not of the run where an earlier one had sent the same', () => {
    expect(unseen({ ...member, earlier: [{ parentBarcode: 'P' }] })).toBeUndefined();
    expect(unseen({ ...member, earlier: [{}, { parentBarcode: 'P' }] })).toBeUndefined();
  });

  test('would be listed where parents are shown', () => {
    expect(unseen({ ...member, parentsShown: true })).toBeUndefined();
    expect(unseen({ parentsShown: false })).toBeUndefined();
  });
});

describe('messages that are never listed', () => {
  const loud = { sent: { enableComms: true } };

  test('may be asked for because of the run', () => {
    expect(unseen(loud)).toBe(MESSAGES);
    expect(unseen({ ...loud, earlier: [] })).toBe(MESSAGES);
    expect(unseen({ ...loud, earlier: [{}, { enableComms: true }] })).toBe(MESSAGES);
  });

  test.each<[string, Given]>([
    ['asked for before', { ...loud, earlier: [{ enableComms: true }] }],
    ['listed before', { ...loud, before: { ...IMAGE, enableComms: false } }],
    ['listed now', { ...loud, now: { ...IMAGE, enableComms: true } }],
    ['of a registration that was not there before', { ...loud, before: undefined }],
  ])('are not unseen where they were %s', (_, given) => {
    expect(unseen(given)).toBeUndefined();
  });
});

describe('fields that are never listed', () => {
  const sent = { fields: { name: 'Ada', note: 'vegan', tags: ['a', 'b'] } };

  test('are told together with all else', () => {
    expect(unseen({ sent })).toBe(FIELDS('note, tags'));
    const all = { sent: { ...sent, parentBarcode: 'P', enableComms: true }, parentsShown: false };
    expect(unseen(all)).toBe(`${MEMBER}; ${MESSAGES}; ${FIELDS('note, tags')}`);
  });

  test('are not told where the newest that had sent them had sent the same', () => {
    const same = { fields: { note: 'vegan' } };
    expect(unseen({ sent, earlier: [{ fields: {} }, same] })).toBe(FIELDS('tags'));
    expect(unseen({ sent, earlier: [{ fields: { note: 'nuts' } }, same] })).toBe(FIELDS('note, tags'));
    expect(unseen({ sent, earlier: [{ fields: { tags: ['a', 'b'] } }] })).toBe(FIELDS('note'));
  });

  test.each<[string, Given, readonly string[]]>([
    ['in no list', {}, ['note', 'tags']],
    ['before', { before: { fields: { note: 'x' } } }, ['tags']],
    ['since', { after: { fields: { note: 'x' } }, isReadBack: true }, ['tags']],
    ['now', { now: { fields: { note: 'x' } } }, ['tags']],
    ['now, if empty', { now: { fields: { note: '', tags: [] } } }, ['note', 'tags']],
    ['as they were sent', { isReadBack: true }, []],
    ['of a registration that was not there', { before: undefined }, []],
    ['of a row of which nothing was sent', { sent: undefined }, []],
    ['of a row that empties them', { sent: { fields: { note: '', tags: [] } } }, []],
  ])('are those that were listed %s', (_, given, slugs) => {
    expect(neverListed(rowOf({ sent, ...given }), given.now ?? IMAGE)).toEqual(slugs);
  });
});
