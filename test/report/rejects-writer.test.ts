import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { type RejectedRow, writeRejects } from '../../src/report/rejects-writer.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rejects-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const ROWS: RejectedRow[] = [
  { columns: ['name', '_errors', '7'], cells: ['Ann; B', 'old', 1], errors: 'name: too "odd"' },
  { columns: ['7', '__proto__'], cells: [['a', 2], '=x'], errors: 'bad' },
];

async function write(format: 'csv' | 'json' | 'ndjson', rows = ROWS): Promise<string> {
  const path = join(folder, `rejects.${format}`);
  expect(await writeRejects(path, format, ';', () => rows)).toBe(rows.length);
  return await readFile(path, 'utf8');
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

  it('writes many rows', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ columns: ['id'], cells: [i], errors: 'no' }));
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
    await expect(writeRejects(path, 'csv', ',', () => ROWS)).rejects.toMatchObject({
      exitCode: 2,
      message: `The rejects cannot be written to ${path}: it is a folder.`,
    });
    await expect(writeRejects('/dev/null', 'csv', ',', () => ROWS)).rejects.toThrow('it is not a plain file');
  });

  it('names the path in errors and leaves nothing behind', async () => {
    const path = join(folder, 'missing', 'rejects.csv');
    await expect(writeRejects(path, 'csv', ',', () => ROWS)).rejects.toThrow(
      `The rejects cannot be written to ${path}: ENOENT`,
    );
  });

  it('keeps the old file when the rows cannot be had', async () => {
    const path = join(folder, 'rejects.csv');
    await writeFile(path, 'old');
    const rows = function* (): Iterable<RejectedRow> {
      yield* ROWS;
      throw new InputError('The journal is gone.');
    };
    await expect(writeRejects(path, 'ndjson', ',', rows)).rejects.toThrow(InputError);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['rejects.csv']);
  });
});
