import { describe, expect, test } from 'vitest';
import { type Bench, type Ended, pushBench } from './push-bench.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { registerByHand } from './service-hands.ts';

const HEAD = 'persona,barcode,First name,Last name,E-mail,Mobile phone,Company';
const PHONE = '+34600123456';

async function benchOf(barcodes: readonly string[], switches: Partial<Switches> = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  const rows = barcodes.map((code) => `visitor,${code},Ana,Diaz,${code}@example.com,${PHONE},Acme`);
  await bench.push([bench.write('f.csv', [HEAD, ...rows, ''].join('\n'))]);
  return bench;
}

/** The same tickets, each with other values. */
async function push(
  bench: Bench,
  rows: readonly string[],
  flags: readonly string[] = ['--yes'],
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
    const warning =
      'warning: 1 ticket goes to another person (f.csv:2), by e-mail or name, and what the file does not say stays as it is: phone, company, remarks; --blank clear empties what the file has columns for.';
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'], ['--dry-run'])).toEqual([
      warning,
      expect.stringContaining('1 ticket goes to another person (f.csv:2): a push asks first.'),
    ]);
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'])).toEqual([warning]);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Zoe', phone: PHONE, remarks: 'nuts' });
    expect(await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'], [])).toEqual([]);
  });

  test('of another name is named when the first file is pushed again', async () => {
    const bench = await benchOf(['A1', 'A2']);
    const others = ['A1,Zoe,Klein,zoe@example.com', 'A2,Ana,Mora,A2@example.com'];
    const other = [HEAD, ...others.map((one) => `visitor,${one},${PHONE},Acme`), ''].join('\n');
    await bench.push([bench.write('other.csv', other), '--yes']);
    const rows = ['A1', 'A2'].map((code) => `${code},Ana,Diaz,${code}@example.com,${PHONE},Acme`);
    expect(await push(bench, rows, [])).toEqual([
      'warning: 1 ticket has another person by now than in the file, by e-mail or name (f.csv:2), and that one keeps it; --overwrite gives it to the person of the file.',
    ]);
  });

  test('is warned about by what the file has no column for only, where blank cells empty', async () => {
    const bench = await benchOf(['A1']);
    await registerByHand(bench, { persona: 'visitor', barcode: 'A1', fields: { remarks: 'nuts' } });
    const flags = ['--blank', 'clear', '--yes'];
    const [warning] = await push(bench, ['A1,Zoe,Klein,zoe@example.com,,'], flags);
    expect(warning).toContain('stays as it is: remarks;');
  });

  test.each([
    ['the service lists barcodes', 'shown'],
    ['it hides them', 'hidden'],
  ] as const)(
    'wants a yes where another list has the barcodes of other people: %s',
    async (_, recordBarcode) => {
      const barcodes = ['A1', 'A2', 'A3', 'A4', 'A5'];
      const bench = await benchOf(barcodes, { recordBarcode });
      const rows = barcodes.map((code) => `visitor,${code},Zoe,Klein,zoe.${code}@example.com,,`);
      const other = bench.write('other.csv', [HEAD, ...rows, ''].join('\n'));
      const ended = await bench.push([other]);
      expect(ended.code).toBe(7);
      expect(ended.err).toContain(
        '5 tickets go to another person (other.csv:2, other.csv:3, other.csv:4 and 2 more). Send',
      );
      expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(barcodes.map(() => 'Ana'));
      expect((await bench.push([other, '--yes'])).code).toBe(0);
    },
  );

  test.each([
    ['a last name alone', 'A1,Ana,Mora,A1@example.com,,'],
    ['a name and an e-mail in another case', 'A1,ANA,DIAZ,a1@example.com,,'],
    ['an e-mail in another case without names', 'A1,,,a1@Example.com,,Other'],
    ['a company', 'A1,Ana,Diaz,A1@example.com,,Other'],
  ])('is none with %s', async (_, row) => {
    expect(await push(await benchOf(['A1']), [row], [])).toEqual([]);
  });
});
