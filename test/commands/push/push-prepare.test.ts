import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { closeAll, openAll } from '../../../src/commands/push/push-prepare.ts';
import type { PushEvent } from '../../../src/report/views/events.ts';

test('Every input is closed, also after one that cannot be', async () => {
  const closed: string[] = [];
  const input = (name: string, problem?: string) => ({
    close: async () => {
      if (problem !== undefined) throw new Error(problem);
      closed.push(name);
    },
  });
  await closeAll([input('a'), input('b', 'the disk is gone'), input('c')]);
  expect(closed).toEqual(['a', 'c']);
});

test('A source that cannot be opened is the error, whatever was open before', async () => {
  const good = { file: 'a.csv', open: () => Readable.from(['x']) };
  const bad = { file: 'none.csv', path: '/nowhere/none.csv', open: () => Readable.from([]) };
  const told: PushEvent[] = [];
  const reporter = { report: (event: PushEvent) => told.push(event), pause() {}, close() {} };
  await expect(openAll([good, bad], reporter)).rejects.toThrow('none.csv: there is no such file.');
  // Said before each: a stream may take its time.
  expect(told.map((event) => ('file' in event ? event.file : ''))).toEqual(['a.csv', 'none.csv']);
});
