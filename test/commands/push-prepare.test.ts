import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { closeAll, openAll } from '../../src/commands/push-prepare.ts';

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
  await expect(openAll([good, bad])).rejects.toThrow('none.csv: there is no such file.');
});
