import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { visitors } from '../sync/push-bench.ts';
import { createCli } from '../support/cli.ts';
import { openTerminals } from '../support/pseudo-terminal.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const terminals = await openTerminals();
if (terminals === undefined) process.stderr.write('No pseudo-terminal here: early keys are not tried.\n');

/** Keys that are pressed too early, in all. */
const POINTS = Number(process.env['EVENTREG_EARLY_KEYS'] ?? 200);
/** No more at one moment. */
const AT_ONCE = 4;
const KEYS = ['\r', 'y', ' ', '\f'];

/** Guests who get messages, with dates of birth of which the order has to be asked. */
const COMMS = 'persona,barcode,First name,Last name,E-mail,enable_comms,Date of birth';
const messaged = (...people: readonly string[]): string =>
  [COMMS, ...people.map((code) => `visitor,${code},Ada,Example,${code}@example.com,yes,03/04/1990`), ''].join(
    '\n',
  );

/** What is run, and the question that acts; the service holds A, B and C of a push before, of which `isFirst` does not know. */
const SCENES: readonly { isFirst?: boolean; args: readonly string[]; question: RegExp }[] = [
  { isFirst: true, args: ['push', 'new.csv'], question: /This is the first push to/ },
  { args: ['push', 'comms.csv'], question: /e-mail or text messages to 2 people/ },
  { args: ['push', 'fewer.csv', '--prune'], question: /Delete 2 of 3/ },
  { args: ['delete', '--barcode', 'A'], question: /Delete 1 registration/ },
  { args: ['runs', 'undo'], question: /Undo it\?/ },
];

async function setUp() {
  const directory = temporaryDirectory();
  let onRequest = (): void => undefined;
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0 },
    onRequest: () => onRequest(),
  });
  onTestFinished(() => sandbox.close());
  const cli = createCli(directory, { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token });
  writeFileSync(join(directory, 'first.csv'), visitors('A', 'B', 'C'));
  writeFileSync(join(directory, 'fewer.csv'), visitors('A'));
  writeFileSync(join(directory, 'new.csv'), visitors('D'));
  writeFileSync(join(directory, 'comms.csv'), messaged('D', 'E'));
  const listen = (listener: () => void): void => {
    onRequest = listener;
  };
  return { directory, sandbox, cli, listen };
}

/** What is written without colours and movements, as one line. */
const asLine = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s+/g, ' ');

/** Half of the time for which a question that acts hears nothing. */
const LATE_MS = 200;
const TURN_MS = 10;

/**
 * Tells whether all that was written until a moment ago has been read. Only then a question that has not been seen
 * cannot listen yet: on a busy machine its "y: yes" may stand on the screen before this process comes to read it.
 */
function watchReading(): () => boolean {
  let readUntilMs = performance.now();
  const beat = setInterval(() => {
    const nowMs = performance.now();
    // Between the timers of a turn and its immediates everything is read that is there.
    setImmediate(() => {
      readUntilMs = nowMs;
    });
  }, TURN_MS);
  onTestFinished(() => clearInterval(beat));
  return () => performance.now() - readUntilMs < LATE_MS;
}

describe.skipIf(terminals === undefined)('keys that are pressed too early', () => {
  test(
    `answer nothing that sends, deletes or writes to people: ${POINTS} of them`,
    async () => {
      const random = seededRandom(14);
      const isUpToDate = watchReading();
      const { directory, sandbox, cli, listen } = await setUp();
      const first = await cli.run(['push', 'first.csv', '--yes'], { cwd: directory });
      expect(first).toMatchObject({ code: 0 });
      const held = JSON.stringify(sandbox.registrations());
      let points = 0;
      for (let at = 0; ; at += 1) {
        if (points >= POINTS) break;
        const scene = SCENES[at % SCENES.length];
        if (scene === undefined) break;
        let shown = '';
        let isAsked = false;
        // At some moments of the program's life: what it writes and what it asks of the service are its clock.
        const maybePress = (): void => {
          const count = isAsked || !isUpToDate() ? 0 : Math.floor(random() * (AT_ONCE + 1));
          points += count;
          for (let key = 0; key < count; key += 1) run.send(KEYS[Math.floor(random() * KEYS.length)] ?? '');
        };
        const answer = (): void => {
          if (isAsked) return;
          // An early letter has begun a search in a list.
          if (isUpToDate()) run.send(`${'\u007F'.repeat(AT_ONCE)}\r`);
          else setTimeout(answer, TURN_MS);
        };
        const run = terminals!.eventreg(scene.args, {
          env:
            scene.isFirst === true
              ? { ...cli.env, EVENTREG_STATE_DIR: join(directory, `state${at}`) }
              : cli.env,
          cwd: directory,
          columns: [80, 120, 40][at % 3] ?? 80,
          onOutput(text) {
            maybePress();
            shown += text;
            isAsked ||= scene.question.test(asLine(shown));
            // What only asks how to read a file may be answered.
            if (text.includes('Enter')) answer();
          },
        });
        listen(maybePress);
        maybePress();
        const lines = await run.until('y: yes');
        expect(asLine(lines.join(' '))).toMatch(scene.question);
        expect(isAsked).toBe(true);
        expect([JSON.stringify(sandbox.registrations()), lines]).toEqual([held, lines]);
        run.send('n');
        expect(await run.ended).toEqual({ code: 7, signal: 0 });
        expect([JSON.stringify(sandbox.registrations()), lines]).toEqual([held, lines]);
      }
    },
    20 * 60_000,
  );

  test('but a yes to a question that has been read is one', async () => {
    const { directory, sandbox, cli } = await setUp();
    await cli.run(['push', 'first.csv', '--yes'], { cwd: directory });
    const run = terminals!.eventreg(['delete', '--barcode', 'A'], { env: cli.env, cwd: directory });
    await run.until('y: yes');
    run.send('y');
    expect((await run.ended).code).toBe(0);
    expect(
      sandbox
        .registrations()
        .map(({ barcode }) => barcode)
        .sort(),
    ).toEqual(['B', 'C']);
  });
});
