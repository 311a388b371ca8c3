import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { watchInterrupts } from '../src/interrupts.ts';
import { defaultDirectory, systemProgram, workingDirectory } from '../src/system-paths.ts';

type Platform = NodeJS.Platform;

const WINDOWS_HOME = 'C:\\Users\\Jörg Müller';

describe('settings and state are kept where the system keeps such files', () => {
  const ROAMING = 'D:\\Profile\\ü\\Roaming';
  const LOCAL = `${WINDOWS_HOME}\\AppData\\Local`;
  const SERVER = '\\\\server\\people\\anna';
  const LIBRARY = '/Users/jörg müller/Library/Application Support/eventreg';
  const windows = (roaming: string, local: string): [string, string] => [
    `${roaming}\\eventreg\\config`,
    `${local}\\eventreg\\state`,
  ];
  const xdg = { XDG_CONFIG_HOME: '/etc/anna', XDG_STATE_HOME: '/var/anna' };
  test.each<[platform: Platform, home: string, env: Record<string, string>, config: string, state: string]>([
    ['win32', WINDOWS_HOME, { APPDATA: ROAMING, LOCALAPPDATA: LOCAL }, ...windows(ROAMING, LOCAL)],
    ['win32', WINDOWS_HOME, { APPDATA: '' }, ...windows(`${WINDOWS_HOME}\\AppData\\Roaming`, LOCAL)],
    ['win32', SERVER, {}, ...windows(`${SERVER}\\AppData\\Roaming`, `${SERVER}\\AppData\\Local`)],
    ['darwin', '/Users/jörg müller', { XDG_CONFIG_HOME: '/x' }, `${LIBRARY}/config`, `${LIBRARY}/state`],
    ['linux', '/home/anna', {}, '/home/anna/.config/eventreg', '/home/anna/.local/state/eventreg'],
    ['linux', '/home/anna', xdg, '/etc/anna/eventreg', '/var/anna/eventreg'],
  ])('on %s, in %s with %o', (platform, home, env, config, state) => {
    const found = (['config', 'state'] as const).map((what) =>
      defaultDirectory(what, { platform, env }, () => home),
    );
    expect(found).toEqual([config, state]);
  });

  test('whoever has no home needs none where the environment says enough', () => {
    const env = { XDG_STATE_HOME: '/var/job' };
    const none = (): string => {
      throw new Error('nobody knows');
    };
    expect(defaultDirectory('state', { platform: 'linux', env }, none)).toBe('/var/job/eventreg');
  });

  test.each([
    [
      'no entry',
      () => {
        throw new Error('ENOENT: uv_os_homedir');
      },
    ],
    ['an empty name', () => ''],
    ['a relative one', () => 'home'],
  ])('a home that the system has %s of is asked for', (_what, home) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(() => defaultDirectory('state', { platform, env: {} }, home)).toThrow(
        'There is no home directory to keep settings and journal in.',
      );
  });
});

test('a directory that was removed while somebody is in it is told as that', () => {
  const cwd = (): string => {
    throw new Error('ENOENT: uv_cwd');
  };
  expect(() => workingDirectory({ cwd })).toThrow('The directory that you are in is not there any more.');
});

test('programs of Windows are looked for in its own directory only', () => {
  expect(systemProgram('taskkill', { env: { SystemRoot: 'D:\\Win' } })).toBe(
    'D:\\Win\\System32\\taskkill.exe',
  );
  expect(systemProgram('tasklist', { env: {} })).toBe('C:\\Windows\\System32\\tasklist.exe');
});

test.each<[signals: string, end: 'stopping' | 'aborting' | 'killed']>([
  ['INT', 'stopping'],
  ['INT INT', 'aborting'],
  ['INT INT INT', 'killed'],
  ['HUP HUP HUP HUP', 'stopping'],
  ['TERM TERM TERM TERM', 'stopping'],
  ['BREAK HUP TERM', 'stopping'],
  ['INT HUP HUP TERM', 'stopping'],
  ['HUP INT HUP INT', 'aborting'],
])('signals: %s: %s', (signals, end) => {
  const killed: unknown[] = [];
  const emitter = Object.assign(new EventEmitter(), {
    pid: 12,
    kill: (...all: unknown[]) => killed.push(...all, emitter.listenerCount('SIGINT')) > 0,
  });
  let ended = 0;
  const { stopping, aborting } = watchInterrupts(emitter as never, [() => (ended += 1)]);
  expect([stopping.aborted, aborting.aborted]).toEqual([false, false]);
  for (const signal of signals.split(' ')) emitter.emit(`SIG${signal}`, `SIG${signal}`);
  expect([stopping.aborted, aborting.aborted, killed, ended]).toEqual([
    true,
    end !== 'stopping',
    end === 'killed' ? [12, 'SIGINT', 0] : [],
    end === 'killed' ? 1 : 0,
  ]);
});
