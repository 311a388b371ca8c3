import { describe, expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { SCENARIOS } from './scenarios.ts';

describe('the command line of the crash test', () => {
  test('plays every scenario, with another seed each time', () => {
    expect(readOptions([], 1_234_567_890_123)).toMatchObject({
      kills: 500,
      seed: 567_890_123,
      scenarios: SCENARIOS,
      play: undefined,
    });
  });

  test('plays the kills of a failure again', () => {
    const argv = ['--only', 'double-16-few', '--play', 'request:14,after:13', '--latency', '3'];
    const options = readOptions(argv, 0);
    expect(options).toMatchObject({
      play: [
        { at: 'request', nth: 14 },
        { at: 'after', write: 13 },
      ],
      latencyMs: 3,
    });
    expect(options?.scenarios).toEqual([
      {
        name: 'double-16-few',
        command: 'push',
        limited: false,
        upsert: 'double',
        concurrency: 16,
        data: 'few',
      },
    ]);
    expect(readOptions([...argv.slice(0, 3), 'nothing'], 0)).toMatchObject({ play: [] });
  });

  test.each([
    [['--kills', '0'], '--kills takes a number from 1'],
    [['--seed', 'x'], '--seed takes a number from 0'],
    [['--only', 'double'], 'There is no scenario double'],
    [['--play', 'after:3'], '--play needs --only'],
    [['--only', 'double-1-all', '--play', 'soon'], 'soon is no kill'],
    [['--kill', '3'], '--kill'],
  ])('refuses %j', (argv, why) => {
    expect(() => readOptions(argv, 0)).toThrow(why);
  });

  test('has scenarios of every command, all different', () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
    expect(new Set(SCENARIOS.map(({ command }) => command)).size).toBe(4);
    expect(SCENARIOS.filter(({ data }) => data === 'edited').every(({ upsert }) => upsert === 'update')).toBe(
      true,
    );
  });

  test('answers --help with nothing to play', () => {
    expect(readOptions(['--help'], 0)).toBeUndefined();
  });
});
