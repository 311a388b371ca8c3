import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';
import { type Bench, pushBench } from '../push-bench.ts';

const HEADINGS = 'First name,Last name,E-mail,Remarks';
const ADA = 'Ada,Lovelace,ada@example.com,';
const BO = 'Bo,Alt,bo@example.com,';
/** Ada stands three times, Bo twice in rows that are equal, Cy and whoever has no name once. */
const FORM = [
  HEADINGS,
  `${ADA}one`,
  `${BO}same`,
  'Cy,Alt,bo@example.com,',
  `ADA,Lovelace,Ada@Example.com,two`,
  `${BO}same`,
  `${ADA}three`,
  ',,ada@example.com,',
  '',
].join('\n');
const TEXT =
  '2 people stand more than once (same e-mail and name, no barcode). Which of their rows are sent?';

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

const remarks = (bench: Bench) =>
  bench
    .kept()
    .map(({ fields }) => (fields as Record<string, string>)['remarks'] ?? '')
    .sort();

const left = (...pairs: [number, number][]) =>
  pairs.map(([place, kept]) => ({ place: `a.csv:${place}`, kept: `a.csv:${kept}` }));

const CASES = [
  ['last', ['', '', 'same', 'three'], left([2, 7], [3, 6], [5, 7])],
  ['first', ['', '', 'one', 'same'], left([5, 2], [6, 3], [7, 2])],
  ['all', ['', '', 'one', 'same', 'same', 'three', 'two'], []],
] as const;

describe('people who stand more than once without a barcode', () => {
  test.each(CASES)('are sent as is said, and what is left out is told: %s', async (said, kept, leftOut) => {
    const bench = await pushBench();
    const argv = [bench.write('a.csv', FORM), '--persona', 'visitor', '--set', `same-person=${said}`];
    const dry = await bench.push([...argv, '--dry-run']);
    expect(dry.summary).toMatchObject({ pending: kept.length, left_out: leftOut });
    const { code, summary, err } = await bench.push(argv);
    expect([code, summary.sent]).toEqual([EXIT.done, kept.length]);
    expect(remarks(bench)).toEqual(kept);
    expect(summary).toMatchObject({ left_out: leftOut });
    expect(err).not.toContain('people stand');
    const told = err.replaceAll(/\s+/g, ' ');
    const places = leftOut.map((one) => `${one.place} (${one.kept} stays)`).join(', ');
    if (leftOut.length > 0) {
      const which = said === 'last' ? 'a later' : 'an earlier';
      const why = `because ${which} row has the same e-mail and name (--set same-person=${said})`;
      expect(told).toContain(`3 rows are left out, ${why}: ${places}.`);
      expect(told).toContain('3 left out: another row has the same e-mail and name');
    } else expect(told).not.toContain('left out');
  });

  test('are asked about once, with their number; the answer is remembered, and the mapping file holds it', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', FORM);
    const { asked, terminal } = person({ 'stand more than once': 'Keep the later row of each' });
    const argv = [file, '--persona', 'visitor'];
    const first = await bench.push([...argv, '--dry-run', '--write-mapping', 'm.json'], terminal);
    expect([first.code, first.summary.pending, asked]).toEqual([EXIT.done, 4, [TEXT]]);
    expect(first.err).toContain('a.csv:5, after a.csv:2');
    expect(first.err).toContain('The same without being asked: --set same-person=last');
    expect(JSON.parse(readFileSync(join(bench.directory, 'm.json'), 'utf8'))).toMatchObject({
      settings: { 'same-person': 'last' },
    });
    const mapped = await bench.push([file, '--mapping', 'm.json', '--no-saved-mapping', '--dry-run']);
    expect(mapped.summary.pending).toBe(4);
    const longer = bench.write('b.csv', `${FORM}Di,Alt,di@example.com,\n`);
    expect((await bench.push([longer, '--persona', 'visitor'])).summary.sent).toBe(5);
    expect(remarks(bench)).toEqual(['', '', '', 'same', 'three']);
    expect(asked).toHaveLength(1);
  });

  test('are planned as was answered', async () => {
    const bench = await pushBench();
    const argv = [bench.write('a.csv', FORM), '--persona', 'visitor', '--no-saved-mapping'];
    const { terminal } = person({ 'stand more than once': 'Keep the first row of each' });
    await bench.push([...argv, '--plan-out', 'p.json'], terminal);
    expect((await bench.push(['--plan', 'p.json'])).summary.sent).toBe(4);
    expect(remarks(bench)).toEqual(['', '', 'one', 'same']);
  });

  test('stop the push where the person wants that', async () => {
    const bench = await pushBench();
    const { terminal } = person({ 'stand more than once': 'Stop: nothing is sent' });
    const { code } = await bench.push([bench.write('a.csv', FORM), '--persona', 'visitor'], terminal);
    expect([code, bench.posts()]).toEqual([EXIT.guarded, []]);
  });

  test('are sent with a warning that names the setting where nobody can be asked', async () => {
    const bench = await pushBench();
    const { code, err, summary } = await bench.push([bench.write('a.csv', FORM), '--persona', 'visitor']);
    expect([code, summary.sent]).toEqual([EXIT.done, 7]);
    const told = err.replaceAll(/\s+/g, ' ');
    expect(told).toContain(
      'warning: 2 people stand more than once (same e-mail and name, no barcode). Each of their rows that is sent becomes a registration of its own (a.csv:5, after a.csv:2; a.csv:6, after a.csv:3; a.csv:7, after a.csv:2); --set same-person=last',
    );
    expect(told).not.toContain('equal to an earlier row');
  });

  test('count only as far as their rows can be sent', async () => {
    const bench = await pushBench();
    const form = `${HEADINGS},Meal\n${ADA}one,no meal\n${ADA}two,\n`;
    const argv = [bench.write('a.csv', form), '--persona', 'visitor', '--invalid', 'skip'];
    const { err, summary } = await bench.push([...argv, '--set', 'same-person=first']);
    expect([summary.sent, summary.rejected]).toEqual([1, 1]);
    expect(err).not.toContain('same e-mail');
    expect(remarks(bench)).toEqual(['two']);
  });

  test('have companions, and barcodes that were made: whom a row brings goes with it', async () => {
    const bench = await pushBench();
    const guests = ['Eva', 'Eva', 'Ann'].map((name, at) => [ADA, ADA, 'Di,Alt,,'][at] + `,${name},Alt`);
    const headings = `${HEADINGS},Companion first name,Companion last name`;
    const file = bench.write('a.csv', [headings, ...guests, guests[2], `${ADA}alone,,`, ''].join('\n'));
    const argv = [file, '--persona', 'visitor', '--set', 'make-barcodes=true'];
    const unsaid = await bench.push(argv);
    expect(unsaid.err.replaceAll(/\s+/g, ' ')).toContain(
      'a.csv:2 has an e-mail or a name that stands on a.csv:3 too; --set same-person=last sends the later row of each',
    );
    const { summary } = await bench.push([...argv, '--set', 'same-person=last']);
    expect(summary).toMatchObject({ sent: 3, left_out: left([2, 6], [3, 6], [4, 5]) });
  });
});
