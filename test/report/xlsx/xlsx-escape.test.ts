import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { readXmlText } from '../../../src/input/xlsx/xlsx-text.ts';
import { escapeQuotes, xmlAttribute, xmlText } from '../../../src/report/xlsx/xlsx-escape.ts';
import { anyText } from '../arbitrary-text.ts';

describe('xmlText', () => {
  it.each([
    ['a < b & c > "d"', 'a &lt; b &amp; c &gt; "d"'],
    ['\u0001\r\uFFFE', '_x0001__x000D__xFFFE_'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x00e9\u0002', '_x005F_x00e9_x0002_'],
    ['_xyz_ a_b', '_xyz_ a_b'],
    ['line\n\ttab 👩', 'line\n\ttab 👩'],
  ])('%j becomes %j', (text, xml) => {
    expect(xmlText(text)).toBe(xml);
  });

  it('is read back as it was', () => {
    const underscores = fc.array(fc.constantFrom('_', 'x', '0041', '005F', '\u0001', 'é'), { maxLength: 12 });
    const text = fc.oneof(
      anyText(),
      underscores.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        const whole = value.replaceAll(/\p{Cs}/gu, '');
        expect(readXmlText(parsed(`<t>${xmlText(whole)}</t>`).text, true)).toBe(whole);
      }),
    );
  });
});

it('xmlAttribute is read back without what XML cannot hold', () => {
  fc.assert(
    fc.property(anyText(), (value) => {
      const { attribute } = parsed(`<t a="${xmlAttribute(value)}"/>`);
      expect(attribute).toBe(value.replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF\p{Cs}]/gu, ''));
    }),
  );
});

it.each([
  ['=1+1', '=1+1'],
  ["'=1", "''=1"],
  ["''+34", "'''+34"],
  ["'\t", "''\t"],
  ["'s Gravenhage", "'s Gravenhage"],
  ['', ''],
])('escapeQuotes: %j is written as %j', (value, cell) => {
  expect(escapeQuotes(value)).toBe(cell);
});

function parsed(xml: string): { text: string; attribute: string | undefined } {
  const parser = new SaxesParser();
  let text = '';
  let attribute: string | undefined;
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('opentag', (tag) => {
    attribute = tag.attributes['a'];
  });
  parser.write(xml).close();
  return { text, attribute };
}
