import { describe, expect, test } from 'vitest';
import { isSpelling, mayStay } from '../../../src/sync/decide/decide.ts';
import type { FieldChange } from '../../../src/registration/changes/field-change.ts';

const change = (
  before: FieldChange['before'],
  after: FieldChange['after'],
  field = 'company',
): FieldChange => ({ field, before, after });

describe('a value that is listed as before, although another was sent', () => {
  test.each<[string, FieldChange, string | undefined]>([
    ['in capitals', change('ACME LTD', 'Acme Ltd'), 'spelling'],
    ['without accents', change('Jose', 'José'), 'dropped'],
    ['without its signs', change('OBrien', "O'Brien"), 'dropped'],
    ['as another number', change('15', '1.5'), 'dropped'],
    ['with a time of zero', change('2027-03-01 00:00:00', '2027-03-01'), 'spelling'],
    ['with a time of zero, in a zone', change('2027-03-01T00:00Z', '2027-03-01'), 'spelling'],
    ['with parts of seconds', change(' 2027-03-01 00:00:00.000+0000', '2027-03-01'), 'spelling'],
    ['without its time', change('2027-03-01T00:00+00:00', '2027-03-01T10:00'), 'dropped'],
    ['with a time of zero within', change('On 2027-03-01 00:00', 'On 2027-03-01'), undefined],
    ['with a time of zero at first', change('2027-03-01 00:00 noon', '2027-03-01 noon'), undefined],
    ['with other spaces', change('Acme  Ltd', ' AcmeLtd'), 'spelling'],
    ['with typographic signs', change('O’Brien', "O'Brien"), 'spelling'],
    ['escaped by numbers', change('A &#38; B&#x21;', 'A & B!'), 'spelling'],
    ['escaped for HTML', change('A &amp; B', 'A & B'), 'spelling'],
    ['escaped in capitals', change('A &AMP; B', 'A & B'), 'spelling'],
    ['escaped by names', change('&lt;A&gt; &quot;B&quot;&nbsp;&apos;C&apos;', `<A> "B" 'C'`), 'spelling'],
    ['escaped by large numbers', change('&#128512; &#x1F600;', '😀 😀'), 'spelling'],
    ['with other dashes and quotes', change('A – “B”', 'A - "B"'), 'spelling'],
    ['in wide letters', change('ＡＣＭＥ', 'Acme'), 'spelling'],
    ['masked', change('an***@example.com', 'Ann@example.com'), 'spelling'],
    ['masked at both ends', change('•••3412•••', '+34600341234'), 'spelling'],
    ['masked, with another end', change('an***@example.com', 'ann@example.org'), undefined],
    ['masked, with more than there is', change('ann•••nn', 'ann'), undefined],
    ['masked, and so is the other', change('a***', 'b***'), undefined],
    ['a list with an empty entry', change(['a', ''], ['a']), 'spelling'],
    ['one of several, and another one', change(['a', 'x'], ['a', 'b']), undefined],
    ['a list in another order', change(['b', 'A'], ['a', 'b']), 'spelling'],
    ['cut off', change('Longcomp', 'Longcompany'), 'dropped'],
    ['not at all', change(undefined, 'Acme'), 'dropped'],
    ['not emptied', change('Acme', undefined), 'dropped'],
    ['one of several', change(['a'], ['a', 'b']), 'dropped'],
    ['a wish for messages', change('false', 'true', 'enable_comms'), 'dropped'],
    ['something else', change('Old', 'New'), undefined],
    ['something longer', change('Longcompany', 'Longcomp'), undefined],
    ['other signs', change('+', '-'), undefined],
    ['signs, and other letters', change('!', 'a'), undefined],
  ])('%s', (_, given, way) => {
    const { before, after } = given;
    expect([mayStay(given), isSpelling(before, after)]).toEqual([way !== undefined, way === 'spelling']);
  });
});

test('nothing is no spelling of nothing', () => {
  expect(isSpelling(undefined, undefined)).toBe(false);
  expect(isSpelling('', [])).toBe(false);
  expect(isSpelling('a', undefined)).toBe(false);
  expect(isSpelling(['A'], 'a')).toBe(true);
});
