import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';

/** A live event of three people, and what a command on it says. */
async function live(): Promise<Bench> {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B', 'C')), '--no-audit']);
  return bench;
}

test('flags that would do nothing, and names that some machine would not have, are refused', async () => {
  const bench = await live();
  const refused = async (...words: string[]): Promise<string> => {
    const { code, err } = await bench.run(['sandbox', ...words]);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused('clone', '--registrations', 'as-they-are', '--mask-barcodes')).toContain(
    'masks nothing, and so no barcodes',
  );
  expect(await refused('clone', '--registrations', 'none', '--limit', '5')).toContain('for --limit to count');
  expect(await refused('clone', '--as', 'Messe Köln')).toContain('without accents, spaces');
  for (const name of ['con', 'NUL.x', 'fair.']) {
    expect(await refused('clone', '--as', name)).toContain('that Windows keeps for itself');
  }
  await bench.run(['sandbox', 'clone', '--as', 'fair']);
  expect(await refused('clone', '--as', 'Fair', '--yes')).toContain('There is a clone called fair already');
  expect(await refused('--data', 'x.sqlite', '--sandbox=fair')).toContain('are several sandboxes');
  for (const words of [['deliveries'], ['redeliver', '1'], ['reset', '--yes']]) {
    expect(await refused(...words, '--data', 'typo.sqlite')).toContain('typo.sqlite: there is no such file.');
  }
  expect(existsSync(join(bench.directory, 'typo.sqlite'))).toBe(false);
  expect((await bench.run(['push', 'a.csv', '--sandbox='])).err).toContain(
    '--sandbox= lacks the name of a clone',
  );
  expect(await bench.run(['push', 'a.csv', '--sandbox', 'fair'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('fair: there is no such file.'),
  });
});

test('a clone with fewer people than the event says so, and how it goes on', async () => {
  const bench = await live();
  const cut = await bench.run(['sandbox', 'clone', '--as', 'few', '--limit', '2']);
  expect(cut.err).toContain(': 2 registrations of 3, masked.');
  expect(cut.err).toContain('plans differ there');
  const whole = await bench.run(['sandbox', 'clone', '--as', 'all', '--limit', '3']);
  expect(whole.err).toContain(': 3 registrations, masked.');
  expect(whole.err).not.toContain('plans differ');
  expect(whole.err).toMatch(
    /^Next, .*: eventreg sandbox mask guests\.csv --sandbox=all\nThen: eventreg push guests\.masked\.csv --dry-run --sandbox=all$/m,
  );
});

test('the names of clones are never cut', async () => {
  const bench = await live();
  const name = 'harbour-trade-fair-2027-rehearsal-with-everybody';
  await bench.run(['sandbox', 'clone', '--as', name]);
  const { out } = await bench.run(['sandbox', 'clones'], { tty: true });
  expect(out).toContain(name);
  expect(out).toContain('3, masked');
});

test('a list is masked as it is written: delimiter, encoding, byte order mark', async () => {
  const bench = await live();
  await bench.run(['sandbox', 'clone', '--as', 'fair']);
  const list = visitors('A:José', 'B:Bo').replaceAll(',', ';');
  const masked = async (bytes: Buffer): Promise<Buffer> => {
    writeFileSync(join(bench.directory, 'l.csv'), bytes);
    const { code, err } = await bench.run(['sandbox', 'mask', 'l.csv', '--yes']);
    expect([code, err]).toEqual([0, expect.stringContaining('2 rows masked')]);
    return readFileSync(join(bench.directory, 'l.masked.csv'));
  };
  const plain = await masked(Buffer.from(list));
  expect(plain.toString()).toMatch(/^persona;barcode;parent_barcode;First name;/);
  expect(await masked(Buffer.from(`\uFEFF${list}`))).toEqual(Buffer.from(`\uFEFF${plain.toString()}`));
  expect(await masked(Buffer.from(`\uFEFF${list}`, 'utf16le'))).toEqual(
    Buffer.from(`\uFEFF${plain.toString()}`, 'utf16le'),
  );
  // Masked letters with accents may not be in an encoding of few.
  expect(await masked(Buffer.from(list, 'latin1'))).toEqual(Buffer.from(`\uFEFF${plain.toString()}`));
});
