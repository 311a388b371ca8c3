import { expect, test } from 'vitest';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { describeUnseen, unseenFields } from '../../../src/sync/decide/left-behind.ts';

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
  const facts = { row: rowOf(given), parentsShown, earlier: sends && (() => sends) };
  return describeUnseen(unseenFields(facts, now));
}

const FIELDS = (slugs: string): string =>
  `whether ${slugs} is as it was before cannot be told: the service does not list what was sent`;

const MEMBER = FIELDS('parent_barcode');
const MESSAGES = FIELDS('enable_comms');

const P = { parentBarcode: 'P' };
const MEMBER_OF_P = { sent: P, parentsShown: false };
const LOUD = { sent: { enableComms: true } };
const NOTES = { fields: { name: 'Ada', note: 'vegan', tags: ['a', 'b'] } };
const SAME = { fields: { note: 'vegan' } };

/** What may be left of a run that no list shows; undefined: nothing. */
test.each<[string, Given, string | undefined]>([
  ['all is listed as it was sent', {}, undefined],
  ['a parent', MEMBER_OF_P, MEMBER],
  ['a parent, another was sent before', { ...MEMBER_OF_P, earlier: [{ parentBarcode: 'Q' }, P] }, MEMBER],
  ['a parent, it was taken out before', { ...MEMBER_OF_P, earlier: [{ leavesGroup: true }, P] }, MEMBER],
  ['a parent, the same was sent before', { ...MEMBER_OF_P, earlier: [{}, P] }, undefined],
  ['a parent, which would be listed', { sent: P, parentsShown: true }, undefined],
  ['no parent', { parentsShown: false }, undefined],
  ['messages', LOUD, MESSAGES],
  ['messages, asked for long before', { ...LOUD, earlier: [{}, { enableComms: true }] }, MESSAGES],
  ['messages, asked for before', { ...LOUD, earlier: [{ enableComms: true }] }, undefined],
  ['messages, listed before', { ...LOUD, before: { ...IMAGE, enableComms: false } }, undefined],
  ['messages, listed now', { ...LOUD, now: { ...IMAGE, enableComms: true } }, undefined],
  ['messages of somebody new', { ...LOUD, before: undefined }, undefined],
  ['fields', { sent: NOTES }, FIELDS('note, tags')],
  ['fields, one sent before', { sent: NOTES, earlier: [{ fields: {} }, SAME] }, FIELDS('tags')],
  [
    'fields, another sent since',
    { sent: NOTES, earlier: [{ fields: { note: 'nuts' } }, SAME] },
    FIELDS('note, tags'),
  ],
  [
    'fields, options sent before',
    { sent: NOTES, earlier: [{ fields: { tags: ['a', 'b'] } }] },
    FIELDS('note'),
  ],
  [
    'all of it',
    { sent: { ...NOTES, ...P, enableComms: true }, parentsShown: false },
    FIELDS('parent_barcode, enable_comms, note, tags'),
  ],
])('%s', (_what, given, expected) => {
  expect(unseen(given)).toBe(expected);
});

/** Of those that are in no list. */
test.each<[string, Given, string | undefined]>([
  ['before', { before: { fields: { note: 'x' } } }, FIELDS('tags')],
  ['since', { after: { fields: { note: 'x' } }, isReadBack: true }, FIELDS('tags')],
  ['now', { now: { fields: { note: 'x' } } }, FIELDS('tags')],
  ['now, if empty', { now: { fields: { note: '', tags: [] } } }, FIELDS('note, tags')],
  ['as they were sent', { isReadBack: true }, undefined],
  ['of a registration that was not there', { before: undefined }, undefined],
  ['of a row that empties them', { sent: { fields: { note: '', tags: [] } } }, undefined],
])('fields that were listed %s are not named', (_what, given, expected) => {
  expect(unseen({ sent: NOTES, ...given, now: given.now ?? { fields: { name: 'Ada' } } })).toBe(expected);
});
