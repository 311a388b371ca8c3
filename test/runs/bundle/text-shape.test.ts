import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextShape } from '../../../src/runs/bundle/text-shape.ts';
import { Tokens } from '../../../src/runs/bundle/tokens.ts';
import { readEvent } from '../../../src/service/contracts/read-event.ts';
import { DEMO_EVENT } from '../../../src/sandbox/demo-event.ts';

const read = readEvent({
  ...DEMO_EVENT,
  personas: [
    { slug: 'visitor', name: 'Visitor', fields: [{ slug: 'last_name', label: 'Family name', type: 'Name' }] },
  ],
});
const shape = new TextShape(new Tokens(Buffer.from('key')), 'event' in read ? read.event : { personas: [] });

/** With T for each token. */
const shaped = (text: string): string => shape.ofText(text).replaceAll(/t-[0-9a-f]{12}/g, 'T');

describe('the shape of a text', () => {
  test.each([
    ['answered 500: Oops.', 'answered T: T.'],
    ['the service listed it with other values', 'the service listed it with other values'],
    ['Family name: is too long', 'Family name: is too long'],
    ['"fields.last_name" is required (last_name=Anna)', '"fields.last_name" is required (T)'],
    ['Will May is not allowed', 'T T is not allowed'],
    ['ada@example.com, +31 690000017 and EV-17', 'T, +T T and T'],
    ['/home/anna/guests.xlsx cannot be read', '/T cannot be read'],
    ['王小明 🎉 — «Ada»', 'T T T T'],
    ['a\u0000nna\nhas no parent', 'T\nhas no parent'],
    ['', ''],
  ])('%j is %j', (text, wanted) => {
    expect(shaped(text)).toBe(wanted);
  });

  test('gives equal words equal tokens, as values have them', () => {
    const tokens = new Tokens();
    const own = new TextShape(tokens, { personas: [] });
    expect(own.ofText('Anna, Anna!')).toBe(`${tokens.of('Anna')}, ${tokens.of('Anna')}!`);
    expect(new Tokens().of('Anna')).not.toBe(tokens.of('Anna'));
  });

  test('has no word that nobody here has put there', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}@_.+-]{1,12}$/u).map((text) => `zq${text}zq`);
    const around = fc.constantFrom('', '"', "'", '(', '/', ':', '…', '.', 'is ', ' ', '\n', '=');
    fc.assert(
      fc.property(fc.array(fc.tuple(around, word, around)), (parts) => {
        expect(shape.ofText(parts.flat().join(''))).not.toContain('zq');
      }),
    );
  });
});
