import { describe, expect, test } from 'vitest';
import { type Bench, type Ended, pushBench } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';

const HEAD = 'persona,barcode,First name,Last name,E-mail,Mobile phone,Company';
const PHONE = '+34600123456';

async function benchOf(barcodes: readonly string[]): Promise<Bench> {
  const bench = await pushBench();
  const rows = barcodes.map((code) => `visitor,${code},Ana,Diaz,${code}@example.com,${PHONE},Acme`);
  await bench.push([bench.write('f.csv', [HEAD, ...rows, ''].join('\n'))]);
  return bench;
}

/** The same tickets, each with other values. */
async function push(
  bench: Bench,
  rows: readonly string[],
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  bench.write('f.csv', [HEAD, ...rows.map((row) => `visitor,${row}`), ''].join('\n'));
  const ended = await bench.push(['f.csv', ...flags]);
  expect(ended.code).toBe(0);
  return warningsOf(ended);
}

/** Without that of fields which no registration shows. */
const warningsOf = ({ err }: Ended): readonly string[] =>
  err.split('\n').filter((line) => /^warning: (?!No registration shows)/.test(line));

describe('a ticket that the file gives to somebody else', () => {
  test('is warned about with the fields that stay, before and when it is sent', async () => {
    const bench = await benchOf(['A1']);
    await registerByHand(bench, { persona: 'visitor', barcode: 'A1', fields: { remarks: 'nuts' } });
    const warning = [
      'warning: f.csv:2 gives the ticket A1 to another person, by its e-mail or name, and leaves as it is what the file does not say: phone, company, remarks; --blank clear empties what the file has columns for.',
    ];
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'], ['--dry-run'])).toEqual(warning);
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'])).toEqual(warning);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Zoe', phone: PHONE, remarks: 'nuts' });
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'])).toEqual([]);
  });

  test('is warned about by what the file has no column for only, where blank cells empty', async () => {
    const bench = await benchOf(['A1']);
    await registerByHand(bench, { persona: 'visitor', barcode: 'A1', fields: { remarks: 'nuts' } });
    const [warning] = await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'], ['--blank', 'clear']);
    expect(warning).toContain('what the file does not say: remarks;');
  });

  test('is named three times, and counted then', async () => {
    const barcodes = ['A1', 'A2', 'A3', 'A4', 'A5'];
    const bench = await benchOf(barcodes);
    const warnings = await push(
      bench,
      barcodes.map((code) => `${code},Zoe,Klein,zoe.${code}@example.com,,`),
    );
    expect(warnings).toHaveLength(4);
    expect(warnings[3]).toBe(
      'warning: 2 more rows give their tickets to another person, and what the file does not say of them stays as it is.',
    );
  });

  test.each([
    ['a last name alone', 'A1,Ana,Mora,A1@example.com,,'],
    ['a name and an e-mail in another case', 'A1,ANA,DIAZ,a1@example.com,,'],
    ['an e-mail in another case without names', 'A1,,,a1@Example.com,,Other'],
    ['a company', 'A1,Ana,Diaz,A1@example.com,,Other'],
    ['all that the registration has', `A1,Zoe,Klein,zoe@example.com,${PHONE},Acme`],
  ])('is none with %s', async (_, row) => {
    expect(await push(await benchOf(['A1']), [row])).toEqual([]);
  });
});
