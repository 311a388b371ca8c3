import { describe, expect, test } from 'vitest';
import { readAll, sourceOf } from './open-text.ts';

const CSV = 'sep=;\r\nNäme;"Nöte ""x"""\r\n\r\n"Ånn\r\n\r\n💥";"a;""b"\r\nZoë;"€"\r\n';
const JSON_LIST = '[\r\n {"näme": "Zo\\"ë]", "f": [{"x": "}"}]},\r\n 7,\n{"a": nul},\n{"näme":"💥\\\\"}]\n';
const WRAPPED = '{"meta": {"n": [1, "]"]},\n "registrations" : [{"a":1},\n{"ä":"{"}\n], "t": 1.5}';
const NDJSON = '{"näme":"Zoë\\n"}\r\n\r\n{"a":nul}\n{"b":"💥"}';

function swapped(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
}

describe.each([
  ['CSV', 'a.csv', Buffer.from(CSV)],
  ['CSV with a byte order mark', 'a.csv', Buffer.from(`\uFEFF${CSV}`)],
  ['UTF-16 LE', 'a.csv', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
  ['UTF-16 BE', 'a.csv', swapped(CSV)],
  ['a JSON list', 'a.json', Buffer.from(JSON_LIST)],
  ['a JSON object', 'a.json', Buffer.from(WRAPPED)],
  ['NDJSON', 'a.ndjson', Buffer.from(NDJSON)],
])('%s', (_, file, bytes) => {
  test('reads the same, cut at every byte', async () => {
    const whole = await readAll(sourceOf([bytes], file));
    expect(whole.rows.length).toBe(2);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(await readAll(sourceOf(parts, file)), `cut at ${cut}`).toEqual(whole);
    }
  });

  test('reads the same, byte by byte', async () => {
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await readAll(sourceOf(single, file))).toEqual(await readAll(sourceOf([bytes], file)));
  });
});

test('The samples hold what they are meant to hold', async () => {
  const csv = await readAll(sourceOf([Buffer.from(CSV)], 'a.csv'));
  expect(csv.rows.map((row) => [row.place.line, ...row.columns, ...row.cells])).toEqual([
    [4, 'Näme', 'Nöte "x"', 'Ånn\r\n\r\n💥', 'a;"b'],
    [7, 'Näme', 'Nöte "x"', 'Zoë', '€'],
  ]);
  const json = await readAll(sourceOf([Buffer.from(JSON_LIST)], 'a.json'));
  expect(json.rows.map((row) => [row.place.line, ...row.cells])).toEqual([
    [2, 'Zo"ë]', [{ x: '}' }]],
    [5, '💥\\'],
  ]);
  expect(json.rejects.map((reject) => reject.place.line)).toEqual([3, 4]);
});
