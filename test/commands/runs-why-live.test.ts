import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { type Bench, pushBench, visitors } from '../sync/push-bench.ts';
import { deleteByHand, registerByHand } from '../sync/service-hands.ts';
import { fakeRuntime } from '../support/fake-runtime.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listIn } from '../support/documents.ts';

interface Story {
  registration_id: string | null;
  now: string;
  next: string;
  asked_at: string | null;
  not_asked: string | null;
  last_known_at: string | null;
  in_service:
    | {
        registration_id: string | null;
        edited: boolean | null;
        values: { field: string; now: unknown; state: string; was: unknown }[];
      }[]
    | null;
  runs: { kind: string; because: string[] }[];
}

async function tell(bench: Bench, ...argv: readonly string[]): Promise<Story> {
  const ended = await bench.run(['runs', 'why', ...argv, '--show-values', '--json']);
  expect([ended.code, ended.out === '']).toEqual([EXIT.done, false]);
  const [story] = listIn<Story>(ended.out);
  if (story === undefined) throw new Error('No story.');
  return story;
}

const HEAD = 'persona,barcode,First name,Last name,E-mail';
const ADA = `${HEAD}\nvisitor,EV-1,Ada,Example,ada@example.com\n`;

/** A bench whose service holds Ada. */
async function withAda(switches = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  expect((await bench.push([bench.write('a.csv', ADA)])).code).toBe(EXIT.done);
  return bench;
}

const state = ({ in_service }: Story, field: string): unknown[] => {
  const value = in_service?.[0]?.values.find((one) => one.field === field);
  return [value?.now, value?.state, value?.was];
};

describe('what the service holds now', () => {
  test('is as it was sent', async () => {
    const bench = await withAda();
    const story = await tell(bench, 'EV-1');
    expect(story).toMatchObject({ now: 'It is in the service as it was sent.', not_asked: null });
    expect(story.in_service?.[0]).toMatchObject({ edited: false, registration_id: bench.kept()[0]?.id });
    expect(state(story, 'first_name')).toEqual(['Ada', 'sent', null]);
  });

  test('was edited there: which values, and what was sent', async () => {
    const bench = await withAda();
    await registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Ida', company: 'Acme' } });
    const story = await tell(bench, 'EV-1');
    expect(story.now).toBe('It is in the service, edited since it was sent: first_name.');
    expect(story.next).toContain('eventreg push a.csv --only EV-1 --overwrite puts back');
    expect(state(story, 'first_name')).toEqual(['Ida', 'edited', 'Ada']);
    expect(state(story, 'last_name')).toEqual(['Example', 'sent', null]);
    expect(state(story, 'company')).toEqual(['Acme', 'unknown', null]);
    const { out } = await bench.run(['runs', 'why', 'EV-1']);
    expect(out).toContain('          first_name: "I••", edited: was "A••"\n');
    expect(out).not.toContain('Ida');
    const typed = /eventreg (push .*) puts back/.exec(story.next)?.[1] ?? '';
    expect((await bench.run(typed.split(' '))).code).toBe(EXIT.done);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Ada', company: 'Acme' });
  });

  test('holds values that were never sent, as before or changed since', async () => {
    const bench = await pushBench();
    await registerByHand(bench, { barcode: 'EV-1', fields: { company: 'Acme', country: 'FR' } });
    await bench.push([bench.write('a.csv', ADA), '--overwrite']);
    await registerByHand(bench, { barcode: 'EV-1', fields: { country: 'ES' } });
    const story = await tell(bench, 'EV-1');
    expect(state(story, 'company')).toEqual(['Acme', 'before', null]);
    expect(state(story, 'country')).toEqual(['ES', 'changed', 'FR']);
    expect(story.now).toContain('other values than before, though they were not sent: country');
  });

  test('of a row that went but for a value in conflict: what was not sent is not called sent', async () => {
    const bench = await pushBench();
    const file = (name: string, country: string): string =>
      bench.write(
        'a.csv',
        `${HEAD},Country,Company\nvisitor,EV-1,${name},Example,ada@example.com,${country},Acme\n`,
      );
    await bench.push([file('Ada', 'ES')]);
    await registerByHand(bench, { barcode: 'EV-1', fields: { country: 'FR', company: 'Other' } });
    const ended = await bench.push([file('Ida', 'GB')]);
    expect(ended.err).toContain('1 value in conflict, not sent: only you can tell which side is right\n');
    expect((await bench.run(['runs'], { tty: true })).out).toContain('1 changed, 1 value in conflict');
    const { now } = await tell(bench, 'EV-1');
    expect(now).not.toContain('stored otherwise');
    expect(now).toContain('with values that were not sent and stay as they are there: country, company');
    const { out } = await bench.run(['runs', 'why', 'EV-1']);
    expect(out).toMatch(/country: "F.", not sent: the row has "G."/);
    expect(out).toContain('(not sent: conflict)');
    expect(out).toContain('(not sent: kept)');
    expect(out).not.toContain('stored  ');
  });

  test('of a row in conflict is not said to be as it was sent', async () => {
    const bench = await withAda();
    await registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Ida' } });
    await bench.push([bench.write('a.csv', ADA.replace('Ada', 'Eda'))]);
    const { now } = await tell(bench, 'EV-1');
    expect(now).toMatch(/^It is in the service, and is in conflict with the row: /);
    expect(now).not.toContain('as it was sent');
  });

  test('of another person who keeps the ticket: nothing of the row is called sent', async () => {
    const bench = await withAda();
    const zoe = { first_name: 'Zoe', last_name: 'Zeta', email: 'zoe@example.com' };
    await registerByHand(bench, { barcode: 'EV-1', fields: zoe });
    const file = bench.write('a.csv', ADA.replace('E-mail', 'E-mail,Company').replace('.com', '.com,Acme'));
    expect((await bench.push([file])).code).toBe(EXIT.rejected);
    expect((await bench.push([file, '--only', 'EV-1', '--keep'])).code).toBe(EXIT.done);
    expect((await tell(bench, 'EV-1')).now).toBe(
      'It is in the service, with values that were not sent and stay as they are there: first_name, last_name, email, company.',
    );
    const { out } = await bench.run(['runs', 'why', 'EV-1']);
    expect(out).toMatch(
      /unchanged: registration \S+ is another person now, changed in the service by [\w, ]+: nothing of the row is sent to that one\n/,
    );
  });

  test('is gone: somebody has deleted it', async () => {
    const bench = await withAda();
    await deleteByHand(bench, 'EV-1');
    const story = await tell(bench, 'EV-1');
    expect(story.in_service).toEqual([]);
    expect(story.now).toMatch(
      /^It is NOT in the service\. The service held it at 2026-01-15 12:00 UTC; nobody here has deleted it, so somebody has in the service\.$/,
    );
    expect(story.next).toMatch(/^To register it again: eventreg push \S+ --only EV-1 --overwrite\. Else/);
    expect((await bench.run(['runs', 'why', 'EV-1'])).out).toMatch(/service asked .* UTC: not there/);
  });

  test('is gone after an undo: the push of its row alone registers it again', async () => {
    const bench = await withAda();
    const { summary } = await bench.push([bench.write('a.csv', ADA.replace('Ada', 'Ida'))]);
    await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
    await deleteByHand(bench, 'EV-1');
    const { next } = await tell(bench, 'EV-1');
    expect(next).toMatch(/^To register it again: eventreg push \S+ --only EV-1 --overwrite\. Else/);
  });

  test('is as an earlier push has sent it, where the row of the last was rejected', async () => {
    const bench = await withAda();
    const wrong = ADA.replace('ada@example.com', 'nonsense') + 'visitor,EV-2,Bob,Example,bob@example.com\n';
    await bench.push([bench.write('a.csv', wrong), '--invalid', 'skip']);
    expect(await tell(bench, 'EV-1')).toMatchObject({
      now: 'It is in the service as it was sent. Its row was rejected, and not sent.',
      next: 'Mend a.csv:2 and push the file again.',
    });
  });

  test('has another id by now', async () => {
    const bench = await withAda();
    const before = bench.kept()[0]?.id;
    await deleteByHand(bench, 'EV-1');
    await registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Ada' } });
    const { registration_id: id } = await tell(bench, 'EV-1');
    expect(id).toBe(bench.kept()[0]?.id);
    expect(id).not.toBe(before);
  });

  test('is there more than once', async () => {
    const bench = await withAda({ upsert: 'double' });
    await registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Ada' } });
    const story = await tell(bench, 'EV-1');
    expect(story.now).toMatch(/^There are 2 registrations \(reg-\S+, reg-\S+\) of it in the service\.$/);
  });

  test('is found by its id where it has no barcode in the file, or no more there', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors(':Ada', ':Eva'))]);
    const story = await tell(bench, 'a.csv:3');
    expect(story.registration_id).not.toBeNull();
    expect(state(story, 'first_name')).toEqual(['Eva', 'sent', null]);
  });

  test('is known by all that was sent where neither barcode nor id tells it, and else it is said that nothing does', async () => {
    const bench = await pushBench({ createBody: 'empty', idKey: 'none' });
    await bench.push([bench.write('a.csv', visitors(':Ada', ':Eva'))]);
    expect((await tell(bench, 'a.csv:2')).now).toBe('It is in the service as it was sent.');
    const [ada] = bench.kept().filter(({ fields }) => fields['first_name'] === 'Ada');
    await registerByHand(bench, { barcode: ada?.barcode ?? '', fields: { first_name: 'Ida' } });
    expect((await tell(bench, 'a.csv:2')).not_asked).toMatch(
      /neither a barcode that the service shows nor an id/,
    );
  });

  test('does not show its values', async () => {
    const bench = await withAda({ recordShape: 'no-fields' });
    expect((await tell(bench, 'EV-1')).now).toBe('It is in the service, which does not show its values.');
  });
});

describe('what was last known', () => {
  test('is told with --offline, and how long ago that was', async () => {
    const bench = await withAda();
    await bench.clock.advance(22 * 60_000);
    const asked = bench.service.requests.length;
    const story = await tell(bench, 'EV-1', '--offline');
    expect(story.now).toMatch(/^Last known, 22 minutes ago: The service holds it as sent/);
    expect(story).toMatchObject({ asked_at: null, not_asked: 'offline', in_service: null });
    expect(bench.service.requests.length).toBe(asked);
    const { out } = await bench.run(['runs', 'why', 'EV-1', '--offline']);
    expect(out).not.toContain('\n  service');
  });

  test.each([
    ['cannot be reached', 'cut' as const, /Could not/],
    ['refuses the token', { status: 401, body: '{}' }, /did not accept the token/],
  ])('is told where the service %s, and that it is', async (_name, answer, why) => {
    const bench = await withAda();
    await bench.clock.advance(22 * 60_000);
    bench.service.fault = () => ({ answer });
    const { code, out } = await bench.run(['runs', 'why', 'EV-1']);
    expect(code).toBe(EXIT.done);
    expect(out).toMatch(/now {5}Last known, \d+ minutes ago: The service holds it as sent/);
    expect(out).toMatch(/\n {2}service not asked: /);
    expect(out).toMatch(why);
    const json = await bench.run(['runs', 'why', 'EV-1', '--json']);
    expect(json.err).toMatch(/The service was not asked: /);
    expect(listIn<Story>(json.out)[0]?.in_service).toBeNull();
  });

  test('is told of another service than that of the profile in use', async () => {
    const bench = await withAda();
    bench.journal((journal) => journal.run(`UPDATE run SET service = 'https://other.example/api'`));
    const story = await tell(bench, 'EV-1');
    expect(story.not_asked).toMatch(/^it is at https:\/\/other\.example\/api, and the profile in use is for/);
    expect(story.in_service).toBeNull();
  });

  test('is told of another event than that of the token', async () => {
    const bench = await withAda();
    bench.journal((journal) => journal.run(`UPDATE run SET event = '17'`));
    expect((await tell(bench, 'EV-1')).not_asked).toMatch(/^the token is for another event/);
  });
});

test('The embedded sandbox is asked without a flag', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'a.csv'), ADA);
  const run = async (...argv: string[]): Promise<{ code: number; out: string }> => {
    const { runtime, out } = fakeRuntime({ directory });
    return { code: await main(argv, runtime), out: out() };
  };
  expect((await run('push', 'a.csv', '--sandbox', '--json')).code).toBe(EXIT.done);
  const { out } = await run('runs', 'why', 'EV-1');
  expect(out).toContain('It is in the service as it was sent.');
});

describe('why it was overwritten or deleted', () => {
  const reasons = ({ runs }: Story): string[][] => runs.map(({ because }) => because);

  test('is told of --overwrite: what had been edited, and since which run', async () => {
    const bench = await withAda();
    const [first] = bench.runs();
    await registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Ida' } });
    await bench.push([bench.write('a.csv', ADA.replace('Example', 'Sample')), '--overwrite']);
    const story = await tell(bench, 'EV-1');
    expect(reasons(story)[0]).toEqual([
      `edited in the service since run ${first?.id}: first_name; sent all the same (--overwrite)`,
    ]);
    expect(reasons(story)[1]).toEqual([]);
  });

  test('is not told where the file alone has changed', async () => {
    const bench = await withAda();
    await bench.push([bench.write('a.csv', ADA.replace('Example', 'Sample'))]);
    expect(reasons(await tell(bench, 'EV-1'))).toEqual([[], []]);
  });

  test('is told of --prune', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    await bench.push([bench.write('a.csv', visitors('A')), '--prune', '--yes', '--max-delete', '50']);
    const story = await tell(bench, 'B');
    expect(story.now).toMatch(/^It is not in the service\. Run \S+ has deleted it\.$/);
    expect(reasons(story)[0]).toEqual(['the file no longer had it (--prune)']);
  });

  test('is told of a delete and of an undo', async () => {
    const bench = await pushBench();
    const { summary } = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(reasons(await tell(bench, 'A'))[0]).toEqual(['it was asked for with eventreg delete']);
    await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
    expect(reasons(await tell(bench, 'B'))[0]).toEqual([`run ${summary.run} had created it`]);
  });

  test('is told of an undo that registers anew', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const [run] = bench.runs();
    await bench.run(['runs', 'undo', run?.id ?? '', '--yes']);
    expect(reasons(await tell(bench, 'A'))[0]).toEqual([`run ${run?.id} had deleted it`]);
  });
});

describe('whether she was written to', () => {
  const COMMS = 'persona,barcode,First name,enable_comms\nvisitor,EV-1,Ada,yes\n';

  test('is told by when the service was asked to, also where it does not show that', async () => {
    const bench = await pushBench({ recordComms: 'hidden' });
    const file = bench.write('write.csv', COMMS);
    await bench.push([file, '--yes']);
    await bench.push([file, '--only', 'EV-1', '--again', '--yes']);
    const { out } = await bench.run(['runs', 'why', 'EV-1']);
    expect(
      out.match(/asked {3}asked the service to write to this person \(enable_comms\), 2026-01-15/g),
    ).toHaveLength(2);
    expect(out).toContain('plan    update: sent again as it is (--again)\n');
    expect(out).not.toContain('with other values');
    await bench.push([file]);
    const same = (await bench.run(['runs', 'why', 'EV-1'])).out;
    expect(same.match(/asked the service to write/g)).toHaveLength(2);
  });

  test('is not said of a row that asks for nothing, or was refused', async () => {
    const bench = await withAda();
    expect((await bench.run(['runs', 'why', 'EV-1'])).out).not.toContain('to write to');
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 422, body: '{}' } } : undefined;
    await bench.push([bench.write('b.csv', COMMS.replace('EV-1', 'EV-2')), '--yes']);
    expect((await bench.run(['runs', 'why', 'EV-2'])).out).not.toContain('to write to');
  });
});
