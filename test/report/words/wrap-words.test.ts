import { describe, expect, test } from 'vitest';
import { wrapWords, writeMessage } from '../../../src/report/words/wrap-words.ts';
import { createScreen } from '../../support/screen.ts';
import { FakeTerminal, TextFile } from '../fake-terminal.ts';

describe('a text', () => {
  test('is broken at words, and what goes on is set in', () => {
    expect(wrapWords('  2 in conflict with what the service holds', 24)).toBe(
      '  2 in conflict with\n    what the service\n    holds',
    );
    expect(wrapWords('\u001B[31m  2 in conflict with the service\u001B[39m', 24)).toBe(
      '\u001B[31m  2 in conflict with the\n    service\u001B[39m',
    );
    expect(wrapWords('exactly twenty columns', 22)).toBe('exactly twenty columns');
    expect(wrapWords('exactly twenty columns', 21)).toBe('exactly twenty\n  columns');
  });

  test('keeps its own lines, and spaces within them', () => {
    expect(wrapWords('one\n\n  a.csv:12  column "Name"', 80)).toBe('one\n\n  a.csv:12  column "Name"');
  });

  test('is not broken within a path or an id, however wide', () => {
    const path = '/home/somebody/lists/guests-of-the-fair.xlsx';
    expect(wrapWords(`see ${path} for all`, 20)).toBe(`see\n  ${path}\n  for all`);
    expect(wrapWords(path, 20)).toBe(path);
  });

  test('goes on below the last of its columns, where there is room', () => {
    expect(wrapWords('ok  state   a folder that is long', 24)).toBe(
      'ok  state   a folder\n            that is long',
    );
    expect(wrapWords('ok  a name that is long  a folder', 24)).toBe('ok  a name that is long\n  a folder');
  });

  test('breaks a command between its words without ending it', async () => {
    const command = 'eventreg push "my guests.xlsx" --persona visitor --sandbox';
    const text = wrapWords(`hint: this is the command: ${command} ${'x'.repeat(40)} --yes`, 30);
    const screen = createScreen(30);
    screen.write(text);
    expect(await screen.lines()).toEqual([
      'hint: this is the command:',
      '  eventreg push',
      '  "my guests.xlsx"',
      '  --persona visitor',
      `  --sandbox ${'x'.repeat(18)}`,
      `${'x'.repeat(22)} --yes`,
    ]);
    const [told, copied = '', ...others] = text.split('\n');
    expect([told, copied.trim().replace(/ +/g, ' '), others]).toEqual([
      'hint: this is the command:',
      `${command} ${'x'.repeat(40)} --yes`,
      [],
    ]);
    expect(wrapWords('The same without being asked: --map "a  b=c" --yes', 30)).toBe(
      'The same without being asked:\n  --map "a  b=c" --yes',
    );
    expect(wrapWords('Next: eventreg runs', 30)).toBe('Next: eventreg runs');
  });

  test('is measured as it is seen: wide characters as two columns, colours and marks as none', () => {
    expect(wrapWords('参加者 参加者 参加者 参加', 20)).toBe('参加者 参加者 参加者\n  参加');
    expect(wrapWords('👍👍👍👍 👍👍👍👍 👍👍', 20)).toBe('👍👍👍👍 👍👍👍👍\n  👍👍');
    expect(wrapWords('अनिता अनिता अनिता अनि', 20)).toBe('अनिता अनिता अनिता\n  अनि');
    const red = '\u001B[31mrefused\u001B[39m';
    expect(wrapWords(`${red} ${red} e\u0301e\u0301`, 20)).toBe(`${red} ${red} e\u0301e\u0301`);
  });
});

test('only a terminal breaks lines', () => {
  const text = 'a sentence of more than twenty columns';
  const [terminal, file, odd] = [new FakeTerminal(20), new TextFile(), new FakeTerminal(0)];
  for (const stream of [terminal, file, odd]) writeMessage(stream, text);
  expect(terminal.written).toBe('a sentence of more\n  than twenty\n  columns\n');
  expect([file.text, odd.written]).toEqual([`${text}\n`, `${text}\n`]);
});
