import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, type Ended, pushBench, visitors } from '../../sync/push-bench.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';

const TOKEN = 'bench-token-1234';

/** A bench whose push prints nothing but what is looked at. */
async function planBench(...people: readonly string[]) {
  const bench = await pushBench();
  bench.write('a.csv', visitors(...people));
  const push = (...argv: readonly string[]): Promise<Ended> =>
    bench.run(['push', ...argv, '--progress', 'none']);
  return { bench, push };
}

/** Somebody else's work in the service. */
async function edit({ sandbox }: Bench, method: 'POST' | 'DELETE', what: object | string): Promise<void> {
  const path = typeof what === 'string' ? `/registration/${what}` : '/registration';
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(typeof what === 'string' ? {} : { body: JSON.stringify(what) }),
  });
  expect(response.ok).toBe(true);
}

const person = (barcode: string, first_name: string): object => ({
  persona: 'visitor',
  barcode,
  fields: { first_name, last_name: 'Example', email: 'a@example.com' },
});

const idOf = ({ sandbox }: Bench, barcode: string): string =>
  sandbox.registrations().find((one) => one.barcode === barcode)?.id ?? '';

const asked = ({ service }: Bench): number => service.requests.length;

describe('--diff', () => {
  test('prints for people what a push would change, and changes nothing', async () => {
    const { bench, push } = await planBench('A', 'B', 'C');
    await push('a.csv');
    const posts = bench.posts().length;
    bench.write('a.csv', visitors('A', 'B:Bob', 'D'));
    const { code, out, err } = await push('a.csv', '--dry-run', '--diff', '--show-values');
    expect(code).toBe(EXIT.done);
    expect(out).toBe(`~ update  a.csv:3  barcode B  registration ${idOf(bench, 'B')}  visitor
    first_name: "Ada" → "Bob"
+ create  a.csv:4  barcode D  visitor
    first_name: "Ada"
    last_name: "Example"
    email: "d@example.com"
Plan: 1 to create, 1 to update, 1 unchanged.
`);
    expect(err).toContain('    1 to create\n    1 to update\n  1 unchanged');
    expect(bench.posts()).toHaveLength(posts);
  });

  test('is part of the one object with --json, and comes before the summary as ndjson', async () => {
    const { push } = await planBench('A', 'B');
    const { out } = await push('a.csv', '--dry-run', '--diff', '--json');
    expect(JSON.parse(out)).toMatchObject({
      plan: [{ action: 'create', barcode: 'A' }, { barcode: 'B' }],
      state: 'planned',
      to_create: 2,
    });
    const lines = (await push('a.csv', '--dry-run', '--diff', '--output', 'ndjson')).out
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { action: 'create', barcode: 'A' },
      { action: 'create', barcode: 'B' },
      { state: 'planned', to_create: 2 },
    ]);
    const csv = (await push('a.csv', '--dry-run', '--diff', '--output', 'csv')).out.split('\n');
    expect(csv[0]).toMatch(/^action,place,/);
    expect(csv).toHaveLength(2 * 4 + 2);
  });

  test('is null, or only a header, where nothing was planned', async () => {
    const { push } = await planBench('A', 'A');
    const refused = await push('a.csv', '--dry-run', '--diff', '--json');
    expect(refused.code).toBe(EXIT.rejected);
    expect(JSON.parse(refused.out)).toMatchObject({ plan: null, state: 'refused' });
    const csv = await push('a.csv', '--dry-run', '--diff', '--output', 'csv');
    expect(csv.out).toMatch(/^action,place,[a-z_,]+\n$/);
  });
});

describe('--plan-out', () => {
  test('saves a plan for its owner only, without the token, and says how it is run', async () => {
    const { bench, push } = await planBench('A', 'B');
    const { code, err } = await push('a.csv', '--plan-out', 'p.plan');
    expect(code).toBe(EXIT.done);
    expect(err).toContain(
      'The plan is saved in p.plan: 2 to create. It holds values of persons; only you can read it.\n' +
        'Do exactly this with: eventreg push --plan p.plan\n',
    );
    expect(statSync(join(bench.directory, 'p.plan')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(bench.directory, 'p.plan'), 'utf8')).not.toContain(TOKEN);
    expect([bench.posts(), bench.runs()]).toEqual([[], []]);
    const onSandbox = await bench.run(['push', 'a.csv', '--plan-out', 's 1.plan', '--sandbox'], { env: {} });
    expect(onSandbox.err).toContain('with: eventreg push --plan "s 1.plan" --sandbox\n');
  });

  test('asks before it replaces a file, and never replaces one that is read or written', async () => {
    const { bench, push } = await planBench('A');
    bench.write('p.plan', 'work of an hour');
    expect(await push('a.csv', '--plan-out', 'p.plan')).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('p.plan is there already. Overwrite it with the plan?'),
    });
    expect(readFileSync(join(bench.directory, 'p.plan'), 'utf8')).toBe('work of an hour');
    expect((await push('a.csv', '--plan-out', 'p.plan', '--yes')).code).toBe(EXIT.done);
    expect(readFileSync(join(bench.directory, 'p.plan'), 'utf8')).toContain('eventreg-plan');
    for (const [argv, why] of [
      [['--plan-out', 'a.csv'], '--plan-out a.csv is one of the files that are read.'],
      [['--plan-out', 'none/p.plan'], '--plan-out none/p.plan is in a folder that does not exist.'],
      [['--plan-out', '-'], '--plan-out needs a file name.'],
      [['--plan-out', 'q', '--rejects', './q'], '--plan-out and --rejects name the same file.'],
    ] as const) {
      expect(await push('a.csv', ...argv)).toMatchObject({
        code: EXIT.usage,
        err: expect.stringContaining(why),
      });
    }
  });

  test('saves nothing when rows are rejected, and says so', async () => {
    const { bench, push } = await planBench('A', 'A', 'B');
    const { code, err } = await push('a.csv', '--plan-out', 'p.plan');
    expect([code, err]).toEqual([EXIT.rejected, expect.stringContaining('No plan was saved.')]);
    expect(readdirSync(bench.directory)).not.toContain('p.plan');
    await push('a.csv', '--plan-out', 'p.plan', '--invalid', 'skip');
    expect((await push('--plan', 'p.plan')).err).toContain('1 sent');
  });
});

describe('--plan', () => {
  test('does what the plan says, and on a second time that there is nothing left', async () => {
    const { bench, push } = await planBench('A', 'B');
    await push('a.csv', '--plan-out', 'p.plan');
    const { code, err } = await push('--plan', 'p.plan');
    expect([code, err]).toEqual([EXIT.done, expect.stringContaining('2 sent (2 new)')]);
    expect((await push('--plan', 'p.plan')).err).toContain('Nothing to send.');
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B']);
  });

  test('goes on where it was stopped', async () => {
    const { bench, push } = await planBench('A', 'B', 'C', 'D');
    await push('a.csv', '--plan-out', 'p.plan');
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth >= 2 ? { answer: { status: 401, body: '{}' } } : undefined;
    expect((await push('--plan', 'p.plan', '--concurrency', '1')).code).toBe(EXIT.unauthorised);
    expect(bench.kept()).toHaveLength(2);
    bench.service.fault = () => undefined;
    const { code, err } = await push('--plan', 'p.plan');
    expect([code, err]).toEqual([EXIT.done, expect.stringContaining('2 sent (2 new)')]);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B', 'C', 'D']);
  });

  test('settles what got no answer, and goes on', async () => {
    const { bench, push } = await planBench('A', 'B');
    await push('a.csv', '--plan-out', 'p.plan');
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth === 0 ? { passOn: true, answer: 'cut' } : undefined;
    await push('--plan', 'p.plan', '--concurrency', '1');
    bench.service.fault = () => undefined;
    expect((await push('--plan', 'p.plan')).code).toBe(EXIT.done);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B']);
  });

  test('leaves what was in conflict alone, and does the rest', async () => {
    const { bench, push } = await planBench('A', 'B');
    await push('a.csv');
    await edit(bench, 'POST', person('A', 'Edited'));
    bench.write('a.csv', visitors('A:Ann', 'B:Bob'));
    const planned = await push('a.csv', '--plan-out', 'p.plan', '--diff');
    expect(planned.code).toBe(EXIT.rejected);
    expect(planned.out).toContain(
      `! conflict  a.csv:2  barcode A  registration ${idOf(bench, 'A')}  visitor: `,
    );
    const { code, err } = await push('--plan', 'p.plan');
    expect([code, err]).toEqual([EXIT.rejected, expect.stringContaining('1 sent (1 updated)')]);
    expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Edited', 'Bob']);
    await push('a.csv', '--overwrite', '--plan-out', 'q.plan');
    expect((await push('--plan', 'q.plan')).code).toBe(EXIT.done);
    expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Ann', 'Bob']);
  });

  test('knows rows without a barcode by what they are known by in the plan', async () => {
    const { bench, push } = await planBench();
    const rows = (company: string): string =>
      `First name,Last name,E-mail,Company\nAda,Example,ada@example.com,${company}\nBo,New,bo@example.com,X\n`;
    await edit(bench, 'POST', {
      persona: 'visitor',
      barcode: 'K1',
      fields: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com', company: 'Old' },
    });
    bench.write('a.csv', rows('New'));
    const how = ['--persona', 'visitor', '--match', 'email', '--plan-out', 'p.plan', '--yes'];
    expect((await push('a.csv', ...how)).err).toContain('1 to create, 1 to update');
    bench.write('a.csv', rows('Newest'));
    expect((await push('--plan', 'p.plan')).code).toBe(EXIT.guarded);
    bench.write('a.csv', rows('New'));
    expect((await push('--plan', 'p.plan', '--yes')).err).toContain('2 sent (1 new, 1 updated)');
    expect(bench.kept()).toHaveLength(2);
    expect((await push('--plan', 'p.plan')).err).toContain('Nothing to send.');
  });

  test('with --dry-run only says whether it holds', async () => {
    const { bench, push } = await planBench('A');
    await push('a.csv', '--plan-out', 'p.plan');
    expect(await push('--plan', 'p.plan', '--dry-run', '--diff')).toMatchObject({
      code: EXIT.done,
      out: expect.stringContaining('+ create  a.csv:2  barcode A'),
    });
    await edit(bench, 'POST', person('A', 'Eve'));
    const posts = bench.posts().length;
    expect((await push('--plan', 'p.plan', '--dry-run')).code).toBe(EXIT.guarded);
    expect(bench.posts()).toHaveLength(posts);
  });

  test('deletes what the plan says, and nothing that has come since', async () => {
    const { bench, push } = await planBench('A', 'B', 'C');
    await push('a.csv');
    bench.write('a.csv', visitors('A'));
    await push('a.csv', '--prune', '--plan-out', 'p.plan');
    await edit(bench, 'POST', person('X', 'Xi'));
    const refused = await push('--plan', 'p.plan', '--yes');
    expect(refused.code).toBe(EXIT.guarded);
    expect(refused.err).toContain(
      `barcode X, registration ${idOf(bench, 'X')}: is to be deleted, which the plan does not say`,
    );
    await edit(bench, 'DELETE', idOf(bench, 'X'));
    const done = await push('--plan', 'p.plan', '--yes');
    expect([done.code, done.err]).toEqual([EXIT.done, expect.stringContaining('2 deleted')]);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A']);
    const again = await push('--plan', 'p.plan', '--yes', '--json');
    expect([again.code, JSON.parse(again.out)]).toEqual([EXIT.done, expect.objectContaining({ deleted: 0 })]);
  });
});

test('A plan that was stopped among its deletions goes on with the rest of them', async () => {
  const { bench, push } = await planBench('A', 'B', 'C', 'D');
  await push('a.csv');
  bench.write('a.csv', visitors('A'));
  await push('a.csv', '--prune', '--plan-out', 'p.plan');
  bench.service.fault = ({ method, nth }) =>
    method === 'DELETE' && nth >= 1 ? { answer: { status: 401, body: '{}' } } : undefined;
  expect((await push('--plan', 'p.plan', '--yes', '--concurrency', '1')).code).toBe(EXIT.unauthorised);
  expect(bench.kept()).toHaveLength(3);
  bench.service.fault = () => undefined;
  const { code, err } = await push('--plan', 'p.plan', '--yes');
  expect([code, err]).toEqual([EXIT.done, expect.stringContaining('2 deleted')]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A']);
});

describe('a plan that no longer holds is refused, and nothing is sent', () => {
  test('when the service has changed: every registration, and how', async () => {
    const { bench, push } = await planBench('A', 'B', 'C', 'D');
    for (const barcode of ['B', 'C', 'D']) await edit(bench, 'POST', person(barcode, 'Old'));
    await edit(bench, 'POST', person('D', 'Ada'));
    await push('a.csv', '--plan-out', 'p.plan');
    await edit(bench, 'POST', person('A', 'Eve'));
    await edit(bench, 'POST', person('B', 'Newer'));
    await edit(bench, 'DELETE', idOf(bench, 'C'));
    await edit(bench, 'POST', person('D', 'Dan'));
    const posts = bench.posts().length;
    const { code, err } = await push('--plan', 'p.plan', '--show-values');
    expect(code).toBe(EXIT.guarded);
    expect(
      err,
    ).toContain(`eventreg: The plan no longer holds: 4 registrations are not as it says. Nothing was sent.
  - a.csv:2 (barcode A): was to be created, but the service now lists it (registration ${idOf(bench, 'A')})
  - a.csv:3 (barcode B): first_name was "Old" in the service, now it is "Newer"
  - a.csv:4 (barcode C): was to be updated, but the service does not list it now
  - a.csv:5 (barcode D): first_name was "Ada" in the service, now it is "Dan"
hint: Make a new plan with --plan-out`);
    expect(bench.posts()).toHaveLength(posts);
    expect((await push('--plan', 'p.plan')).err).toContain(
      'first_name was "O••" in the service, now it is "N••••"',
    );
  });

  test('when rows of the files have changed', async () => {
    const { bench, push } = await planBench('A', 'B', 'C');
    await push('a.csv', '--plan-out', 'p.plan');
    bench.write('a.csv', visitors('A', 'B:Bob', 'D'));
    const { code, err } = await push('--plan', 'p.plan', '--show-values');
    expect(code).toBe(EXIT.guarded);
    expect(err).toContain(`  - a.csv is not the file that the plan was made of
  - a.csv:3 (barcode B): first_name was "Ada" in the file, now it is "Bob"
  - a.csv:4 (barcode D): is new in the files
  - a.csv:4 (barcode C): is gone from the files, or is rejected now
`);
    expect(bench.posts()).toEqual([]);
  });

  test('but a file that was saved again with the same rows, in another order, is fine', async () => {
    const { bench, push } = await planBench('A', 'B', 'C:Cy');
    await push('a.csv', '--plan-out', 'p.plan');
    bench.write('a.csv', visitors('C:Cy', 'A', 'B').replaceAll('\n', '\r\n'));
    const { code, err } = await push('--plan', 'p.plan');
    expect([code, err]).toEqual([
      EXIT.done,
      expect.stringContaining('a.csv was saved again since the plan was made; its rows are the same.'),
    ]);
  });

  test('when it is for another service, before any row is read', async () => {
    const { bench, push } = await planBench('A');
    await bench.run(['push', 'a.csv', '--plan-out', 'p.plan', '--sandbox'], { env: {} });
    const { code, err } = await push('--plan', 'p.plan');
    expect(code).toBe(EXIT.guarded);
    expect(err).toMatch(
      /The plan is for Harbour Trade Fair 2027 at the embedded sandbox, and this is Harbour Trade Fair 2027 at http:/,
    );
    expect(asked(bench)).toBe(1);
    await bench.run(['sandbox', 'reset', '--yes'], { env: {} });
    const emptied = await bench.run(['push', '--plan', 'p.plan', '--sandbox'], { env: {} });
    expect(emptied.code).toBe(EXIT.guarded);
    expect(emptied.err).toContain('The embedded sandbox was emptied since the plan was made.');
  });

  test('when its files leave open what they did not', async () => {
    const { bench, push } = await planBench('A');
    bench.write('a.csv', 'Barcode,Date of birth\nA,26/02/1990\n');
    await push('a.csv', '--persona', 'visitor', '--plan-out', 'p.plan');
    bench.write('a.csv', 'Barcode,Date of birth\nA,03/04/1990\n');
    const { prompt } = fakePrompt({});
    const ended = await bench.run(['push', '--plan', 'p.plan'], { tty: true, prompt: async () => prompt });
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain('The plan no longer holds: the files leave open what they did not then.');
  });
});

describe('a plan that cannot be used is refused before the service is asked anything', () => {
  test('damaged, of another kind, or not there', async () => {
    const { bench, push } = await planBench('A');
    await push('a.csv', '--plan-out', 'p.plan');
    const requests = asked(bench);
    const whole = readFileSync(join(bench.directory, 'p.plan'), 'utf8');
    bench.write('p.plan', whole.replace('"after":"Ada"', '"after":"Eve"'));
    expect(await push('--plan', 'p.plan')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(
        'p.plan: this plan is not as it was written; it was edited, cut off or damaged.',
      ),
    });
    expect((await push('--plan', 'a.csv')).err).toContain('a.csv: this is no plan of eventreg.');
    expect((await push('--plan', 'none')).err).toContain('none: there is no such file.');
    expect((await push('--plan', '-')).err).toContain('--plan needs a file name.');
    expect(asked(bench)).toBe(requests);
  });

  test('without its files, with where it was made', async () => {
    const { bench, push } = await planBench('A');
    await push('a.csv', '--plan-out', 'p.plan');
    const cwd = join(bench.directory, 'state');
    const elsewhere = await bench.run(['push', '--plan', '../p.plan'], { cwd });
    expect(elsewhere.code).toBe(EXIT.usage);
    expect(elsewhere.err).toContain('a.csv: there is no such file.');
    expect(elsewhere.err).toContain(`The plan was made of it in the folder ${bench.directory}: run it there`);
    rmSync(join(bench.directory, 'a.csv'));
    expect((await push('--plan', 'p.plan')).err).toContain('run it there, or make a new plan');
  });
});

describe('a plan keeps how rows are read', () => {
  const STRANGE = 'Vorname,E-Mail,Tisch,Barcode\nAna,a@example.com,4,A\n';

  test('flags and mapping files, which are needed no more', async () => {
    const { bench, push } = await planBench();
    bench.write('a.csv', STRANGE);
    bench.write('map.json', '{"columns": {"Tisch": "guests", "Vorname": "last_name"}}');
    const how = ['--persona', 'visitor', '--mapping', 'map.json', '--map', 'Vorname=first_name'];
    await push('a.csv', ...how, '--blank', 'clear', '--plan-out', 'p.plan');
    rmSync(join(bench.directory, 'map.json'));
    expect((await push('--plan', 'p.plan')).code).toBe(EXIT.done);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Ana', guests: '4' });
  });

  test('answers, and what was remembered', async () => {
    const { bench } = await planBench();
    bench.write('a.csv', STRANGE);
    const { prompt } = fakePrompt({ 'columns of': { Tisch: 'Remarks' } });
    const argv = ['push', 'a.csv', '--persona', 'visitor', '--plan-out'];
    await bench.run([...argv, 'p.plan'], { tty: true, prompt: async () => prompt });
    expect((await bench.run([...argv, 'q.plan'])).err).toContain('left out, as last time');
    // On another machine nothing is remembered.
    rmSync(join(bench.directory, 'config'), { recursive: true });
    for (const plan of ['p.plan', 'q.plan']) {
      expect((await bench.run(['push', '--plan', plan])).code).toBe(EXIT.done);
    }
    expect(bench.kept()[0]?.fields).toMatchObject({ remarks: '4' });
  });

  test('standard input, which has to be given again', async () => {
    const { bench } = await planBench();
    const rows = visitors('A', 'B');
    const plan = ['push', '-', '--plan-out', 'p.plan'];
    expect((await bench.run(plan, { stdinText: rows })).code).toBe(EXIT.done);
    const terminal = await bench.run(['push', '--plan', 'p.plan'], { tty: true });
    expect([terminal.code, terminal.err]).toEqual([EXIT.usage, expect.stringContaining('standard input')]);
    const other = await bench.run(['push', '--plan', 'p.plan'], { stdinText: visitors('A', 'C') });
    expect(other.code).toBe(EXIT.guarded);
    expect((await bench.run(['push', '--plan', 'p.plan'], { stdinText: rows })).code).toBe(EXIT.done);
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B']);
  });

  test('options that are not known here are an error, not left out', async () => {
    const { bench, push } = await planBench('A');
    await push('a.csv', '--plan-out', 'p.plan');
    const [first = ''] = readFileSync(join(bench.directory, 'p.plan'), 'utf8').split('\n');
    const header = JSON.parse(first) as Record<string, unknown>;
    const strange = `${JSON.stringify({ ...header, options: { blank: 'half' } })}\n`;
    const sha256 = createHash('sha256').update(strange).digest('hex');
    bench.write('p.plan', `${strange}{"sha256":"${sha256}"}\n`);
    expect(await push('--plan', 'p.plan')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('p.plan: this plan has options that are not known here.'),
    });
  });
});
