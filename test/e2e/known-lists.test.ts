import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { listIn } from '../support/documents.ts';
import { type Guest, wrongAmongSent, wrongValues } from '../support/expected-registrations.ts';
import { answerAll } from '../support/person-at-terminal.ts';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { openTerminals } from '../support/pseudo-terminal.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { KNOWN_LISTS, type KnownList } from './known-lists.ts';
import { casesOf } from '../support/night.ts';

const PEOPLE = fileURLToPath(new URL('../../fixtures/people/', import.meta.url));
const MOST_ANSWERS = 8;

const terminals = await openTerminals();

function setUp(file: string) {
  const directory = temporaryDirectory();
  copyFileSync(join(PEOPLE, file), join(directory, file));
  return { directory, cli: createCli(directory) };
}

/** What the practice service has, and what is expected of the list. */
async function outcome(cli: Cli, file: string): Promise<[listed: Guest[], expected: Guest[]]> {
  const expected = readFileSync(join(PEOPLE, file.replace(/\.\w+$/, '.json')), 'utf8');
  const { out } = await cli.run(['list', '--all', '--json', '--sandbox']);
  return [listIn<Guest>(out), JSON.parse(expected) as Guest[]];
}

describe.skipIf(terminals === undefined)('at a terminal, without Excel', () => {
  function visit({ file, knows }: KnownList, directory: string, cli: Cli) {
    const size = { columns: 100, rows: 45 };
    const args = ['push', file, '--sandbox'];
    return answerAll(terminals!.eventreg(args, { env: cli.env, cwd: directory, ...size }), knows);
  }

  test.each(casesOf(KNOWN_LISTS, 2))('$file is sent as it is meant, and asked about once', async (list) => {
    const { file, addColumn, notYet = {} } = list;
    const { directory, cli } = setUp(file);
    const first = await visit(list, directory, cli);
    const wrong = wrongValues(...(await outcome(cli, file)));
    const second = await visit(list, directory, cli);
    await addColumn(join(directory, file));
    const third = await visit(list, directory, cli);
    const reached = {
      answers: first.asked.length,
      wrong: wrong.length,
      again: second.asked.length,
      added: third.asked.length,
      stuck: first.stuck.length,
      ends: [first.code, second.code, third.code].filter((code) => code !== 0).length,
    };
    const most = { answers: MOST_ANSWERS, wrong: 0, again: 0, added: 1, stuck: 0, ends: 0, ...notYet };
    const missed = Object.entries(reached).filter(([key, count]) => count > most[key as keyof typeof most]);
    const asked = [first, second, third].map((visited) => visited.asked);
    expect({ missed, ...(missed.length === 0 ? {} : { asked, wrong }) }).toEqual({ missed: [] });
  });
});

describe.skipIf(process.platform === 'win32')('without a terminal', () => {
  /** Runs a line in a shell that knows the program by its name. */
  function inShell(line: string, directory: string, cli: Cli) {
    const program = join(directory, 'eventreg');
    writeFileSync(program, `#!/bin/sh\nexec "${[PROGRAM, ...PROGRAM_WORDS].join('" "')}" "$@"\n`);
    chmodSync(program, 0o755);
    const env = { ...cli.env, PATH: `${directory}:${process.env['PATH']}` };
    return new Promise<{ code: number; err: string }>((resolve) => {
      const child = execFile('/bin/sh', ['-c', line], { cwd: directory, env }, (_error, _out, err) => {
        resolve({ code: child.exitCode ?? -1, err });
      });
    });
  }

  test.each(casesOf(KNOWN_LISTS, 2))('$file is sent by the command that is printed', async (list) => {
    const { file, twice, writesToPeople = false } = list;
    const { directory, cli } = setUp(file);
    const open = await inShell(`eventreg push ${file} --sandbox`, directory, cli);
    expect(open.code).toBe(2);
    const line = /this is the command: (eventreg .*)/.exec(open.err)?.[1] ?? 'false';
    const first = await inShell(line, directory, cli);
    // What asks for messages takes a yes of its own.
    const { code, err } = writesToPeople ? await inShell(`${line} --yes`, directory, cli) : first;
    const wrong = wrongAmongSent(...(await outcome(cli, file)));
    expect({ line, err, first: first.code, code, wrong }).toMatchObject({
      first: writesToPeople ? 7 : 0,
      code: 0,
      wrong: twice === undefined ? [] : [`${twice}: twice`],
    });
  });
});
