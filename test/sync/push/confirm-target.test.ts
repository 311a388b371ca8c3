import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { main } from '../../../src/main.ts';
import { fakePrompt, fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { pushBench, visitors } from '../push-bench.ts';

const PLACE = /Harbour Trade Fair 2027 at 127\.0\.0\.1:\d+ \(profile default\)/;

describe('a push to a service', () => {
  test.each([true, false])('is asked about the first time at a terminal: %s', async (answer) => {
    const bench = await pushBench();
    const { prompt, asked, acting } = fakePrompt({ 'first push': answer });
    const terminal = { tty: true, prompt: async () => prompt };
    const first = await bench.push([bench.write('a.csv', visitors('A'))], terminal);
    expect(asked).toHaveLength(1);
    expect(acting).toEqual(asked);
    expect(asked[0]).toMatch(PLACE);
    expect(asked[0]).toMatch(/Send\?$/);
    expect([first.code, bench.posts().length]).toEqual(answer ? [EXIT.done, 1] : [EXIT.guarded, 0]);
    // A yes is remembered, a no is not.
    await bench.push([bench.write('b.csv', visitors('B'))], terminal);
    expect(asked).toHaveLength(answer ? 1 : 2);
  });

  test('is named before the first row goes, and in the summary', async () => {
    const bench = await pushBench();
    const { err, summary } = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    expect(err).toMatch(new RegExp(`^${PLACE.source} · 2 new, 0 changed, 0 the same$`, 'm'));
    expect(summary).toMatchObject({ host: new URL(bench.service.url).host, profile: 'default' });
    const again = await bench.run(['push', bench.write('b.csv', visitors('A', 'B', 'C'))]);
    expect(again.err).toMatch(new RegExp(`Done\\. ${PLACE.source}:\\n`));
  });

  test.each([
    ['without a terminal', {}, []],
    ['with --yes', { tty: true }, ['--yes']],
  ])('goes on %s, and the next one is not asked about', async (_name, overrides, argv) => {
    const bench = await pushBench();
    expect((await bench.push([bench.write('a.csv', visitors('A')), ...argv], overrides)).code).toBe(
      EXIT.done,
    );
    const { prompt, asked } = fakePrompt({ 'first push': false });
    const ended = await bench.push([bench.write('b.csv', visitors('B'))], {
      tty: true,
      prompt: async () => prompt,
    });
    expect([ended.code, asked]).toEqual([EXIT.done, []]);
  });

  test('is neither asked about nor named where nothing is sent', async () => {
    const bench = await pushBench();
    const { prompt, asked } = fakePrompt({ 'first push': false });
    const terminal = { tty: true, prompt: async () => prompt };
    const dry = await bench.push([bench.write('a.csv', visitors('A')), '--dry-run'], terminal);
    expect([dry.code, asked]).toEqual([EXIT.done, []]);
    expect(dry.err).not.toContain(' new, ');
  });
});

test('the embedded sandbox is for rehearsals: nothing is asked, and no address named', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'a.csv'), visitors('A'));
  const { prompt, asked } = fakePrompt({ 'first push': false });
  const { runtime, out, err } = fakeRuntime({ directory, tty: true, prompt: async () => prompt });
  const code = await main(['push', 'a.csv', '--sandbox', '--json', '--progress', 'none'], runtime);
  expect([code, asked]).toEqual([EXIT.done, []]);
  expect(err()).toContain('Harbour Trade Fair 2027 · 1 new, 0 changed, 0 the same\n');
  expect(JSON.parse(out())).toMatchObject({ host: null, profile: null });
});
