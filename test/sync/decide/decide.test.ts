import { describe, expect, test } from 'vitest';
import { fieldAspect, MESSAGES, PARENT, PERSONA } from '../../../src/registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { addUnsaid, knownByPair, type Pair, writtenText } from '../../../src/sync/decide/base.ts';
import {
  decide,
  type Decision,
  decideValue,
  knownByImage,
  type Question,
} from '../../../src/sync/decide/decide.ts';
import { field } from '../../registration/persona-fixture.ts';

const OWN = [field('name', 'name'), field('mail', 'email')];
const NAME = fieldAspect('name', OWN);
const MAIL = fieldAspect('mail', OWN);
const digest = (text: string): string => `#${text}`;
const ROW: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: {},
};

describe('a value', () => {
  const judge = (pair: Pair | undefined, wanted: string, listed: string, aspect = NAME) =>
    decideValue(aspect, {
      want: { ...ROW, fields: { [aspect.key]: wanted } },
      have: { fields: { [aspect.key]: listed } },
      known: knownByPair(aspect, pair, digest),
      parentsShown: true,
    });

  test('that was sent and never seen is as it was sent, to the letter or as it is compared', () => {
    const sent = { said: '#Ada@b.example', seen: undefined };
    expect(judge(sent, 'bo@b.example', 'Ada@b.example', MAIL)).toBe('send');
    expect(judge({ ...sent, said: '#ada@b.example' }, 'bo@b.example', 'ADA@b.example', MAIL)).toBe('send');
    expect(judge(sent, 'bo@b.example', 'eve@b.example', MAIL)).toBe('conflict');
    expect(judge(sent, 'Ada@b.example', 'eve@b.example', MAIL)).toBe('conflict');
  });

  test('that was refused is told as refused while nothing changes', () => {
    const pair = { said: '#Ada', seen: '#A' };
    expect(judge(pair, 'Ada', 'A')).toBe('settled');
    expect(judge({ ...pair, refused: true }, 'Ada', 'A')).toBe('refused');
    expect(judge({ ...pair, refused: true }, 'Ada', 'B')).toBe('kept');
  });

  test('that is seen to be another than it was sent is not as it was sent, whatever was said', () => {
    expect(judge({ said: '#Ada', seen: '#A' }, 'Bo', 'Ada')).toBe('conflict');
    expect(judge({ said: '#Ada', seen: '#A' }, 'Bo', 'A')).toBe('send');
  });
});

describe('what is not shown', () => {
  const judge = (
    aspect: typeof NAME,
    registration: Partial<Registration>,
    more: { pair?: Pair; parentsShown?: boolean; record?: RecordImage } = {},
  ) =>
    decideValue(aspect, {
      want: { ...ROW, ...registration },
      have: more.record ?? {},
      known: knownByPair(aspect, more.pair, digest),
      parentsShown: more.parentsShown ?? true,
    });

  test('is taken for what the file says, where that may be hidden', () => {
    expect(judge(PERSONA, {})).toBe('same');
    expect(judge(MESSAGES, { enableComms: true })).toBe('same');
    expect(judge(PERSONA, {}, { parentsShown: false })).toBe('same');
  });

  test('is sent where a parent is new in the file, and no parents are shown', () => {
    const hidden = { parentsShown: false };
    const member = { parentBarcode: 'P' };
    expect(judge(PARENT, member, hidden)).toBe('send');
    expect(judge(PARENT, member, { ...hidden, pair: { said: '#Q', seen: undefined } })).toBe('send');
    expect(judge(PARENT, member, { ...hidden, pair: { said: '#P', seen: undefined } })).toBe('settled');
    expect(judge(PARENT, member, { pair: { said: '#P', seen: '#P' } })).toBe('kept');
  });
});

describe('what is known', () => {
  test('of what no file has spoken of is what was seen first', () => {
    const known: Pair = { said: '#Ada', seen: '#Ada' };
    const pairs = new Map([['name', known]]);
    const record = { fields: { name: 'Eve', mail: 'x' }, parentBarcode: 'P' };
    addUnsaid(pairs, [NAME, PARENT], { record, digest });
    expect([...pairs]).toEqual([
      ['name', known],
      [':parent_barcode', { said: '-', seen: '#P' }],
    ]);
  });

  test('of a value is kept to the letter: a text as it is, several as a list, nothing as no text', () => {
    expect(writtenText('a  b')).toBe('a  b');
    expect(writtenText(7)).toBe('7');
    expect(writtenText(['b', 'a'])).toBe('["b","a"]');
    expect(writtenText(undefined)).toBe('');
    expect(writtenText(null)).toBe('');
  });
});

describe('the question', () => {
  const before = { persona: 'visitor', fields: { name: 'Ada', mail: 'ada@b.example' } };
  const want = { ...ROW, fields: { name: 'Eve' } };
  const ask = (question: Partial<Question>) =>
    decide({ want, have: before, had: knownByImage(before), aspects: [PERSONA, NAME, MAIL], ...question });
  const decisions = (question: Partial<Question>) => ask(question).values.map(({ decision }) => decision);

  test.each<[string, Partial<Question>, Decision['action']]>([
    ['nobody is wanted, nobody is there', { want: undefined, have: undefined }, 'same'],
    ['somebody is wanted who was never there', { have: undefined, had: undefined }, 'create'],
    ['somebody is wanted who was there', { have: undefined }, 'gone'],
    ['its values are not shown', { have: { id: 'r' } }, 'unsure'],
    ['it is as it is wanted', { aspects: [NAME], have: { fields: { name: 'Eve' } } }, 'same'],
    ['it is as it was', { aspects: [NAME] }, 'put'],
    ['others have changed it', { aspects: [NAME], have: { fields: { name: 'Bo' } } }, 'conflict'],
    [
      'others have changed what is not wanted otherwise',
      { aspects: [MAIL], want: before, have: { fields: { mail: 'x' } } },
      'kept',
    ],
    ['it is to go, and is as it was', { want: undefined }, 'delete'],
    ['it is to go, and shows no persona', { want: undefined, have: { fields: before.fields } }, 'delete'],
    [
      'it is to go, and has changed',
      { want: undefined, have: { ...before, fields: { name: 'Bo' } } },
      'conflict',
    ],
    ['it is to go, and nothing is known of it', { want: undefined, had: undefined }, 'conflict'],
  ])('%s', (_name, question, action) => {
    expect(ask(question).action).toBe(action);
  });

  test('of which nothing was known is sent as such', () => {
    expect(decisions({ had: undefined, aspects: [NAME] })).toEqual(['unbased']);
  });

  test('is answered value by value', () => {
    const have = { persona: 'visitor', fields: { name: 'Eve', mail: 'new@b.example' } };
    expect(decisions({ want: { ...want, fields: { name: 'Eve', mail: 'ada@b.example' } }, have })).toEqual([
      'same',
      'same',
      'kept',
    ]);
  });
});
