import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { barcodes, type Bench, pushBench, visitors } from './push-bench.ts';

/** Forgets all that was ever sent, as a new machine would not know it. */
const loseJournal = (bench: Bench): void =>
  rmSync(join(bench.directory, 'state'), { recursive: true, force: true });

const nameOf = ({ barcode, fields }: ReturnType<Bench['kept']>[number]): string =>
  [barcode, fields['first_name']].join(' ');
const names = (bench: Bench) => bench.kept().map(nameOf);

describe('a push from a machine that knows nothing', () => {
  test('sends only what the service does not hold', async () => {
    const bench = await pushBench({ storedAs: 'tidied' });
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bo', 'C/A:Cy'))]);
    loseJournal(bench);
    const before = bench.posts().length;
    const edited = bench.write('a.csv', visitors('A:Ada', 'B:Bob', 'C/A:Cy', 'D:Di'));
    const asked = await bench.push([edited]);
    expect(asked.code).toBe(EXIT.guarded);
    expect(asked.err).toContain(
      '1 value differs in 1 registration, and this machine cannot tell who changed it',
    );
    expect(bench.posts()).toHaveLength(before);
    const { code, summary } = await bench.push([edited, '--yes']);
    expect(code).toBe(EXIT.done);
    expect(summary).toMatchObject({ sent: 2, unchanged: 2 });
    expect(bench.postedBarcodes().slice(before).sort()).toEqual(['B', 'D']);
    expect(names(bench)).toEqual(['A Ada', 'B Bob', 'C Cy', 'D Di']);
  });
});

describe('a push of what was edited in the service', () => {
  test('keeps it without a word of complaint, night after night, until the file wins', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A:Ada', 'B:Bo'));
    await bench.push([file]);
    await edit(bench);
    for (const names of [
      ['A:Ada', 'B:Bo', 'C:Cy'],
      ['A:Ada', 'B:Bo', 'C:Cy'],
    ]) {
      const { code, summary } = await bench.push([bench.write('a.csv', visitors(...names))]);
      expect([code, summary]).toMatchObject([EXIT.done, { kept: 1, values_kept: 1, problems: [] }]);
      expect(bench.kept().map(nameOf)).toEqual(['A Edited', 'B Bo', 'C Cy']);
    }
    expect((await bench.push([file, '--overwrite'])).code).toBe(EXIT.done);
    expect(bench.kept().map(nameOf)).toEqual(['A Ada', 'B Bo', 'C Cy']);
  });

  test('names a value that both have changed, and sends the other values of the row', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada'))]);
    await edit(bench);
    const both = bench.write('a.csv', visitors('A:Ida').replace('Example', 'Exempel'));
    const { code, summary } = await bench.push([both]);
    expect(code).toBe(EXIT.rejected);
    expect(summary.problems).toMatchObject([
      {
        place: 'a.csv:2',
        state: 'conflict',
        message: expect.stringContaining('which are right: first_name;'),
      },
    ]);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Edited', last_name: 'Exempel' });
    expect(await bench.push([both, '--keep'])).toMatchObject({ code: EXIT.done, summary: { sent: 0 } });
    expect(await bench.push([both])).toMatchObject({ code: EXIT.done, summary: { kept: 1, values_kept: 1 } });
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Edited' });
  });

  test('leaves alone what another file has sent: what a file does not have, it does not say', async () => {
    const bench = await pushBench();
    const write = (name: string, field: string, value: string): string =>
      bench.write(name, `persona,barcode,${field}\nvisitor,A,${value}\n`);
    const first = write('1.csv', 'First name', 'Ada');
    await bench.push([first]);
    expect((await bench.push([write('2.csv', 'Phone', '+34600111222')])).code).toBe(EXIT.done);
    const again = await bench.push([first]);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 1 } });
    expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ada', phone: '+34600111222' });
  });
});

describe('--only', () => {
  test('sends the rows that it names and looks at no others', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A:Ada', 'B:Bo', 'C:Cy'));
    expect(await bench.push([file, '--only', 'B'])).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(bench.kept().map(nameOf)).toEqual(['B Bo']);
    const wrong = await bench.push([file, '--only', 'B', '--only', 'X']);
    expect(wrong.code).toBe(EXIT.usage);
    expect(wrong.err).toContain('--only names barcodes that no row has.\n  - X');
  });
});

/** Edits through the service itself, so that the journal knows nothing of it. */
async function edit(bench: Bench): Promise<void> {
  const fields = { first_name: 'Edited', last_name: 'Example', email: 'a@example.com' };
  const answer = await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.sandbox.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ persona: 'visitor', barcode: 'A', fields }),
  });
  expect(answer.ok).toBe(true);
}

describe('a service that doubles what it knows', () => {
  test('is sent one update, and no more', async () => {
    const bench = await pushBench({ upsert: 'double' });
    const codes = barcodes(30);
    await bench.push([bench.write('a.csv', visitors(...codes))]);
    const edited = bench.write('a.csv', visitors(...codes.map((code) => `${code}:Eda`), 'NEW'));
    const { code, summary } = await bench.push([edited]);
    expect(code).toBe(EXIT.rejected);
    expect(summary).toMatchObject({ sent: 1, conflict: 30 });
    expect(bench.kept()).toHaveLength(32);
    const again = await bench.push([edited]);
    expect(again.summary).toMatchObject({ conflict: 30 });
    expect(bench.kept()).toHaveLength(32);
  });
});

describe('members', () => {
  test('are updated once their parents are there, and the rule is learnt among them if need be', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bo'))]);
    const { code } = await bench.push([bench.write('a.csv', visitors('P:Pat', 'A/P:Ada', 'B/P:Bo'))]);
    expect(code).toBe(EXIT.done);
    expect(bench.postedBarcodes().slice(2)).toEqual(['P', 'A', 'B']);
    expect(bench.kept().map(({ parentBarcode }) => parentBarcode)).toEqual(['P', 'P', undefined]);
  });
});

describe('--blank clear', () => {
  const group = (parent: string): string =>
    `persona,barcode,parent_barcode,First name\nvisitor,P,,Pat\nvisitor,A,${parent},Ada\n`;
  const parentOf = (bench: Bench): string | undefined =>
    bench.kept().find(({ barcode }) => barcode === 'A')?.parentBarcode;

  test('says that the service does not take a member out of its group, and does not try again', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', group('P'))]);
    const { code, summary } = await bench.push([bench.write('a.csv', group('')), '--blank', 'clear']);
    expect(code).toBe(EXIT.rejected);
    expect(summary.problems).toMatchObject([
      { barcode: 'A', state: 'conflict', message: expect.stringContaining('old values: parent_barcode') },
    ]);
    expect(parentOf(bench)).toBe('P');
    const posts = bench.posts().length;
    const again = await bench.push(['a.csv', '--blank', 'clear']);
    expect(again.summary.problems).toMatchObject([
      { barcode: 'A', state: 'conflict', message: expect.stringContaining('take a member out of its group') },
    ]);
    expect(bench.posts()).toHaveLength(posts);
    expect((await bench.push(['a.csv'])).code).toBe(EXIT.done);
  });

  test('takes a member out where an update without a parent does that', async () => {
    const bench = await pushBench({ parentOnUpdate: 'replace' });
    await bench.push([bench.write('a.csv', group('P'))]);
    const ended = await bench.push([bench.write('a.csv', group('')), '--blank', 'clear']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 1 } });
    expect(parentOf(bench)).toBeUndefined();
  });

  test('empties a field that no file ever spoke of', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', 'persona,barcode,First name,Company\nvisitor,A,Ada,Acme\n')]);
    loseJournal(bench);
    await bench.push([bench.write('a.csv', 'persona,barcode,First name\nvisitor,A,Ada\n')]);
    const cleared = bench.write('b.csv', 'persona,barcode,First name,Company\nvisitor,A,Ada,\n');
    expect((await bench.push([cleared, '--blank', 'clear'])).code).toBe(EXIT.done);
    expect(bench.kept()[0]?.fields['company']).toBeUndefined();
  });
});
