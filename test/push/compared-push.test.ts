import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { barcodes, type Bench, pushBench, visitors } from './push-bench.ts';

/** Forgets all that was ever sent, as a new machine would not know it. */
const loseJournal = (bench: Bench): void =>
  rmSync(join(bench.directory, 'state'), { recursive: true, force: true });

const names = (bench: Bench) =>
  bench.kept().map(({ barcode, fields }) => [barcode, fields['first_name']].join(' '));

describe('a push from a machine that knows nothing', () => {
  test('sends only what the service does not hold', async () => {
    const bench = await pushBench({ storedAs: 'tidied' });
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bo', 'C/A:Cy'))]);
    loseJournal(bench);
    const before = bench.posts().length;
    const edited = bench.write('a.csv', visitors('A:Ada', 'B:Bob', 'C/A:Cy', 'D:Di'));
    const { code, summary } = await bench.push([edited]);
    expect(code).toBe(EXIT.done);
    expect(summary).toMatchObject({ sent: 2, unchanged: 2 });
    expect(bench.postedBarcodes().slice(before).sort()).toEqual(['B', 'D']);
    expect(names(bench)).toEqual(['A Ada', 'B Bob', 'C Cy', 'D Di']);
  });
});

describe('a push of what was edited in the service', () => {
  test('changes nothing there without --overwrite, and sends the rest', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A:Ada', 'B:Bo'));
    await bench.push([file]);
    await edit(bench);
    const { code, summary } = await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bo', 'C:Cy'))]);
    expect(code).toBe(EXIT.rejected);
    expect(summary.problems).toMatchObject([
      { state: 'conflict', barcode: 'A', message: expect.stringContaining('since it was sent: first_name;') },
    ]);
    expect(names(bench)).toEqual(['A Edited', 'B Bo', 'C Cy']);
    expect((await bench.push([file, '--overwrite'])).code).toBe(EXIT.done);
    expect(names(bench)).toEqual(['A Ada', 'B Bo', 'C Cy']);
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
