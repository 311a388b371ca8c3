import { PassThrough, Writable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordWriter, type RecordWriterOptions } from '../../../src/report/records/record-writer.ts';
import { anyText } from '../arbitrary-text.ts';

const HERE = { nowMs: Date.parse('2026-11-22T12:00:00Z'), timeZone: 'UTC' };

type Records = readonly Record<string, unknown>[];

function collector(): Writable & { text: string } {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      target.text += chunk;
      done();
    },
  });
  const target = Object.assign(stream, { text: '' });
  return target;
}

async function print(
  format: RecordWriterOptions['format'],
  records: Records,
  columns: readonly string[] = [...new Set(records.flatMap((record) => Object.keys(record)))],
  isTTY = false,
): Promise<string> {
  const stream = Object.assign(collector(), { isTTY });
  const writer = createRecordWriter({ format, stream, columns, width: 80, color: false, here: HERE });
  for (const record of records) await writer.write(record);
  await writer.end();
  return stream.text;
}

const TWO: Records = [
  { id: 1, name: 'Ann', tags: ['a', 'b'], deep: { x: 1 } },
  { id: 2, none: null },
];

describe('json', () => {
  it('is an array with one record a line', async () => {
    expect(await print('json', TWO)).toBe(
      '[\n  {"id":1,"name":"Ann","tags":["a","b"],"deep":{"x":1}},\n  {"id":2,"none":null}\n]\n',
    );
    expect(await print('json', [])).toBe('[]\n');
  });

  it('escapes what drives a terminal', async () => {
    expect(await print('ndjson', [{ a: '\u001B\u007F\u009B\u202E\u{E0041}é' }])).toBe(
      '{"a":"\\u001b\\u007f\\u009b\\u202e\\udb40\\udc41é"}\n',
    );
  });

  it('parses back to the same records, whatever they hold', async () => {
    const record = fc.dictionary(anyText(), fc.oneof(anyText(), fc.integer(), fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 4 }), async (records) => {
        const text = await print('json', records);
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(records)));
        const lines = (await print('ndjson', records)).split('\n').slice(0, -1);
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('csv', () => {
  it('has a header, also without records', async () => {
    expect(await print('csv', TWO)).toBe('id,name,tags,deep,none\n1,Ann,a;b,"{""x"":1}",\n2,,,,\n');
    expect(await print('csv', [], ['id', 'name'])).toBe('id,name\n');
  });

  it('writes the given columns in their order and leaves out others', async () => {
    expect(await print('csv', TWO, ['name', 'id'])).toBe('name,id\nAnn,1\n,2\n');
  });

  it('takes a column named like a built-in for a plain name', async () => {
    const record = JSON.parse('{"__proto__":"p","constructor":"c"}') as Record<string, unknown>;
    expect(await print('csv', [record])).toBe('__proto__,constructor\np,c\n');
    expect(await print('csv', [{ id: 1 }], ['__proto__', 'toString', 'id'])).toBe(
      '__proto__,toString,id\n,,1\n',
    );
  });

  it('lets nothing drive a terminal, and writes the exact characters elsewhere', async () => {
    const records = [{ 'a\u001B': 'x\u001B]0;t\u0007\r\n\u009B\u202E', b: ['\u001B[2J'] }];
    const shown =
      String.raw`a\u{1b},b` + '\n' + String.raw`x\u{1b}]0;t\u{7}\r\n\u{9b}\u{202e},\u{1b}[2J` + '\n';
    expect(await print('csv', records, undefined, true)).toBe(shown);
    expect(await print('csv', records, ['a\u001B', 'b'], true)).toBe(shown);
    expect(await print('csv', records)).toBe('a\u001B,b\n"x\u001B]0;t\u0007\r\n\u009B\u202E",\u001B[2J\n');
  });

  it('escapes formulas', async () => {
    expect(await print('csv', [{ '=head': '=1+1', phone: '+49' }])).toBe("'=head,phone\n'=1+1,'+49\n");
  });
});

describe('a table that is drawn', () => {
  const draw = (records: Records, columns?: readonly string[]): Promise<string> =>
    print('table', records, columns, true);

  it('draws all records at the end', async () => {
    expect(await draw(TWO, ['id', 'name', 'tags'])).toBe(
      'id  name  tags\n──  ────  ────\n1   Ann   a;b\n2\n',
    );
    expect(await draw([])).toBe('');
  });

  it('leaves out columns of nothing and of zeros, but no zero among others', async () => {
    const records = [
      { id: 'a', failed: 0, sent: 0, note: '' },
      { id: 'b', failed: 0, sent: 2, note: null },
    ];
    expect(await draw(records)).toBe('id  sent\n──  ────\na   0\nb   2\n');
    expect(await draw([], ['id', 'failed'])).toBe('id  failed\n');
    expect(await draw([{ id: 'a', name: '0' }])).toContain('name');
  });

  it('has times in words where a column is one of times, and nowhere else', async () => {
    const at = '2026-11-22T10:58:31.000Z';
    expect(await draw([{ run: 'r', started: at, remarks: at }])).toContain(`r    today 10:58  ${at}`);
  });

  it('stops at 5,000 rows and says how many more there are', async () => {
    const records = Array.from({ length: 5_001 }, (_, i) => ({ id: i }));
    const lines = (await draw(records)).split('\n');
    expect(lines).toHaveLength(5_004);
    expect(lines.at(-2)).toBe('(+1 row; use --output ndjson)');
  });
});

describe('a table for programs', () => {
  it('has its headings, whole values apart by tabs, and a line a record', async () => {
    const long = 'x'.repeat(3_000);
    const records = [
      { id: 1, at: '2026-11-22T10:58:31.000Z', tags: ['a', 'b'], failed: 0, name: long },
      { id: 2, name: null },
    ];
    expect(await print('table', records)).toBe(
      `id\tat\ttags\tfailed\tname\n1\t2026-11-22T10:58:31.000Z\ta;b\t0\t${long}\n2\t\t\t\t\n`,
    );
    expect(await print('table', [], ['id', 'name'])).toBe('id\tname\n');
  });

  it('escapes what would break a line or drive a terminal', async () => {
    const value = 'a\tb\nc\r\\d\\t\u001B[2J';
    expect(await print('table', [{ id: value }])).toBe('id\n' + String.raw`a\tb\nc\r\\d\\t\u{1b}[2J` + '\n');
  });

  it('gives every value back, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText(), { minLength: 1, maxLength: 4 }), async (values) => {
        const columns = values.map((_, at) => `c${at}`);
        const record = Object.fromEntries(values.map((value, at) => [`c${at}`, value]));
        const lines = (await print('table', [record], columns)).split('\n');
        expect(lines).toHaveLength(3);
        expect(lines[1]?.split('\t').map(unescaped)).toEqual(values);
      }),
    );
  });
});

function unescaped(cell: string): string {
  return cell.replace(/\\(?:u\{([\da-f]+)\}|(.))/gu, (_whole, code?: string, short?: string) => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return { t: '\t', n: '\n', r: '\r' }[short ?? ''] ?? short ?? '';
  });
}

it.each(['json', 'ndjson', 'csv', 'table'] as const)(
  'on a terminal nothing raw passes as %s',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(anyText(), anyText(), async (name, value) => {
        const text = await print(
          format,
          [{ [name]: value, list: [value], deep: { [name]: value } }],
          undefined,
          true,
        );
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  },
);

describe('streaming', () => {
  it('waits for a slow reader', async () => {
    const stream = new PassThrough({ highWaterMark: 16 });
    const writer = createRecordWriter({
      format: 'ndjson',
      stream,
      columns: undefined,
      width: 80,
      color: false,
      here: HERE,
    });
    let written = false;
    const writing = writer.write({ text: 'x'.repeat(100) }).then(() => {
      written = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(false);
    stream.resume();
    await writing;
    await writer.end();
    expect(stream.writableEnded).toBe(false);
    expect(stream.listenerCount('error')).toBe(0);
  });

  it.each(['json', 'ndjson', 'csv', 'table'] as const)(
    'ends %s quietly when the reader goes away',
    async (format) => {
      const stream = failing('EPIPE');
      const writer = createRecordWriter({
        format,
        stream,
        columns: ['a'],
        width: 80,
        color: false,
        here: HERE,
      });
      for (let i = 0; i < 10; i += 1) await writer.write({ a: 'x'.repeat(50_000) });
      await writer.end();
      expect(writer.closed).toBe(true);
      await writer.write({ a: 1 });
      await writer.end();
    },
  );

  it('tells of any other failure', async () => {
    const stream = failing('ENOSPC');
    const writer = createRecordWriter({
      format: 'ndjson',
      stream,
      columns: undefined,
      width: 80,
      color: false,
      here: HERE,
    });
    // More than any version of Node.js keeps before it waits.
    const writing = writer.write({ a: 'x'.repeat(100_000) });
    await expect(writing).rejects.toMatchObject({
      exitCode: 1,
      message: 'The output cannot be written: ENOSPC.',
    });
    await expect(writer.end()).rejects.toThrow('ENOSPC');
  });
});

/** A stream whose every write fails, as a pipe without a reader or a full disk does. */
function failing(code: string): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      setImmediate(() => done(Object.assign(new Error(code), { code })));
    },
  });
}
