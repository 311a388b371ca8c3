import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCRIPTS, SHELLS } from '../../../src/commands/completion/completion-command.ts';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { main } from '../../../src/main.ts';
import { noteEvent } from '../../../src/settings/known-events.ts';
import { pushBench, visitors } from '../../sync/push-bench.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { programDirectory, temporaryDirectory } from '../../support/temporary-directory.ts';

/** What is proposed at the cursor, as `[word, what it means]`. */
async function propose(before: readonly string[], at: string, directory = temporaryDirectory()) {
  const { runtime, out, err } = fakeRuntime({ directory });
  expect(await main(['complete', `--at=${at}`, '--', ...before], runtime)).toBe(0);
  expect(err()).toBe('');
  return out()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
}

const wordsOf = async (...args: Parameters<typeof propose>): Promise<(string | undefined)[]> =>
  (await propose(...args)).map(([word]) => word);

describe('words at the cursor', () => {
  test.each<[readonly string[], string, readonly string[]]>([
    [[], 'pu', ['push']],
    [['--sandbox'], 'doc', ['doctor']],
    [['--profile', 'x'], 'doc', ['doctor']],
    [['runs'], 'u', ['undo']],
    [
      ['webhooks'],
      '',
      ['list', 'create', 'update', 'delete', 'listen', 'deliveries', 'replay', 'trigger', 'verify'],
    ],
    [['webhooks', 'list'], '', []],
    [['push'], '--dry', ['--dry-run']],
    [['push'], '--sand', ['--sandbox']],
    [['push', 'a.csv'], '--help', ['--help', '--help-all']],
    [['list'], '--output=n', ['--output=ndjson']],
    [['list', '--output'], 'n', ['ndjson']],
    [['push', '--invalid'], '', ['stop', 'skip']],
    [['webhooks', 'listen', '--verify'], 's', ['standard', 'svix', 'stripe', 'shopify', 'slack', 'square']],
    [['webhooks', 'verify', '--scheme'], 'a', ['auto']],
    [['webhooks', 'replay', '1', '--sign'], 'a', []],
    [['push', '--map'], '', []],
    [['push'], 'gu', [':files']],
    [['push', 'a.csv', '--rejects'], '', [':files']],
    [['sandbox', 'sample'], '', [':files']],
    [['sandbox', 'sample', 'a.csv'], '', []],
    [['completion'], 'p', ['powershell']],
    [['no-such-command', 'push'], '--dry', []],
  ])('after %j and at %j', async (before, at, words) => {
    expect(await wordsOf(before, at)).toEqual(words);
  });

  test('name kinds of guests that were seen, runs and profiles, without asking the service', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A'))]);
    const asked = bench.service.requests.length;
    const complete = async (...argv: string[]) => (await bench.run(['complete', ...argv])).out;
    const [run] = bench.runs();
    expect(await complete('--at=', '--', 'push', '--persona')).toBe(
      'visitor\tVisitor\nexhibitor\tExhibitor\nspeaker\tSpeaker\n',
    );
    expect(await complete('--at=vi', '--', 'event', 'fields')).toBe('visitor\tVisitor\n');
    expect(await complete('--at=', '--', 'runs', 'why', 'x', '--run')).toBe(`${run?.id}\tpush, finished\n`);
    expect(bench.service.requests).toHaveLength(asked);
  });

  test('are the numbers of deliveries, the newest first', async () => {
    const directory = temporaryDirectory();
    const state = join(directory, 'state');
    const store = new ReceivedStore(state, 0);
    const about = { service: 'here', listen: 'a', why: undefined, answer: 200 };
    const body = Buffer.from('{"event":"registration.updated"}');
    await store.add({ atMs: 1, headers: [], body }, { ...about, verdict: 'valid' });
    await store.add({ atMs: 1, headers: [], body: Buffer.from('x') }, { ...about, verdict: 'unsigned' });
    store.close();
    const numbers = [
      ['2', 'delivery, unsigned'],
      ['1', 'registration.updated, valid'],
    ];
    expect(await propose(['webhooks', 'deliveries', 'show'], '', directory)).toEqual(numbers);
    expect(await propose(['webhooks', 'replay', '1'], '', directory)).toEqual(numbers);
    expect(await propose(['webhooks', 'replay'], '', temporaryDirectory())).toEqual([]);
  });

  test('are safe at a terminal, whatever the service calls its kinds of guests', async () => {
    const directory = temporaryDirectory();
    const personas = [{ slug: 'a\nb', name: 'A\u001b[31m\tB' }];
    noteEvent(join(directory, 'state'), 'a', { eventId: '1', personas });
    const [found, ...more] = await propose(['push', '--persona'], '', directory);
    expect([found?.length, more]).toEqual([2, []]);
    expect(JSON.stringify(found)).not.toContain('\\u001b');
  });

  test('are none where what is kept is damaged', async () => {
    const directory = temporaryDirectory();
    noteEvent(join(directory, 'state'), 'a', { eventId: '1', personas: [{ slug: 'a', name: 'A' }] });
    for (const file of ['events.json', 'journal.sqlite']) writeFileSync(join(directory, 'state', file), '{');
    expect(await propose(['push', '--persona'], '', directory)).toEqual([]);
    expect(await propose(['runs', 'show'], '', directory)).toEqual([]);
  });
});

describe('a script', () => {
  test.each(SHELLS)('is printed for %s', async (shell) => {
    const { runtime, out } = fakeRuntime();
    expect(await main(['completion', shell], runtime)).toBe(0);
    expect(out()).toBe(SCRIPTS[shell]);
    expect(out().split('\n').length).toBeLessThanOrEqual(16);
    expect(out()).not.toMatch(/\beval\b/);
  });

  test('is not there for other shells', async () => {
    const { runtime, err } = fakeRuntime();
    expect(await main(['completion', 'tcsh'], runtime)).toBe(2);
    expect(err()).toContain('bash, zsh, fish, powershell');
  });

  /** What answers instead of eventreg: its words, one in each line, so that the script can be held to what it asks. */
  function standIn(answer: string): Record<string, string> {
    const directory = programDirectory();
    const program = join(directory, 'eventreg');
    writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" > ${directory}/asked\n${answer}`);
    chmodSync(program, 0o755);
    return { PATH: `${directory}${delimiter}${process.env['PATH'] ?? ''}`, HOME: directory };
  }

  const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

  test.runIf(has('bash'))('works in bash, and evaluates nothing that was typed', () => {
    const env = standIn(`printf 'push\\tsend\\nwith space\\tx\\n'`);
    const typed = `COMP_WORDS=(eventreg '$(touch bad)' 'p"'); COMP_CWORD=2`;
    const script = `${SCRIPTS.bash}\n${typed}\n_eventreg_words\nprintf '[%s]' "\${COMPREPLY[@]}"; cat "$HOME/asked"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
      env,
      cwd: env['HOME'],
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toBe('[push][with\\ space]complete|--at=p"|--|$(touch bad)|');
    expect(spawnSync('ls', [env['HOME'] ?? ''], { encoding: 'utf8' }).stdout).not.toContain('bad');
  });

  test.runIf(has('fish'))('works in fish', () => {
    const env = standIn(`printf 'push\\tsend\\npull\\tget\\n'`);
    const script = `${SCRIPTS.fish}\ncomplete -C 'eventreg --sandbox pu'; cat $HOME/asked`;
    const { stdout } = spawnSync('fish', ['-c', script], { env, encoding: 'utf8' });
    expect(stdout).toBe('pull\tget\npush\tsend\ncomplete|--at=pu|--|--sandbox|');
  });

  test.runIf(has('zsh'))('is one that zsh can read', () => {
    expect(spawnSync('zsh', ['-n', '-c', SCRIPTS.zsh], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
