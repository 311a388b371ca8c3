import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import { casesOf } from '../support/night.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listIn } from '../support/documents.ts';

interface Attendee {
  persona: string;
  barcode: string;
  parent_barcode?: string;
  fields: Record<string, unknown>;
}

const attendees = (): Attendee[] =>
  JSON.parse(readFileSync('fixtures/attendees/attendees.json', 'utf8')) as Attendee[];

/** A registration as text, whatever the order of its fields and the types of its values. */
function canonical({ persona, barcode, parent_barcode, fields }: Attendee): string {
  const sorted = Object.entries(fields).map(([slug, value]) => [
    slug,
    Array.isArray(value) ? value : String(value),
  ]);
  return JSON.stringify([persona, barcode, parent_barcode ?? null, sorted.sort()]);
}

describe('the main job on the embedded sandbox', () => {
  test('sends a realistic file, then nothing again, and gives it back', async () => {
    const cli = createCli(temporaryDirectory());
    const first = await cli.run(['push', 'fixtures/attendees/attendees.csv', '--sandbox']);
    expect(first.err).toContain('Harbour Trade Fair 2027 · 240 new, 0 changed, 0 the same · about 8 s\n');
    expect(first.err).toContain('Done. Harbour Trade Fair 2027:\n  240 sent (240 new)\n');
    expect(first).toMatchObject({ code: 0, out: '' });

    for (const format of casesOf(['json', 'csv', 'ndjson'], 3)) {
      const again = await cli.run(['push', `fixtures/attendees/attendees.${format}`, '--sandbox', '--json']);
      expect(again.code).toBe(0);
      expect(JSON.parse(again.out)).toMatchObject({
        state: 'finished',
        sent: 0,
        unchanged: 240,
        rejected: 0,
      });
    }

    const listed = await cli.run(['list', '--sandbox', '--all', '--json']);
    const records = listIn<Attendee>(listed.out);
    expect(records.map(canonical).sort()).toEqual(attendees().map(canonical).sort());

    const csv = await cli.run(['list', '--sandbox', '--all', '--output', 'csv']);
    const exported = join(temporaryDirectory(), 'exported.csv');
    writeFileSync(exported, csv.out);
    const back = await cli.run(['push', exported, '--sandbox', '--json']);
    expect(JSON.parse(back.out)).toMatchObject({ sent: 0, unchanged: 240 });
  });

  test('names every mistake of a file with eleven kinds of them, sends nothing, and takes the mended rejects', async () => {
    const directory = temporaryDirectory();
    const cli = createCli(directory);
    const rejects = join(directory, 'rejects.csv');
    const file = 'fixtures/mistakes/attendees.csv';
    const result = await cli.run([
      'push',
      file,
      '--sandbox',
      '--rejects',
      rejects,
      '--show-values',
      '--all-errors',
    ]);
    expect(result).toMatchObject({ code: 3, out: '' });
    const expected = readFileSync('fixtures/mistakes/expected.txt', 'utf8');
    const lines = result.err
      .split('\n')
      .filter((line) => line.startsWith(file) || line.startsWith('Nothing'));
    expect(`${lines.join('\n')}\n`).toBe(expected);
    expect(listIn((await cli.run(['list', '--sandbox', '--json'])).out)).toEqual([]);

    const mended = readFileSync(rejects, 'utf8')
      .replace('ana2.example.com', 'ana2@example.com')
      .replace('600-CALL-ME', '+34600225563')
      .replace(',Spian,', ',ES,')
      .replace('1,example.com', '1,https://example.com')
      .replace('2026-02-30', '2026-02-28')
      .replace(',two,', ',2,')
      .replace('Standart', 'Standard')
      .replace('vistor', 'visitor')
      .replace('M-99', 'M-01')
      .replace('visitor,M-01,,Ana,Núñez,ana11@', 'visitor,M-11,,Ana,Núñez,ana11@')
      .replace('5.90123E+12', '5901234123457');
    writeFileSync(rejects, mended);
    const pushed = await cli.run(['push', rejects, '--sandbox', '--json']);
    expect(JSON.parse(pushed.out)).toMatchObject({ sent: 12, rejected: 0 });
    expect(pushed.code).toBe(0);
  });

  test('masks what identifies a person unless told otherwise', async () => {
    const cli = createCli(temporaryDirectory());
    const { err } = await cli.run(['push', 'fixtures/mistakes/attendees.csv', '--sandbox']);
    expect(err).toContain('"E-mail" has no @; write it as name@example.com\n    "a•••.e••••••.c••" (line 3)');
    expect(err).not.toContain('ana2');
    expect(err).not.toContain('600-CALL');
  });
});
