import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { hide } from '../scenarios/lists.ts';
import { barcodes, type Bench, pushBench, visitors } from '../push-bench.ts';
import { backups, benchWith, deleteByHand, idOf, left, registerByHand } from '../service-hands.ts';
import { listIn, readDocument } from '../../support/documents.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';

/** Ids in the order in which they were asked to be deleted. */
function deletedIds(bench: Bench): string[] {
  return bench.sandbox
    .requests()
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path.split('/').at(-1) ?? '');
}

/** Has the command stopped by Ctrl-C when the service has worked on this many deletes. */
async function interrupt(bench: Bench, argv: readonly string[], after: number): Promise<void> {
  const stop = new AbortController();
  bench.service.fault = ({ method, nth }) => {
    if (method === 'DELETE' && nth === after - 1) stop.abort(new InterruptedError());
    return undefined;
  };
  const ended = await bench.run(argv, { stopping: stop.signal });
  expect(ended).toMatchObject({
    code: EXIT.interrupted,
    err: expect.stringContaining('To go on: run the same command again.'),
  });
  bench.service.fault = () => undefined;
}

/** Makes the latest run look as a killed process leaves it: at work, one request under way. */
function asIfKilled(bench: Bench, barcode: string): void {
  const [run] = bench.runs();
  bench.journal((journal) => {
    const values = { $run: run?.id ?? '', $barcode: barcode };
    journal.run(`UPDATE run SET state = 'sending', holder = '{}', ended_at = NULL WHERE id = $run`, {
      $run: values.$run,
    });
    journal.run(
      `UPDATE operation SET state = 'sending', attempts = 1, sent_at = $at WHERE run = $run AND barcode = $barcode`,
      { ...values, $at: bench.clock.now() },
    );
  });
}

const PERSONA = ['delete', '--persona', 'visitor', '--yes', '--max-delete', '50'];

describe('a delete that was interrupted', () => {
  test('goes on with the same command, by what is listed now', async () => {
    const bench = await benchWith(barcodes(6));
    await interrupt(bench, PERSONA, 2);
    expect(left(bench)).toHaveLength(4);
    // The request for one more has left, and it was carried out.
    const [third = ''] = left(bench);
    asIfKilled(bench, third);
    await deleteByHand(bench, third);

    const resumed = await bench.run([...PERSONA, '--json']);
    expect(resumed.code).toBe(EXIT.done);
    expect(left(bench)).toEqual([]);
    const [second, first] = bench.runs().filter(({ kind }) => kind === 'delete');
    expect(resumed.err).toContain(`Going on from run ${first?.id}: 3 deleted, 3 still to do.`);
    expect(resumed.err).toContain('3 registrations deleted.');
    expect(listIn(resumed.out)).toHaveLength(3);
    expect(bench.states(second?.id)).toEqual(Array.from({ length: 3 }, () => 'deleted'));
    expect([first?.state, first?.continuedBy, second?.state]).toEqual(['closed', second?.id, 'finished']);
    // All went into the first backup, none was written twice.
    expect(backups(bench).map((file) => readFileSync(file, 'utf8').trim().split('\n').length)).toEqual([6]);

    const told = (await bench.run(['runs'])).out;
    expect([told, told]).toEqual([
      expect.stringContaining('2 deleted, 4 left to the run that went on'),
      expect.not.stringContaining('still to do'),
    ]);

    const again = await bench.run(PERSONA);
    expect(again).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('6 had been deleted before.'),
    });
    expect(bench.runs().filter(({ kind }) => kind === 'delete')).toHaveLength(2);
  });

  test('asks again for what was under way and is still there', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    asIfKilled(bench, left(bench)[0] ?? '');
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect([left(bench), bench.states()]).toEqual([[], ['deleted', 'deleted']]);
  });

  test('waits for what may land yet, and takes for its own doing what is gone then', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    const [late = ''] = left(bench);
    asIfKilled(bench, late);
    const [first] = bench.runs();
    const beganAt = bench.clock.now();
    // The first request lands only now.
    bench.service.fault = async ({ path }) => {
      const isLate = path.includes('/registration?') && bench.clock.now() - beganAt > 50_000;
      if (isLate && idOf(bench, late) !== '') await deleteByHand(bench, late);
      return undefined;
    };
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect([left(bench), bench.states(first?.id)]).toEqual([[], ['deleted', 'deleted', 'pending']]);
  });

  test('by names does not call unknown what was under way and is gone', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const argv = ['delete', '--barcode', 'A', '--barcode', 'B', '--barcode', 'C', '--yes'];
    await interrupt(bench, argv, 1);
    const [late = ''] = left(bench);
    asIfKilled(bench, late);
    await deleteByHand(bench, late);
    const ended = await bench.run(argv);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, []]);
    expect(ended.err).not.toContain('No registration has');
  });

  test('by names says of those that are gone that they were deleted before', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const argv = ['delete', '--barcode', 'A', '--barcode', 'B', '--barcode', 'C', '--yes'];
    await interrupt(bench, argv, 1);
    const [run] = bench.runs();
    const resumed = await bench.run(argv);
    expect(resumed).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining(`A was deleted before, by run ${run?.id} (2026-01-15 12:`),
    });
    expect(resumed.err).toContain('2 registrations deleted. 1 had been deleted before.\n');
    const third = await bench.run(argv);
    expect(third).toMatchObject({ code: EXIT.done, out: '' });
    expect(third.err).toContain('0 registrations deleted. 3 had been deleted before.');
    expect(left(bench)).toEqual([]);
    // Of other names it is told just so.
    expect((await bench.run(['delete', '--barcode', 'B'])).code).toBe(EXIT.done);
    expect((await bench.run(['delete', '--barcode', 'B', 'no-such-id'])).code).toBe(EXIT.rejected);
  });

  test('by names says of those that are only not listed no more than that', async () => {
    const bench = await benchWith(['A', 'B']);
    const [push] = bench.runs();
    const empty = { status: 200, body: '{"data":[],"meta":{"total":0}}' };
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/registration?') ? { answer: empty } : undefined;
    const late = await bench.run(['delete', '--barcode', 'A', '--yes', '--json']);
    expect([late.code, left(bench)]).toEqual([EXIT.guarded, ['A', 'B']]);
    expect(late.err).toContain(
      `No registration is listed with the barcode A, though run ${push?.id} sent it or saw it there (2026-01-15 12:`,
    );
    expect(late.out).not.toContain(push?.id);
    bench.service.fault = () => undefined;
    await deleteByHand(bench, 'A');
    const argv = ['delete', '--barcode', 'A', '--barcode', 'B', '--yes', '--json'];
    const both = await bench.run([...argv, '--report', 'junit=ended.xml']);
    expect([both.code, left(bench)]).toEqual([EXIT.rejected, []]);
    const problems = [{ barcode: 'A', state: 'unseen', message: 'it is not listed' }];
    expect(readDocument(both.out)).toMatchObject({ deleted: 1, deleted_before: 0, absent: 1, problems });
    expect(readFileSync(join(bench.directory, 'ended.xml'), 'utf8')).toContain('failures="1"');
  });

  test('keeps beside the first backup what was edited since', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    const [edited = ''] = left(bench);
    await bench.push([bench.write('b.csv', visitors(`${edited}:Zoe`)), '--overwrite']);
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    const texts = backups(bench)
      .map((file) => readFileSync(file, 'utf8'))
      .sort((one, other) => other.length - one.length);
    expect(texts.map((text) => text.includes('Zoe'))).toEqual([false, true]);
    const runs = bench.runs().filter(({ kind }) => kind === 'delete');
    expect(runs.flatMap(({ files }) => files)).toHaveLength(2);
  });

  test('and chose a backup file goes on though that is there now', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const argv = [...PERSONA, '--backup', 'mine.ndjson'];
    await interrupt(bench, argv, 1);
    expect((await bench.run(argv)).code).toBe(EXIT.done);
    expect([left(bench), backups(bench)]).toEqual([[], []]);
    expect(readFileSync(join(bench.directory, 'mine.ndjson'), 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('tries again what was refused', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const a = idOf(bench, 'A');
    const stop = new AbortController();
    bench.service.fault = ({ method, path, nth }) => {
      if (method !== 'DELETE') return undefined;
      if (nth === 1) stop.abort(new InterruptedError());
      return path.endsWith(a) ? { answer: { status: 409, body: '{"message":"Has a badge."}' } } : undefined;
    };
    await bench.run(PERSONA, { stopping: stop.signal });
    expect(left(bench)).toContain('A');
    bench.service.fault = () => undefined;
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect(left(bench)).toEqual([]);
  });

  test('shows in a dry run what is left, and changes nothing', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    const before = bench.journal((journal) => journal.all('SELECT * FROM row'));
    const dry = await bench.run(['delete', '--persona', 'visitor', '--dry-run']);
    expect(dry.err).toContain('Dry run: 2 registrations would be deleted.');
    expect(bench.journal((journal) => journal.all('SELECT * FROM row'))).toEqual(before);
    expect(left(bench)).toHaveLength(2);
  });

  test('is not gone on with without a yes', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    expect((await bench.run(['delete', '--persona', 'visitor'])).code).toBe(EXIT.guarded);
    expect(left(bench)).toHaveLength(2);
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
  });
});

/** The journal of another process, which works on the latest run; closes with the test. */
function elsewhere(bench: Bench): Journal {
  const [run] = bench.runs();
  const other = new Journal(join(bench.directory, 'state'));
  onTestFinished(() => other.close());
  expect(other.locks.take(run?.id ?? '')).toBe(true);
  const holder = JSON.stringify({ pid: 77, host: 'desk', startedAt: 0, since: 0 });
  other.run(`UPDATE run SET state = 'sending', holder = $holder WHERE id = $id`, {
    $holder: holder,
    $id: run?.id ?? '',
  });
  return other;
}

describe('two at the same registrations', () => {
  test('the same wish: the other one is told who is at it', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    const other = elsewhere(bench);
    const ended = await bench.run(PERSONA);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(
        '2 registrations are also being deleted by another eventreg: process 77 on desk',
      ),
    });
    expect(left(bench)).toHaveLength(2);
    other.locks.close();
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
  });

  test('another wish: none of what they share goes', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    await interrupt(bench, PERSONA, 1);
    elsewhere(bench);
    const [shared = ''] = left(bench);
    const ended = await bench.run(['delete', idOf(bench, shared), '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('1 registration is also being deleted by another eventreg: process 77'),
    });
    expect([left(bench).length, backups(bench).length]).toEqual([2, 1]);
  });

  test('a push that is about to send them', async () => {
    const bench = await pushBench();
    const stop = new AbortController();
    bench.service.fault = ({ method, nth }) => {
      if (method === 'POST' && nth === 0) stop.abort(new InterruptedError());
      return undefined;
    };
    const file = bench.write('a.csv', visitors(...barcodes(30)));
    await bench.push([file], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    const there = left(bench);
    elsewhere(bench);
    await bench.push([bench.write('b.csv', visitors('X'))]);
    const sent = await bench.run(['delete', '--barcode', there[0] ?? '', '--yes']);
    expect([sent.code, left(bench)]).toEqual([EXIT.done, [...there.slice(1), 'X']]);
    // One that the push has yet to send, and that somebody else has registered meanwhile.
    await registerByHand(bench, { barcode: 'B030', fields: { first_name: 'Ada' } });
    const ended = await bench.run(['delete', '--barcode', 'B030', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('1 registration is also being sent by another eventreg: process 77'),
    });
  });
});

describe('where no --max-delete is given', () => {
  test.each(['--persona', '--file', 'each by name'])('of 12 chosen by %s', async (how) => {
    const bench = await benchWith(barcodes(12));
    const some = barcodes(12).slice(0, 5);
    const chosen = {
      '--persona': ['--persona', 'visitor'],
      '--file': ['--file', bench.write('gone.csv', `barcode\n${some.join('\n')}\n`)],
      'each by name': some.flatMap((barcode) => ['--barcode', barcode]),
    }[how];
    const ended = await bench.run(['delete', ...(chosen ?? []), '--yes']);
    const gone = how === '--persona' ? 12 : 5;
    if (how === 'each by name') {
      expect([ended.code, left(bench)]).toEqual([EXIT.done, barcodes(12).slice(5)]);
      return;
    }
    expect([ended.code, left(bench)]).toEqual([EXIT.guarded, barcodes(12)]);
    expect(ended.err).toContain(
      `This would delete ${gone} of 12 registrations of visitor, more than 4, a third of them. Nothing was deleted.`,
    );
    expect(ended.err).toContain(`add --max-delete ${gone}.`);
    const anyway = await bench.run(['delete', ...(chosen ?? []), '--yes', '--max-delete', `${gone}`]);
    expect([anyway.code, left(bench).length]).toEqual([EXIT.done, 12 - gone]);
  });
});

describe('a share as --max-delete', () => {
  test.each(['data-meta', 'array'] as const)(
    'is one of all that the service lists (%s)',
    async (pageShape) => {
      const bench = await benchWith(barcodes(20), { pageShape });
      const names = barcodes(3).flatMap((barcode) => ['--barcode', barcode]);
      const ended = await bench.run(['delete', ...names, '--max-delete', '10%', '--yes']);
      expect(ended).toMatchObject({
        code: EXIT.guarded,
        err: expect.stringContaining(
          'This would delete 3 of 20 registrations, more than --max-delete allows (10%, that is 2). Nothing was deleted.',
        ),
      });
      expect((await bench.run(['delete', ...names.slice(2), '--max-delete', '10%', '--yes'])).code).toBe(
        EXIT.done,
      );
      expect(left(bench)).toHaveLength(18);
    },
  );

  test('of a persona is one of that persona', async () => {
    const bench = await benchWith(barcodes(4));
    const ended = await bench.run([...PERSONA, '--max-delete', '99%']);
    expect(ended.err).toContain('delete 4 of 4 registrations');
    expect((await bench.run([...PERSONA, '--max-delete', '100%'])).code).toBe(EXIT.done);
  });
});

describe('a selection that is empty or unproven', () => {
  test('a persona of nobody', async () => {
    const bench = await benchWith(['A']);
    const ended = await bench.run(['delete', '--persona', 'speaker', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('There is nothing to delete: no registration is of the persona speaker.'),
    });
  });

  test('a file that names nobody', async () => {
    const bench = await benchWith(['A']);
    const ended = await bench.run(['delete', '--file', bench.write('n.csv', 'barcode\n'), '--yes']);
    expect([ended.code, left(bench)]).toEqual([EXIT.guarded, ['A']]);
  });

  test('barcodes that the service does not show', async () => {
    const bench = await benchWith(['A'], { recordBarcode: 'hidden' });
    const ended = await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('does not show the barcodes of its registrations'),
    });
    expect(left(bench)).toHaveLength(1);
  });

  test.each(['both', 'persona', 'pesona', 'strict-persona', 'strict-pesona', 'none', 'nobody'] as const)(
    'a filter by another name or none never takes others along: %s',
    async (filterSpelling) => {
      const bench = await benchWith(['A'], { filterSpelling });
      await bench.push([bench.write('e.csv', 'persona,barcode\nexhibitor,E\n')]);
      expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
      expect(left(bench)).toEqual(['E']);
    },
  );

  test('a filter that finds nobody is not believed, wherever they are listed', async () => {
    const few = { perPageCap: 1, listOrder: 'newest' } as const;
    const bench = await benchWith(['A'], { filterSpelling: 'nobody', ...few });
    await bench.push([bench.write('e.csv', 'persona,barcode\nexhibitor,E\nexhibitor,F\n')]);
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['E', 'F']);
  });
});

describe('deleting', () => {
  test.each(['200', '204'] as const)('members go before their parents (answer %s)', async (deleteStatus) => {
    const bench = await benchWith(['A', 'B/A', 'C/B', 'D'], { deleteStatus });
    const [a, b, c] = ['A', 'B', 'C'].map((barcode) => idOf(bench, barcode));
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect(deletedIds(bench).filter((id) => id === a || id === b || id === c)).toEqual([c, b, a]);
  });

  test('counts as deleted whom the service says that it has not, and does not list any more', async () => {
    const people = ['A', 'B', 'C'];
    const bench = await benchWith(people, { deleteStatus: '404' });
    const ended = await bench.run(PERSONA);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, []]);
    expect(ended.err).toContain('3 registrations deleted.');
    // What this machine has deleted a list brings back, unasked.
    const pushed = await bench.push([bench.write('a.csv', visitors(...people))]);
    expect([pushed.code, pushed.summary.created]).toEqual([EXIT.done, 3]);
  });

  test('stops after the first that is listed still, though the service says that it has none', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    bench.service.fault = ({ method }) => (method === 'DELETE' ? { answer: { status: 404 } } : undefined);
    const ended = await bench.run(PERSONA);
    expect([ended.code, left(bench).length, deletedIds(bench)]).toEqual([EXIT.uncertain, 3, []]);
    expect(ended.err).toContain(
      'is still listed although the service said that it is not there, so no other was tried',
    );
    expect(ended.err).toContain('"registrationId": "barcode"');
    expect(bench.service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  test('warns of members that may go, too, in a dry run and before it asks', async () => {
    const bench = await benchWith(['A', 'B/A', 'C/A', 'D']);
    const text = `registration ${idOf(bench, 'A')} is the parent of 2 registrations that are not to be deleted: the service may delete them as well, or leave them without a parent; the backup has them, too.`;
    const dry = await bench.run(['delete', '--barcode', 'A', '--dry-run']);
    expect(dry.err).toContain(text);
    expect((await bench.run(['delete', '--barcode', 'D', '--dry-run'])).err).not.toContain('parent');
    expect((await bench.run(['delete', '--barcode', 'A', '--yes'])).err).toContain(text);
  });

  test('keeps the members of a parent that take members along: pushing the backup brings all of them back', async () => {
    const bench = await benchWith(['A', 'B/A', 'C/B', 'D'], { parentDelete: 'cascade' });
    const groups = (): unknown[] =>
      bench.kept().map(({ barcode, parentBarcode }) => [barcode, parentBarcode]);
    const before = groups();
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(left(bench)).toContain('D');
    expect(left(bench)).not.toContain('B');
    const [backup = ''] = backups(bench);
    expect((await bench.push([backup])).code).toBe(EXIT.done);
    expect(groups()).toEqual(before);
  });

  test.each([
    ['it is', {}],
    ['who belongs to whom', { recordParent: 'hidden' }],
  ] as const)('names members that this machine has sent where no list shows %s', async (_what, switches) => {
    const bench = await benchWith(['A', 'B/A', 'C/A', 'D'], {
      parentDelete: 'cascade',
      listTotal: 'hidden',
      ...switches,
    });
    if (!('recordParent' in switches)) hide(bench, ({ parent_barcode: parent }) => parent === 'A');
    const ended = await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(ended.err).toContain('is the parent of 2 registrations that are not to be deleted');
    const isTold = ended.err.includes('the backup has only those that this machine has sent');
    expect(isTold).toBe('recordParent' in switches);
    const [backup = ''] = backups(bench);
    expect(left(bench)).toEqual(['D']);
    const undone = await bench.run(['runs', 'undo', bench.runs()[0]?.id ?? '', '--dry-run']);
    // Who is shown to be gone is told by name.
    const isUnseen = undone.err.includes('2 members of those who come back may have gone with them');
    expect(isUnseen).toBe(!('recordParent' in switches));
    await bench.push([backup, '--overwrite']);
    expect(bench.kept().map(({ parentBarcode }) => parentBarcode)).toEqual([undefined, 'A', 'A', undefined]);
  });

  test('says where the list is too long to be read for members', async () => {
    const bench = await benchWith(barcodes(12), { perPageCap: 1 });
    const ended = await bench.run(['delete', '--barcode', 'B003', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('has members was not looked at'),
    });
  });

  test('stops when the first twenty are refused alike', async () => {
    const bench = await benchWith(barcodes(25));
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { answer: { status: 409, body: '{"message":"Locked."}' } } : undefined;
    const ended = await bench.run(PERSONA);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('The first 20 deletions were all refused alike, so the rest was not tried');
    expect(bench.service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(20);
    bench.service.fault = () => undefined;
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
    expect(left(bench)).toEqual([]);
  });

  test('goes on after one that got through, however many are refused', async () => {
    const bench = await benchWith(barcodes(25));
    const spared = idOf(bench, 'B001');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && !path.endsWith(spared) ? { answer: { status: 409, body: '{}' } } : undefined;
    expect((await bench.run(PERSONA)).code).toBe(EXIT.rejected);
    expect(bench.service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(25);
  });

  test('stops when more are refused than --max-failures allows', async () => {
    const bench = await benchWith(barcodes(12));
    const spared = idOf(bench, 'B001');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && !path.endsWith(spared) ? { answer: { status: 409, body: '{}' } } : undefined;
    const ended = await bench.run([...PERSONA, '--max-failures', '25%']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('4 deletions were refused, more than --max-failures 25% allows'),
    });
    expect(bench.states().filter((state) => state === 'failed')).toHaveLength(4);
  });

  test('stops when twenty in a row get no certain answer, and knows that they may be gone', async () => {
    const bench = await benchWith(barcodes(25));
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { passOn: true, answer: { status: 500, body: '{}' } } : undefined;
    const broken = await bench.run(PERSONA);
    expect(broken.code).toBe(EXIT.failed);
    expect(broken.err).toContain('20 deletions one after the other got no certain answer');
    expect(bench.states().filter((state) => state === 'uncertain')).toHaveLength(20);
    bench.service.fault = () => undefined;
    const ended = await bench.run(PERSONA);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, []]);
    expect(ended.err).toContain(': 20 deleted, 5 still to do.');
    expect(ended.err).toContain('5 registrations deleted.');
  });

  test('with one in doubt ends with 5', async () => {
    const bench = await benchWith(['A', 'B']);
    const a = idOf(bench, 'A');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && path.endsWith(a) ? { answer: { status: 502, body: '' } } : undefined;
    const ended = await bench.run([...PERSONA, '--json']);
    expect(ended.code).toBe(EXIT.uncertain);
    expect(listIn(ended.out)).toContainEqual(
      expect.objectContaining({ registration_id: a, result: 'uncertain' }),
    );
  });

  test('stops at once when the token is refused; what was asked last is not counted as in doubt', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    bench.service.fault = ({ method, nth }) =>
      method === 'DELETE' && nth === 1 ? { answer: { status: 401, body: '{}' } } : undefined;
    const ended = await bench.run(PERSONA);
    expect(ended.code).toBe(EXIT.unauthorised);
    expect(bench.states().sort()).toEqual(['deleted', 'pending', 'pending']);
    bench.service.fault = () => undefined;
    expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
  });
});

describe('the first deletion goes alone, and is proven before others go', () => {
  const COMMANDS: readonly [string, (bench: Bench) => readonly string[]][] = [
    ['delete', () => ['delete', '--barcode', 'A', '--barcode', 'B', '--yes']],
    ['--prune', (bench) => ['push', bench.write('now.csv', visitors('C', 'D')), '--prune', '--yes']],
    ['undo', (bench) => ['runs', 'undo', bench.runs()[0]?.id ?? '', '--yes']],
  ];

  /** A push has added A and B to C and D. */
  const added = async (): Promise<Bench> => {
    const bench = await benchWith(['C', 'D']);
    await bench.push([bench.write('b.csv', visitors('A', 'B'))]);
    return bench;
  };

  test.each(COMMANDS)(
    '%s stops where it took another along, which is named and kept',
    async (_name, command) => {
      const bench = await added();
      const [d, argv] = [idOf(bench, 'D'), command(bench)];
      bench.service.fault = async ({ method }) => {
        if (method === 'DELETE' && left(bench).includes('D')) await deleteByHand(bench, 'D');
        return undefined;
      };
      const ended = await bench.run(argv);
      expect([ended.code, left(bench)]).toEqual([EXIT.failed, ['B', 'C']]);
      expect(ended.err).toContain(`1 other registration is gone with it: ${d}. No more was deleted.`);
      const kept = backups(bench).find((file) => ended.err.includes(`They are kept in ${file}`));
      expect(readFileSync(kept ?? '', 'utf8')).toContain('"barcode":"D"');
    },
  );

  test.each(COMMANDS)('%s leaves and names what the list read then shows changed', async (_name, command) => {
    const bench = await added();
    const argv = command(bench);
    bench.service.fault = async ({ method }) => {
      if (method === 'DELETE') await registerByHand(bench, { barcode: 'B', fields: { first_name: 'Zoe' } });
      return undefined;
    };
    const ended = await bench.run(argv);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['B', 'C', 'D']]);
    expect(ended.out + ended.err).toContain('kept: changed in the service since: first_name');
    expect(bench.service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  test.each(COMMANDS)(
    '%s says that nothing was read back on Ctrl-C while the last one is out',
    async (_name, command) => {
      const bench = await added();
      const argv = command(bench);
      const stop = new AbortController();
      bench.service.fault = ({ method, nth }) => {
        if (method === 'DELETE' && nth === 1) stop.abort(new InterruptedError());
        return undefined;
      };
      const ended = await bench.run(argv, { stopping: stop.signal });
      expect([ended.code, left(bench)]).toEqual([EXIT.interrupted, ['C', 'D']]);
      expect(ended.err).toContain('What was deleted was not read back: it was interrupted.');
      expect(bench.runs()[0]?.state).toBe('interrupted');
      bench.service.fault = () => undefined;
      expect([(await bench.run(argv)).code, left(bench)]).toEqual([EXIT.done, ['C', 'D']]);
    },
  );

  test.each(COMMANDS)('%s stops where it is listed still', async (_name, command) => {
    const bench = await added();
    const argv = command(bench);
    bench.service.fault = ({ method }) => (method === 'DELETE' ? { answer: { status: 204 } } : undefined);
    const ended = await bench.run(argv);
    expect([ended.code, left(bench)]).toEqual([EXIT.uncertain, ['A', 'B', 'C', 'D']]);
    expect(ended.err).toContain('the first, is still listed although the service said that it deleted it');
    expect(bench.service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    bench.service.fault = () => undefined;
    expect([(await bench.run(argv)).code, left(bench)]).toEqual([EXIT.done, ['C', 'D']]);
  });

  test.each(
    COMMANDS.flatMap(([name, command]) => [204, 404].map((status) => [name, status, command] as const)),
  )(
    '%s does not believe of a later one what is said of it (%i), while it is listed',
    async (_name, status, command) => {
      const bench = await added();
      const [b, argv] = [idOf(bench, 'B'), command(bench)];
      bench.service.fault = ({ method, path }) =>
        method === 'DELETE' && path.endsWith(b) ? { answer: { status, body: '' } } : undefined;
      const ended = await bench.run(argv);
      expect([ended.code, left(bench)]).toEqual([EXIT.uncertain, ['B', 'C', 'D']]);
      expect(ended.err).toContain('1 registration is still listed, although the service said otherwise');
      bench.service.fault = () => undefined;
      expect([(await bench.run(argv)).code, left(bench)]).toEqual([EXIT.done, ['C', 'D']]);
    },
  );

  test('what it has shown is remembered', async () => {
    const bench = await benchWith(barcodes(6));
    const looks = async (...gone: readonly string[]): Promise<number> => {
      const from = bench.service.requests.length;
      await bench.run(['delete', ...gone.flatMap((barcode) => ['--barcode', barcode]), '--yes']);
      const sent = bench.service.requests.slice(from).map(({ method }) => method);
      return sent.slice(sent.indexOf('DELETE'), sent.lastIndexOf('DELETE')).filter((one) => one === 'GET')
        .length;
    };
    expect(await looks('B001', 'B002', 'B003')).toBeGreaterThan(0);
    expect(await looks('B004', 'B005')).toBe(0);
  });
});

test('which lists bring back whom they have is said, where any has', async () => {
  const bench = await benchWith(['A', 'B']);
  await registerByHand(bench, { barcode: 'Z', fields: { first_name: 'Zoe' } });
  await bench.push([bench.write('p.csv', visitors('B:Bea'))]);
  const unlisted = await bench.run(['delete', '--barcode', 'Z', '--yes']);
  expect(unlisted.err).not.toContain('brings back whom');
  const remove = async (): Promise<string> => (await bench.run(['delete', '--barcode', 'B', '--yes'])).err;
  const told = 'Pushing a.csv, p.csv again brings back whom it still has: change the list first.';
  expect(await remove()).toContain(told);
  // What an undo brings back stands in no list.
  await bench.run(['runs', 'undo', bench.runs()[0]?.id ?? '', '--yes']);
  expect(await remove()).toContain(told);
});

test('what was changed since it was chosen stays, and is told', async () => {
  const bench = await benchWith(['A', 'B']);
  const a = idOf(bench, 'A');
  const { prompt } = fakePrompt({ Delete: true });
  const ended = await bench.run(['delete', '--persona', 'visitor', '--max-delete', '9', '--json'], {
    tty: true,
    prompt: async () => {
      await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Zoe' } });
      return prompt;
    },
  });
  expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A']]);
  expect(listIn(ended.out)).toContainEqual(
    expect.objectContaining({
      registration_id: a,
      message: 'kept: changed in the service since: first_name',
    }),
  );
});

test.each([
  ['shown', false],
  ['hidden', true],
] as const)(
  'where parents are %s, that members may lose theirs is said: %s',
  async (recordParent, isSaid) => {
    const bench = await benchWith(['A', 'B/A', 'C'], { recordParent, parentDelete: 'orphaned' });
    const ended = await bench.run(['delete', '--barcode', 'C', '--yes']);
    expect(ended.err.includes('does not show who belongs to a group')).toBe(isSaid);
  },
);

test('a push of what another process is deleting waits for it', async () => {
  const bench = await benchWith(['A', 'B', 'C']);
  await interrupt(bench, PERSONA, 1);
  elsewhere(bench);
  const [still = ''] = left(bench);
  const ended = await bench.push([bench.write('b.csv', visitors(`${still}:Zoe`))]);
  expect(ended).toMatchObject({ code: EXIT.guarded, err: expect.stringContaining('process 77 on desk') });
  const [gone = ''] = ['A', 'B', 'C'].filter((barcode) => !left(bench).includes(barcode));
  expect((await bench.push([bench.write('c.csv', visitors(gone))])).code).toBe(EXIT.done);
});
