import { describe, expect, test } from 'vitest';
import { fieldAspect, MESSAGES, PARENT, PERSONA } from '../../../src/registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { addUnsaid, judgeValue, type Pair, writtenText } from '../../../src/sync/decide/judge-value.ts';
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
    judgeValue(aspect, {
      registration: { ...ROW, fields: { [aspect.key]: wanted } },
      record: { fields: { [aspect.key]: listed } },
      pair,
      parentsShown: true,
      digest,
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
    judgeValue(aspect, {
      registration: { ...ROW, ...registration },
      record: more.record ?? {},
      pair: more.pair,
      parentsShown: more.parentsShown ?? true,
      digest,
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
    addUnsaid(pairs, new Set(['mail']), {
      aspects: [NAME, MAIL, PARENT],
      record: { fields: { name: 'Eve', mail: 'x' }, parentBarcode: 'P' },
      digest,
    });
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
