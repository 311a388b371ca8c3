import { expect, test } from 'vitest';
import { SWITCHES } from '../../../src/sandbox/store/switches.ts';
import { liveEvent, nextList, planOf } from './rehearsal.ts';

/** Services that let nobody in, or show no event. */
const CLOSED: readonly string[] = ['auth=401', 'event=404', 'event=html', 'event=redirect', 'event=500'];

const words = SWITCHES.flatMap(({ name, allowed }) =>
  'min' in allowed ? [] : allowed.map((word) => `${name}=${word}`),
);

/** For the night: every answer that a service may give. */
test.each(words.filter((word) => !CLOSED.includes(word)))(
  'a masked list has the same plan at a clone as its original has at a service with %s',
  async (word) => {
    const [name = '', value = ''] = word.split('=');
    const bench = await liveEvent({ [name]: value });
    bench.write('next.csv', nextList());
    const made = await bench.run(['sandbox', 'clone', '--as', 'fair']);
    expect([made.code, made.err]).toEqual([
      0,
      expect.stringContaining('Clone fair of Harbour Trade Fair 2027'),
    ]);
    expect((await bench.run(['sandbox', 'mask', 'next.csv'])).code).toBe(0);
    expect(await planOf(bench, 'next.masked.csv', '--sandbox=fair')).toBe(await planOf(bench, 'next.csv'));
  },
);
