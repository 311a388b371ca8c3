import { expect, test } from 'vitest';
import { definePush } from '../../../src/commands/push/define-push.ts';
import { rememberMapping } from '../../../src/commands/push/push-mappings.ts';
import type { PushCommandOptions } from '../../../src/commands/push/push-command-options.ts';
import type { Asked } from '../../../src/commands/push/push-questions.ts';
import type { PreparedInput } from '../../../src/runs/read/prepare.ts';
import type { Answer } from '../../../src/registration/model/question.ts';
import { fakePrompt, fakeRuntime } from '../../support/fake-runtime.ts';
import { parseArgv } from '../parse-argv.ts';

const LEFT_OUT: Answer = {
  label: 'leave it out',
  flag: '--ignore-column Tisch',
  option: 'ignoreColumn',
  value: 'Tisch',
};

/** How often the progress made way for a question, of which `rememberMapping` asks one at most. */
async function pausesAfter(answers: readonly Answer[]): Promise<number> {
  let pauses = 0;
  const reporter = { report: () => undefined, pause: () => void (pauses += 1), close: () => undefined };
  const options = await parseArgv<PushCommandOptions>(definePush, 'push', ['a.csv']);
  const { prompt } = fakePrompt({ 'Remember this': false });
  const { runtime } = fakeRuntime({ prompt: async () => prompt });
  // Nothing is remembered, so nothing of the result is looked at.
  const asked = { result: {}, options, answers } as Asked<PreparedInput>;
  await rememberMapping(asked, new Map(), { service: 's', event: 'e' }, reporter, runtime);
  return pauses;
}

test('The progress makes way for the question whether to remember, and for nothing else', async () => {
  expect(await pausesAfter([])).toBe(0);
  expect(await pausesAfter([LEFT_OUT])).toBe(1);
});
