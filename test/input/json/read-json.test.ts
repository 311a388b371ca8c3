import { describe, expect, test } from 'vitest';
import { readString, refusal, type WholeInput } from '../open-text.ts';

function reasons(input: WholeInput): unknown[] {
  return input.rejects.map(({ place, reasons }) => [
    place.line,
    reasons[0]?.column,
    reasons[0]?.problem,
    reasons[0]?.remedy,
  ]);
}

describe('rows of JSON', () => {
  test('keep the types of their values, in the order of the keys', async () => {
    const input = await readString(
      '[{"b": 1, "a": null, "c": true, "d": ["x"], "e": {"f": "g", "h": {"i": 2}}}]',
      'a.json',
    );
    expect(input.format).toBe('json');
    expect(input.rows).toEqual([
      {
        place: { file: 'a.json', line: 1 },
        columns: ['b', 'a', 'c', 'd', 'e / f', 'e / h / i'],
        cells: [1, null, true, ['x'], 'g', 2],
      },
    ]);
  });

  test('splice in the keys of fields where it stands', async () => {
    const { rows } = await readString(
      '[{"persona":"v","fields":{"email":"a@x.org","phone":"+1"},"barcode":"7"},\n{"fields":[{"slug":"email","value":"b@x.org"}]},\n{"fields":null,"a":1}]',
      'a.json',
    );
    expect(rows.map((row) => [row.place.line, row.columns, row.cells])).toEqual([
      [1, ['persona', 'email', 'phone', 'barcode'], ['v', 'a@x.org', '+1', '7']],
      [2, ['email'], ['b@x.org']],
      [3, ['a'], [1]],
    ]);
  });

  test('of the same keys share one array of columns, also when other shapes come between', async () => {
    const { rows } = await readString('[{"a":1,"b":2},{"b":1,"a":2},{"a":3,"b":4},{"a,b":1}]', 'a.json');
    expect(rows[0]?.columns).toBe(rows[2]?.columns);
    expect(rows.map((row) => row.columns)).toEqual([['a', 'b'], ['b', 'a'], ['a', 'b'], ['a,b']]);
  });

  test('may have keys that are properties of every object', async () => {
    const { rows } = await readString('[{"__proto__": "x", "constructor": 1}]', 'a.json');
    expect([rows[0]?.columns, rows[0]?.cells]).toEqual([
      ['__proto__', 'constructor'],
      ['x', 1],
    ]);
  });

  test.each(['registrations', 'data', 'items', 'results', 'attendees'])(
    'may stand under "%s"',
    async (name) => {
      const text = `{"meta": {"n": 2, "${name}": [0]}, "links": null,\n"${name}": [\n{"a": 1}, {"a": 2}], "total": 2}\n`;
      const input = await readString(text, 'a.json');
      expect(input.rows.map((row) => [row.place.line, ...row.cells])).toEqual([
        [3, 1],
        [3, 2],
      ]);
    },
  );

  test('may be none', async () => {
    expect((await readString(' [ ] ', 'a.json')).rows).toEqual([]);
    expect((await readString('{"data": []}', 'a.json')).rows).toEqual([]);
  });

  test('are counted where the list stands in one line', async () => {
    const { rows } = await readString('[{"a":1},{"a":2},{"a":3}]', 'a.json');
    expect(rows.map(({ place }) => place.line)).toEqual([1, 2, 3]);
  });

  test('start on their physical line, with any line ends', async () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      const text = ['[', '', '{"a":', '1}', ',{"a":2},', '{"a":3}', ']'].join(eol);
      const { rows } = await readString(text, 'a.json');
      expect(rows.map((row) => row.place.line)).toEqual([3, 5, 6]);
    }
  });

  test('of exactly 15 digits are kept', async () => {
    const { rows } = await readString('[{"a": 999999999999999, "b": -999999999999999}]', 'a.json');
    expect(rows[0]?.cells).toEqual([999_999_999_999_999, -999_999_999_999_999]);
  });

  test('keep pairs of surrogate escapes', async () => {
    expect((await readString('[{"a":"\\ud83d\\ude00"}]', 'a.json')).rows[0]?.cells).toEqual(['😀']);
  });
});

describe('a JSON element is a reject, and the file goes on,', () => {
  const INVALID = ['is not valid JSON', 'check its quotes, commas and brackets'];
  const ROUNDED = ['has more than 15 digits and would be rounded', 'write it in quotes'];
  const TWICE = ['stands twice in one object', 'delete one of the two'];
  const BOTH = ['stands both inside and outside of "fields", or twice in it', 'delete one of the two'];
  const SURROGATE = ['holds half a character (a lone surrogate)', 'write the whole character'];
  const OBJECT = 'write it as {"column": "value"}';
  test.each([
    ['{"x": nul}', [undefined, ...INVALID]],
    ['{"x": 1,}', [undefined, ...INVALID]],
    ['{"x": "unclosed\n}', [undefined, ...INVALID]],
    ['"x"', [undefined, 'is a text, not an object', OBJECT]],
    ['12', [undefined, 'is a number, not an object', OBJECT]],
    ['null', [undefined, 'is null, not an object', OBJECT]],
    ['[1, [2]]', [undefined, 'is a list, not an object', OBJECT]],
    ['{"barcode": 1234567890123456}', ['barcode', ...ROUNDED]],
    ['{"fields": {"n": [-1234567890123456]}}', ['fields', ...ROUNDED]],
    ['{"barcode": 1e15}', ['barcode', ...ROUNDED]],
    ['{"a": 1, "b": 2, "a": 3}', ['a', ...TWICE]],
    ['{"a": 1, "\\u0061": 3}', ['a', ...TWICE]],
    ['{"a": {"x:": ":", "c": 1, "c": 2}}', ['c', ...TWICE]],
    ['{"a": "\\ud83d!"}', ['a', ...SURROGATE]],
    ['{"a": {"\\uDE00": 1}}', ['a', ...SURROGATE]],
    ['{"email": 1, "fields": {"email": 2}}', ['email', ...BOTH]],
    ['{"fields": [{"slug": "a", "value": 1}, {"slug": "a", "value": 2}]}', ['a', ...BOTH]],
    ['{"fields": "x"}', ['fields', 'is neither an object nor a list', 'write {"slug": "value"}']],
    [
      '{"fields": [{"slug": "a"}]}',
      ['fields', 'holds an entry without slug and value', 'write {"slug": "…", "value": "…"}'],
    ],
    [`{"a": ${'['.repeat(200)}${']'.repeat(200)}}`, ['a', 'is nested too deeply', 'write it flat']],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`c${at}`, at]))),
      [undefined, 'has more than 1,000 columns', 'keep only what belongs to the registration'],
    ],
  ])('%s', async (element, [column, problem, remedy]) => {
    const input = await readString(`[{"ok": 1},\n${element},\n{"ok": 2}]`, 'a.json');
    expect(reasons(input)).toEqual([[2, column, problem, remedy]]);
    expect(input.rows.map((row) => row.cells)).toEqual([[1], [2]]);
  });
});

describe('a JSON file is refused', () => {
  test.each([
    ['2: there is a comma before the closing ].', '[{"a":1},\n]'],
    ['2: a comma is missing before this.', '[{"a":1}\n{"a":2}]'],
    ['2: a registration is expected here: there is a comma too many.', '[{"a":1},\n,{"a":2}]'],
    ['2: a registration is expected here.', '[\n,{"a":1}]'],
    ['3: there is more text after the end of the list.', '[{"a":1}]\n\nx'],
    ['2: there is more text after the end of the list.', '[{"a":1}]\n[]'],
    ['2: the file ends inside what begins here.', '[{"a":1},\n{"a":\n"2'],
    ['2: the file ends before the list does.', '[{"a":1},\n'],
    ['1: the file ends before the list does.', '[{"a":1}'],
    ['2: the file ends before the list does.', '{"data":[{"a":1}]\n'],
    ['1: this } does not close what begins in line 1.', '[{"a":[1,2},\n{"a":1}]'],
    ['3: this ] does not close what begins in line 2.', '[\n{"a":1\n]'],
    ['2: a name in double quotes is expected here.', '{\ndata: []}'],
    ['2: a colon is missing before this.', '{"data"\n[]}'],
    ['2: a comma is missing before this.', '{"n": 1\n"data": []}'],
    ['2: a name in double quotes is expected here: there may be a comma too many.', '{"data": [],\n}'],
    ['2: what begins here is not valid JSON.', '{"n":\nnul, "data": []}'],
    ['2: "items" is a second list of registrations.', '{"data": [],\n"items": []}'],
    ['1: JSON must begin with [ or {.', '"x"'],
    [
      '2: what begins here is longer than 1 MiB, so it is no registration.',
      `[{"a":1},\n{"a":"${'x'.repeat(1_100_000)}"}]`,
    ],
  ])('%s', async (message, text) => {
    expect((await refusal(readString(text, 'a.json', { format: 'json' }))).message).toBe(`a.json:${message}`);
  });

  test('when its object holds no list of registrations', async () => {
    expect(await refusal(readString('{\n"people": [{"a":1}]}', 'a.json'))).toEqual({
      message: 'a.json: the object holds no list of registrations.',
      hint: 'Put the registrations in a list [ ... ], or under one of the names registrations, data, items, results, attendees.',
      details: [],
    });
  });
});

describe('NDJSON', () => {
  test('has one row a line, skips blank lines and goes on after bad ones', async () => {
    const text = '{"a":1}\r\n\r\n{"a":nul}\n  \n[1]\n{"a":2}';
    const input = await readString(text, 'a.ndjson');
    expect(input.format).toBe('ndjson');
    expect(input.rows.map((row) => [row.place.line, ...row.cells])).toEqual([
      [1, 1],
      [6, 2],
    ]);
    expect(input.rejects.map((reject) => [reject.place.line, reject.reasons[0]?.problem])).toEqual([
      [3, 'is not valid JSON'],
      [5, 'is a list, not an object'],
    ]);
  });

  test('that is cut off is refused', async () => {
    const { message } = await refusal(readString('{"a":1}\n{"a":"x', 'a.ndjson'));
    expect(message).toBe('a.ndjson:2: the file ends inside what begins here.');
  });

  test('with a line of more than 1 MiB is refused', async () => {
    const { message } = await refusal(readString(`{"a":1}\n{"a":"${'x'.repeat(1_100_000)}"}\n`, 'a.ndjson'));
    expect(message).toBe('a.ndjson:2: what begins here is longer than 1 MiB, so it is no registration.');
  });
});
