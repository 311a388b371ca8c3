import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { checkErrorText } from '../../../src/registration/repairs/mend-value.ts';
import { type NumberFormat, SheetCell } from '../../../src/registration/model/sheet-cell.ts';
import type { RejectedRow } from '../../../src/report/rejects/rejected-row.ts';
import { type RejectsOptions, writeRejects } from '../../../src/report/rejects/rejects-writer.ts';

function sheetCell(type: SheetCell['type'], stored: string, format: Partial<NumberFormat> = {}): SheetCell {
  return new SheetCell(type, stored, { code: 'General', kind: 'number', zeros: 0, ...format }, false);
}

const WORKBOOK_CELLS = [
  sheetCell('number', '5.901234123457E12'),
  sheetCell('number', '123', { code: '0000000', zeros: 7 }),
  sheetCell('number', '46079', { code: 'dd/mm/yyyy', kind: 'date' }),
  sheetCell('number', '46079.5', { code: 'dd/mm/yyyy hh:mm', kind: 'datetime' }),
  sheetCell('boolean', '1'),
  sheetCell('error', '#N/A'),
  sheetCell('missing', ''),
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rejects-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const ROWS: RejectedRow[] = [
  {
    columns: ['name', '_errors', '7'],
    cells: ['Ann; B', 'old', 1],
    errors: 'name: too "odd"',
    notes: '',
    wrong: [],
  },
  { columns: ['7', '__proto__'], cells: [['a', 2], '=x'], errors: 'bad', notes: '', wrong: [] },
];

function optionsOf(path: string, format: RejectsOptions['format']): RejectsOptions {
  return {
    path,
    format,
    delimiter: ';',
    quote: undefined,
    encode: (text) => Buffer.from(text),
    byteOrderMark: true,
    sheet: 'Guests',
    date1904: false,
  };
}

async function write(
  format: 'csv' | 'json' | 'ndjson',
  rows = ROWS,
  options: Partial<RejectsOptions> = {},
): Promise<string> {
  const path = join(folder, `rejects.${format}`);
  expect(await writeRejects({ ...optionsOf(path, format), ...options }, () => rows)).toBe(rows.length);
  return await readFile(path, 'utf8');
}

function row(columns: readonly string[], cells: RejectedRow['cells'], notes = ''): RejectedRow {
  return { columns, cells, errors: 'no', notes, wrong: [] };
}

describe('writeRejects', () => {
  it('writes csv with all columns in order of appearance, _errors last, and a mark for Excel', async () => {
    expect(await write('csv')).toBe(
      '\uFEFFname;7;__proto__;_errors\n"Ann; B";1;;"name: too ""odd"""\n;"a;2";\'=x;bad\n',
    );
  });

  it('writes json and ndjson with the own keys of every row', async () => {
    const first = '{"name":"Ann; B","7":1,"_errors":"name: too \\"odd\\""}';
    const second = '{"7":["a",2],"__proto__":"=x","_errors":"bad"}';
    expect(await write('json')).toBe(`[\n  ${first},\n  ${second}\n]\n`);
    expect(await write('ndjson')).toBe(`${first}\n${second}\n`);
    expect(await write('json', [])).toBe('[]\n');
  });

  it('puts the notes before the reasons, where there are any, and takes those of an earlier push away', async () => {
    const rows = [row(['a', '_notes', '_errors'], ['1', 'old', 'old'], 'a: mended'), row(['a'], ['2'])];
    expect(await write('csv', rows)).toBe('\uFEFFa;_notes;_errors\n1;a: mended;no\n2;;no\n');
    expect(await write('ndjson', rows)).toBe(
      '{"a":"1","_notes":"a: mended","_errors":"no"}\n{"a":"2","_errors":"no"}\n',
    );
  });

  it('writes csv in the quotes and the encoding of the input', async () => {
    const encode = (text: string): Buffer => Buffer.from(text.toUpperCase());
    const options = { quote: "'", delimiter: '\t', encode, byteOrderMark: false };
    expect(await write('csv', [row(['a'], ['x\ty\'"'])], options)).toBe("A\t_ERRORS\n'X\tY''\"'\tNO\n");
    expect(await write('csv', [row(['a'], ['é'])], { encode: (text) => Buffer.from(text, 'utf16le') })).toBe(
      Buffer.from('\uFEFFa;_errors\né;no\n', 'utf16le').toString(),
    );
  });

  it('writes cells of a workbook as other formats have them', async () => {
    const rows = [row(['a', 'b', 'c', 'd', 'e', 'f', 'g'], WORKBOOK_CELLS)];
    const texts = '5901234123457;0000123;2026-02-26;2026-02-26 12:00:00;TRUE;#N/A;#N/A';
    expect(await write('csv', rows)).toBe(`\uFEFFa;b;c;d;e;f;g;_errors\n${texts};no\n`);
    expect(JSON.parse(await write('json', rows))).toEqual([
      {
        a: 5901234123457,
        b: '0000123',
        c: '2026-02-26',
        d: '2026-02-26 12:00:00',
        e: true,
        f: '#N/A',
        g: '#N/A',
        _errors: 'no',
      },
    ]);
  });

  it('writes a formula without a stored value as what is refused when it is pushed back', async () => {
    const rows = [row(['a'], [sheetCell('missing', '')])];
    const [, line = ''] = (await write('csv', rows)).split('\n');
    const [record] = JSON.parse(await write('json', rows)) as [{ a: string }];
    for (const text of [line.split(';')[0] ?? '', record.a]) expect(checkErrorText(text)).toBeDefined();
  });

  it('writes many rows', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => row(['id'], [i]));
    const lines = (await write('csv', many)).split('\n');
    expect(lines).toHaveLength(20_002);
    expect(lines[20_000]).toBe('19999;no');
  });

  it.skipIf(process.platform === 'win32')(
    'is for the owner only, also in place of an open file',
    async () => {
      const path = join(folder, 'rejects.csv');
      await writeFile(path, 'old');
      await chmod(path, 0o644);
      await write('csv');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['rejects.csv']);
    },
  );

  it('replaces a link itself, not the file it points to', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, 'rejects.csv'));
    await write('csv');
    expect(await readFile(victim, 'utf8')).toBe('precious');
  });

  it('refuses a folder and a device', async () => {
    const path = join(folder, 'sub');
    await mkdir(path);
    await expect(writeRejects(optionsOf(path, 'csv'), () => ROWS)).rejects.toMatchObject({
      exitCode: 2,
      message: `The rejects cannot be written to ${path}: it is a folder.`,
    });
    await expect(writeRejects(optionsOf('/dev/null', 'csv'), () => ROWS)).rejects.toThrow(
      'it is not a plain file',
    );
  });

  it('names the path in errors and leaves nothing behind', async () => {
    const path = join(folder, 'missing', 'rejects.csv');
    await expect(writeRejects(optionsOf(path, 'csv'), () => ROWS)).rejects.toThrow(
      `${path} cannot be written: ENOENT`,
    );
  });

  it.each(['ndjson', 'xlsx'] as const)(
    'keeps the old file when the rows cannot be had (%s)',
    async (format) => {
      const path = join(folder, 'rejects.csv');
      await writeFile(path, 'old');
      const rows = function* (): Iterable<RejectedRow> {
        yield* ROWS;
        throw new InputError('The journal is gone.');
      };
      await expect(writeRejects(optionsOf(path, format), rows)).rejects.toThrow(InputError);
      expect(await readFile(path, 'utf8')).toBe('old');
      expect(await readdir(folder)).toEqual(['rejects.csv']);
    },
  );
});
