import { describe, expect, test } from 'vitest';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';
import { type Bench, pushBench } from '../push-bench.ts';

const HEAD = 'First name,Last name,E-mail,Remarks';
const tim = (email: string, remarks: string): string => `Tim,Koch,tim.koch@${email},${remarks}`;
const EVA = 'Eva,Roth,eva@example.com,';
const OLD = 'example.com';
const NEW = 'example.org';

function write(bench: Bench, ...rows: readonly string[]): string {
  return bench.write('twice.csv', [HEAD, ...rows, ''].join('\n'));
}

const flags = (keep: string): string[] => ['--persona', 'visitor', '--set', `same-person=${keep}`];

/** What the service has of Tim. */
const held = (bench: Bench): string[] =>
  bench
    .kept()
    .map(({ fields }) => fields as Record<string, string>)
    .filter(({ first_name: name }) => name === 'Tim')
    .map(({ email, remarks }) => `${email} ${remarks}`)
    .sort();

/** Tim stands twice, and was sent once. */
async function pushed(
  keep = 'last',
  [first, second] = ['first', 'second'],
  switches: Parameters<typeof pushBench>[0] = {},
): Promise<Bench> {
  const bench = await pushBench(switches);
  const file = write(bench, tim(OLD, first ?? ''), EVA, tim(OLD, second ?? ''));
  expect((await bench.push([file, ...flags(keep)])).summary).toMatchObject({ created: 2 });
  return bench;
}

const SECOND = ['tim.koch@example.com second'];

describe('two rows of one person of which one was left out, and the e-mail of one is mended', () => {
  test.each([
    ['that was kept', 'last', [tim(OLD, 'first'), EVA, tim(NEW, 'second')], SECOND, 2],
    ['that was left out', 'last', [tim(NEW, 'first'), EVA, tim(OLD, 'second')], SECOND, 1],
    ['that was kept, the first', 'first', [tim(NEW, 'first'), EVA, tim(OLD, 'second')], undefined, 2],
  ] as const)(
    'are no two people, and nothing is overwritten: the row %s',
    async (_, keep, rows, had, count) => {
      const bench = await pushed(keep);
      const file = write(bench, ...rows);
      // It does not matter how often it is tried.
      for (const more of [['--dry-run'], [], [], ['--match', 'email']]) {
        const refused = await bench.push([file, ...flags(keep), ...more]);
        expect(refused).toMatchObject({ code: 3, summary: { conflict: count } });
        const { message } = refused.summary.problems.at(-1) ?? {};
        expect(message).toMatch(
          /^this row and twice\.csv:\d may be one person with two e-mails: one row of that/,
        );
        expect(held(bench)).toEqual(had ?? ['tim.koch@example.com first']);
      }
    },
  );

  test('are no two people where the service shows no ids', async () => {
    const bench = await pushed('last', ['first', 'second'], { idShown: 'nowhere' });
    const file = write(bench, tim(OLD, 'first'), EVA, tim(NEW, 'second'));
    const refused = await bench.push([file, ...flags('last')]);
    expect(refused).toMatchObject({ code: 3, summary: { conflict: 2 } });
    expect(held(bench)).toEqual(SECOND);
  });

  test('are no two people where the rows are equal but for that', async () => {
    const bench = await pushed('last', ['same', 'same']);
    const file = write(bench, tim(OLD, 'same'), EVA, tim(NEW, 'same'));
    const refused = await bench.push([file, ...flags('last')]);
    expect(refused).toMatchObject({ code: 3, summary: { conflict: 1, unchanged: 2 } });
    expect(held(bench)).toEqual(['tim.koch@example.com same']);
  });

  test.each([
    ['mended in both', [tim(NEW, 'first'), EVA, tim(NEW, 'second')]],
    ['mended, and the other row taken out', [EVA, tim(NEW, 'second')]],
  ])('are that person once it is %s', async (_, rows) => {
    const bench = await pushed();
    await bench.push([write(bench, tim(OLD, 'first'), EVA, tim(NEW, 'second')), ...flags('last')]);
    const file = write(bench, ...rows);
    const asked = await bench.push([file, ...flags('last')]);
    expect(asked).toMatchObject({ code: 3, summary: { conflict: 1 } });
    expect(asked.summary.problems[0]?.message).toMatch(
      /has its name, and no row of the files stands for it: --match/,
    );
    const said = await bench.push([file, ...flags('last'), '--match', 'email']);
    expect(said).toMatchObject({ code: 0, summary: { created: 0, updated: 1 } });
    expect(held(bench)).toEqual(['tim.koch@example.org second']);
    expect(await bench.push([file, ...flags('last')])).toMatchObject({ code: 0, summary: { sent: 0 } });
  });

  test('are two people once that is said, and stay so', async () => {
    const bench = await pushed();
    const file = write(bench, tim(OLD, 'first'), EVA, tim(NEW, 'second'));
    const said = await bench.push([file, ...flags('last'), '--match', 'none']);
    expect(said).toMatchObject({ code: 0, summary: { created: 1, updated: 1 } });
    const both = ['tim.koch@example.com first', 'tim.koch@example.org second'];
    expect(held(bench)).toEqual(both);
    expect(await bench.push([file, ...flags('last')])).toMatchObject({ code: 0, summary: { sent: 0 } });
    const third = write(bench, tim(OLD, 'older'), EVA, tim(NEW, 'second'), tim('example.net', 'third'));
    await bench.push([third, ...flags('last')]);
    expect(held(bench)).toEqual([
      'tim.koch@example.com older',
      'tim.koch@example.net third',
      'tim.koch@example.org second',
    ]);
  });

  test('are asked about at a terminal, where no e-mail can tell', async () => {
    const bench = await pushed();
    const file = write(bench, tim(OLD, 'first'), EVA, tim(NEW, 'second'));
    const answered = async (answer: FakeAnswer) => {
      const { prompt, asked } = fakePrompt({ 'may be the same': answer });
      const ended = await bench.push([file, ...flags('last')], { tty: true, prompt: async () => prompt });
      return { ...ended, asked };
    };
    const wrong = await answered('Update them (--match email)');
    expect(wrong.err).toContain('No choice has Update them');
    const stopped = await answered('Stop: nothing is sent');
    expect(stopped.asked).toHaveLength(1);
    expect(stopped.err.replaceAll(/\s+/g, ' ')).toContain('mend the e-mail in both rows');
    expect(held(bench)).toEqual(SECOND);
    await answered('Register them again (--match none)');
    expect(held(bench)).toHaveLength(2);
  });
});

test('A person whose rows are still one is changed as the kept one says, beside a namesake', async () => {
  const bench = await pushed();
  const file = write(bench, tim(OLD, 'first'), EVA, tim(OLD, 'third'), tim(NEW, 'namesake'));
  expect(await bench.push([file, ...flags('last')])).toMatchObject({
    code: 0,
    summary: { created: 1, updated: 1 },
  });
  expect(held(bench)).toEqual(['tim.koch@example.com third', 'tim.koch@example.org namesake']);
});

test('A person of whom only the older row is left is changed to what that says', async () => {
  const bench = await pushed();
  const file = write(bench, tim(OLD, 'first'), EVA);
  expect(await bench.push([file, ...flags('last')])).toMatchObject({ code: 0, summary: { updated: 1 } });
  expect(held(bench)).toEqual(['tim.koch@example.com first']);
});
