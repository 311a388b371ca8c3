import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { addDeletion, deletions, writeDeletionOutcome } from '../../../src/sync/journal/delete-rows.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { writeIntent } from '../../../src/sync/journal/queued-rows.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { barcodes, type Bench, pushBench, visitors } from '../push-bench.ts';
import { backups, deleteByHand, idOf, left, registerByHand } from '../service-hands.ts';

type Switches = Parameters<typeof pushBench>[0];

/** A bench whose service holds visitors with these barcodes, and an exhibitor E. */
async function benchWith(people: readonly string[], switches: Switches = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  const ended = await bench.push([bench.write('all.csv', visitors(...people))]);
  if (ended.code !== EXIT.done) throw new Error(ended.err);
  await registerByHand(bench, { persona: 'exhibitor', barcode: 'E', fields: { first_name: 'Eve' } });
  return bench;
}

/** Requests that change the service, from a moment on. */
function changes(bench: Bench, since: number): string[] {
  return bench.service.requests
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method }) => method);
}

const mirror = (bench: Bench, people: readonly string[], ...flags: string[]) =>
  bench.push([bench.write('now.csv', visitors(...people)), '--prune', '--yes', ...flags]);

/** Has something done right before the first of these requests is worked on. */
function before(bench: Bench, wanted: string, work: () => unknown): void {
  let done = false;
  bench.service.fault = async ({ method }) => {
    if (method === wanted && !done) {
      done = true;
      await work();
    }
    return undefined;
  };
}

describe('push --prune', () => {
  test('deletes what the file no longer has, of the personas in it, when all else is done', async () => {
    const bench = await benchWith(['A', 'B', 'C', 'D']);
    const c = bench.kept().find(({ barcode }) => barcode === 'C');
    const since = bench.service.requests.length;
    const ended = await mirror(bench, ['A', 'B:Bob', 'N']);
    expect(ended).toMatchObject({
      code: EXIT.done,
      summary: { sent: 2, unchanged: 1, deleted: 2, failed: 0, uncertain: 0 },
      err: expect.stringContaining(
        'Delete 2 of 4 registrations of visitor that the file does not have (--prune): A•• E•••••• (C), A•• E•••••• (D)? Yes (--yes).',
      ),
    });
    expect(left(bench)).toEqual(['A', 'B', 'E', 'N']);
    expect(changes(bench, since)).toEqual(['POST', 'POST', 'DELETE', 'DELETE']);
    const [file = ''] = backups(bench);
    expect(ended.err).toContain(`Backup: ${file}`);
    expect(readFileSync(file, 'utf8')).toContain(
      `{"registration_id":"${c?.id}","persona":"visitor","barcode":"C"`,
    );
    expect((await mirror(bench, ['A', 'B:Bob', 'N'])).summary).toMatchObject({ deleted: 0, pending: 0 });
  });

  test('shows in a dry run whom it would delete, and deletes nobody', async () => {
    const bench = await benchWith(['A', 'B']);
    const ended = await bench.run([
      'push',
      bench.write('now.csv', visitors('A')),
      '--prune',
      '--dry-run',
      '--diff',
      '--output',
      'ndjson',
    ]);
    expect(ended.code).toBe(EXIT.done);
    expect(ended.out).toContain('"action":"delete"');
    expect(ended.out).toContain(idOf(bench, 'B'));
    expect([left(bench), backups(bench)]).toEqual([['A', 'B', 'E'], []]);
  });

  test.each([true, false])('asks at a terminal how many of how many; the answer is %s', async (answer) => {
    const bench = await benchWith(['A', 'B', 'C']);
    const { prompt, asked, acting } = fakePrompt({ 'Delete 1 of 3 registrations of visitor': answer });
    const file = bench.write('now.csv', visitors('A', 'B:Bob'));
    const ended = await bench.run(['push', file, '--prune', '--max-delete', '12'], {
      tty: true,
      prompt: async () => prompt,
    });
    expect([ended.code, asked.length]).toEqual([answer ? EXIT.done : EXIT.guarded, 1]);
    expect(acting).toEqual(asked);
    expect(left(bench)).toEqual(answer ? ['A', 'B', 'E'] : ['A', 'B', 'C', 'E']);
    expect(bench.kept().find(({ barcode }) => barcode === 'B')?.fields['first_name']).toBe(
      answer ? 'Bob' : 'Ada',
    );
  });

  test('names the first ten whom it would delete: as they are at a terminal, masked in a log', async () => {
    const gone = barcodes(12).map((barcode, index) => `${barcode}:Zoe${'abcdefghijkl'[index]}`);
    const bench = await benchWith(['A', ...gone]);
    const masked = await mirror(bench, ['A', 'N'], '--dry-run', '--max-delete', '12');
    expect(masked.err).not.toContain('Zoe');
    const { prompt, asked } = fakePrompt({ 'Delete 12 of 13': false });
    const file = bench.write('now.csv', visitors('A', 'N'));
    await bench.run(['push', file, '--prune', '--max-delete', '12'], {
      tty: true,
      prompt: async () => prompt,
    });
    // In the order of the list, which is not quite that of the file.
    expect(asked[0]).toMatch(/\(--prune\): (Zoe[a-l] Example \(B0\d\d\), ){10}…\?$/);
    const logged = await mirror(bench, ['A', 'N'], '--max-delete', '12');
    expect(logged.err).toContain('(--prune): Z••• E•••••• (B0');
    expect(logged.err).not.toContain('Zoea');
  });

  test('names whom it would delete in full with --show-values', async () => {
    const bench = await benchWith(['A', 'B:Zoe']);
    expect((await mirror(bench, ['A'], '--show-values')).err).toContain('(--prune): Zoe Example (B)?');
  });

  test('asks how many of each persona', async () => {
    const bench = await benchWith(['A', 'B', 'C', 'D']);
    const text = `${visitors('A', 'B')}exhibitor,F,,Fay,Example,f@example.com\n`;
    const ended = await bench.push([bench.write('now.csv', text), '--prune', '--yes']);
    expect(ended.err).toContain(
      'Delete 3 of 5 registrations of exhibitor (1 of 1), visitor (2 of 4) that the file does not have (--prune): ',
    );
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['A', 'B', 'F']]);
  });

  test('without a terminal needs --yes', async () => {
    const bench = await benchWith(['A', 'B']);
    const ended = await bench.push([bench.write('now.csv', visitors('A:Abe')), '--prune']);
    expect([ended.code, left(bench)]).toEqual([EXIT.guarded, ['A', 'B', 'E']]);
    expect(bench.kept()[0]?.fields['first_name']).toBe('Ada');
  });

  test('takes two with one barcode for two', async () => {
    const bench = await benchWith(['A', 'B'], { upsert: 'double' });
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Ada' } });
    await registerByHand(bench, { barcode: 'B', fields: { first_name: 'Ada' } });
    const argv = [bench.write('now.csv', visitors('N')), '--prune', '--yes', '--max-delete', '100%'];
    const ended = await bench.push([...argv, '--dry-run']);
    expect(ended.summary).toMatchObject({ to_delete: 4 });
  });

  test('counts companions as rows', async () => {
    const bench = await pushBench();
    const header = 'persona,barcode,First name,Last name,E-mail';
    const more = 'Companion 1 First name,Companion 1 barcode';
    const file = bench.write('c.csv', `${header},${more}\nvisitor,A,Ada,X,a@example.com,Bob,B\n`);
    const first = await bench.push([file]);
    expect([first.code, left(bench)]).toEqual([EXIT.done, ['A', 'B']]);
    await registerByHand(bench, { barcode: 'Z', fields: { first_name: 'Zoe' } });
    expect((await bench.push([file, '--prune', '--yes'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['A', 'B']);
  });
});

describe('what --prune refuses, before anything is sent', () => {
  async function refused(
    bench: Bench,
    ended: Awaited<ReturnType<Bench['push']>>,
    says: string,
  ): Promise<void> {
    expect(ended).toMatchObject({ code: EXIT.guarded, err: expect.stringContaining(says) });
    expect(ended.err).toContain('--prune is not safe here, so nothing was sent or deleted.');
    expect(left(bench)).not.toContain('N');
    expect(backups(bench)).toEqual([]);
  }

  test('more than --max-delete, as a number or as a share of the personas in the file', async () => {
    const bench = await benchWith(['A', 'B', 'C', 'D']);
    const says = 'This would delete 2 registrations, more than --max-delete allows (1).';
    await refused(bench, await mirror(bench, ['A', 'B', 'N'], '--max-delete', '1'), says);
    const share = 'This would delete 2 of 4 registrations, more than --max-delete allows (49%, that is 1).';
    await refused(bench, await mirror(bench, ['A', 'B', 'N'], '--max-delete', '49%'), share);
    expect((await mirror(bench, ['A', 'B'], '--max-delete', '50%')).code).toBe(EXIT.done);
  });

  test('fifty, and of a persona a third, are the most unless told otherwise', async () => {
    const bench = await benchWith(barcodes(151));
    const kept = (from: number): string[] => barcodes(151).slice(from);
    const third = '51 of 151 registrations of visitor, more than 50, a third of them';
    await refused(bench, await mirror(bench, kept(51)), third);
    await refused(bench, await mirror(bench, kept(51), '--dry-run'), 'delete 51 registrations');
    expect((await mirror(bench, kept(50))).code).toBe(EXIT.done);
    expect((await mirror(bench, kept(84))).err).toContain('34 of 101 registrations of visitor, more than 33');
    expect((await mirror(bench, kept(84), '--max-delete', '34')).code).toBe(EXIT.done);
    expect(left(bench)).toEqual([...kept(84), 'E']);
  });

  test.each([
    [
      'a list cut off',
      20,
      18,
      'This would delete 18 of 20 registrations of visitor, more than 6, a third of them.',
    ],
    ['one more than so few', 6, 4, 'This would delete 4 of 6 registrations of visitor, more than 3.'],
  ])('%s of an event of %i', async (_name, there, gone, says) => {
    const bench = await benchWith(barcodes(there));
    await refused(bench, await mirror(bench, barcodes(there).slice(gone)), says);
    await refused(bench, await mirror(bench, barcodes(there).slice(gone)), `add --max-delete ${gone}`);
  });

  test('rows that are rejected, and rows without a barcode: everything at once', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const file = bench.write(
      'now.csv',
      `${visitors('A', ':Bob', ':Cy')}visitor,N,,Ada,Example,not-an-address\n`,
    );
    const ended = await bench.push([file, '--prune', '--yes', '--invalid', 'skip', '--max-delete', '0']);
    await refused(bench, ended, '1 row is rejected: whom they stand for would be deleted.');
    expect(ended.err).toContain('2 rows have no barcode, so the registration it stands for is not known.');
    expect(ended.err).toContain('This would delete 2 registrations');
    expect(ended.err).toContain('--match email');
    expect(left(bench)).toEqual(['A', 'B', 'C', 'E']);
  });

  test.each([
    ['barcodes', { recordBarcode: 'hidden' }, 'The service does not show the barcodes of its registrations.'],
  ] as const)('a service that does not show %s', async (_what, switches, says) => {
    const bench = await benchWith(['A', 'B'], switches);
    await refused(bench, await mirror(bench, ['A', 'N']), says);
    expect(left(bench)).toHaveLength(3);
  });

  test('a service that shows neither ids nor barcodes: nobody is named', async () => {
    const bench = await benchWith(['A', 'B'], { recordBarcode: 'hidden', idShown: 'nowhere' });
    const ended = await mirror(bench, ['A', 'N']);
    expect([ended.summary.problems, ended.err]).toEqual([[], expect.stringContaining('--prune is not safe')]);
  });

  test('a service that does not show personas, and one that gives everybody the same id', async () => {
    const bench = await benchWith(['A', 'B']);
    const list = [
      { id: 'x1', barcode: 'A', fields: { first_name: 'Ada' } },
      { id: 'x1', barcode: 'B', persona: 'visitor', fields: { first_name: 'Ada' } },
    ];
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/registration')
        ? { answer: { status: 200, body: JSON.stringify(list) } }
        : undefined;
    const ended = await mirror(bench, ['A', 'N']);
    await refused(bench, ended, 'The service does not show the persona of its registrations.');
    expect(ended.err).toContain('Several registrations show the same id: x1.');
  });

  test('a list that changes each time it is read', async () => {
    const bench = await benchWith(['A', 'B', 'C'], { perPageCap: 2 });
    let n = 0;
    bench.service.fault = async ({ method, path }) => {
      if (method === 'GET' && path.includes('/registration')) {
        await registerByHand(bench, { barcode: `Z${(n += 1)}`, fields: { first_name: 'Zoe' } });
      }
      return undefined;
    };
    const ended = await mirror(bench, ['A', 'N']);
    bench.service.fault = () => undefined;
    await refused(
      bench,
      ended,
      'Registrations came or went each time the list was read, so it may have gaps.',
    );
  });

  /** Has the service list just these, whatever it holds. */
  function listing(bench: Bench, list: readonly unknown[]): void {
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/registration')
        ? { answer: { status: 200, body: JSON.stringify(list) } }
        : undefined;
  }

  test('registrations that show no barcode, though others do', async () => {
    const bench = await benchWith(['A', 'B']);
    const fields = { first_name: 'Ada' };
    listing(bench, [
      { id: 'x1', barcode: 'A', persona: 'visitor', fields },
      { id: 'x2', persona: 'visitor', fields },
      { id: 'x3', persona: 'exhibitor', fields },
    ]);
    const ended = await mirror(bench, ['A', 'B', 'N'], '--max-delete', '100%');
    await refused(
      bench,
      ended,
      '1 registration shows no barcode, so it cannot be told whether the file has it.',
    );
  });

  test('registrations that show no e-mail address, where guests are known by it', async () => {
    const bench = await benchWith(['A']);
    listing(bench, [
      { id: 'x1', barcode: 'X1', persona: 'visitor', fields: { email: 'a@example.com' } },
      { id: 'x2', barcode: 'X2', persona: 'visitor', fields: { first_name: 'Bo' } },
    ]);
    const ended = await mirror(bench, ['', ''], '--match', 'email');
    await refused(
      bench,
      ended,
      '1 registration shows no e-mail address, so it cannot be told whether the file has it.',
    );
  });

  test('everybody of a persona, unless that is said', async () => {
    const bench = await benchWith(['A', 'B']);
    const says = 'This would delete all 2 registrations of visitor.';
    await refused(bench, await mirror(bench, ['N']), says);
    await refused(bench, await mirror(bench, ['N'], '--dry-run'), 'add --max-delete 2');
    expect((await mirror(bench, ['N'], '--max-delete', '2')).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['E', 'N']);
    // Of one alone nothing is said: it was replaced.
    expect((await mirror(bench, ['M'])).code).toBe(EXIT.done);
    await registerByHand(bench, { barcode: 'Z', fields: { first_name: 'Zoe' } });
    expect((await mirror(bench, ['K'], '--max-delete', '100%')).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['E', 'K']);
  });
});

describe('rows that the service takes for registrations under other names', () => {
  /** The service compares barcodes without regard to case, and answers so. */
  async function careless(answer: (id: string) => unknown): Promise<Bench> {
    const bench = await benchWith(['A', 'B', 'C']);
    bench.service.fault = async ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const { fields } = JSON.parse(body) as { fields: Record<string, unknown> };
      await registerByHand(bench, { barcode: 'B', fields });
      return { answer: { status: 200, body: JSON.stringify(answer(idOf(bench, 'B'))) } };
    };
    return bench;
  }

  test.each([
    ['as the service has answered with their ids', (id: string) => ({ registration_id: id })],
    ['as they are looked at, where it does not', () => ({})],
  ])('are not deleted, nor is anybody, %s', async (_name, answer) => {
    const bench = await careless(answer);
    const ended = await mirror(bench, ['A', 'b:Bob'], '--match', 'none');
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'C', 'E']]);
    expect(ended.err).toContain(
      'instead of adding one, because it knows people by barcode, whatever its case',
    );
    expect([ended.summary, backups(bench)]).toMatchObject([{ deleted: 0, conflict: 1 }, []]);
  });

  test('are not sent unasked', async () => {
    const bench = await careless((id) => ({ registration_id: id }));
    const ended = await mirror(bench, ['A', 'b']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'C', 'E']]);
    expect(ended.summary).toMatchObject({ sent: 0, deleted: 0, conflict: 1 });
  });

  test('and a deletion never says of rows of its own run that they are gone', async () => {
    const bench = await benchWith(['A']);
    const [run] = bench.runs();
    const id = idOf(bench, 'A');
    bench.journal((journal) => {
      addDeletion(journal, run?.id ?? '', 9, { id, barcode: 'A' });
      const [row] = deletions(journal, run?.id ?? '');
      if (row === undefined) throw new Error('no deletion');
      const target = { service: run?.service ?? '', eventId: run?.event ?? '', eventName: '' };
      const about = { journal, run: run?.id ?? '', target, clock: bench.clock };
      writeIntent(journal, about.run, row.seq, { at: about.clock.now(), requestId: 'r1' });
      writeDeletionOutcome(about, row, { state: 'deleted' });
    });
    expect(bench.states()).toEqual(['done', 'deleted']);
  });
});

describe('a service that says it deleted what it still lists', () => {
  const lying = async (): Promise<Bench> => {
    const bench = await benchWith(['A', 'B', 'C']);
    const c = idOf(bench, 'C');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && path.endsWith(c) ? { answer: { status: 204 } } : undefined;
    return bench;
  };

  test('is not believed, and is asked again by the next push', async () => {
    const bench = await lying();
    const ended = await mirror(bench, ['A']);
    expect([ended.code, left(bench)]).toEqual([EXIT.uncertain, ['A', 'C', 'E']]);
    expect(ended.err).toContain('1 registration is still listed, although the service said otherwise.');
    expect(ended.summary).toMatchObject({ deleted: 1, uncertain: 1, deletions_left: 1 });
    bench.service.fault = () => undefined;
    expect((await mirror(bench, ['A'], '--dry-run')).summary).toMatchObject({
      to_delete: 1,
    });
    expect((await mirror(bench, ['A'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['A', 'E']);
  });

  test('gets the time that its list may lag behind, in a dry run and in the run', async () => {
    const bench = await lying();
    await mirror(bench, ['A']);
    // As a process leaves it that was killed before it read back.
    bench.journal((journal) =>
      journal.run(`UPDATE operation SET state = 'deleted', done_at = $now WHERE op = 'delete'`, {
        $now: bench.clock.now(),
      }),
    );
    expect((await mirror(bench, ['A'], '--dry-run')).summary).toMatchObject({ to_delete: 0 });
    await bench.clock.advance(3_600_000);
    expect((await mirror(bench, ['A'], '--dry-run')).summary).toMatchObject({ to_delete: 1 });
    bench.service.fault = () => undefined;
    expect((await mirror(bench, ['A'])).summary).toMatchObject({ deleted: 1 });
    expect(left(bench)).toEqual(['A', 'E']);
  });

  test.each([404, 410])('nor is it when it says that it is not there (%i)', async (status) => {
    const bench = await benchWith(['A', 'B']);
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { answer: { status, body: '{}' } } : undefined;
    for (const _time of ['first', 'second']) {
      const ended = await mirror(bench, ['A']);
      expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { deleted: 0, deletions_left: 1 } });
      expect(ended.err).toContain(
        '1 registration is still listed, although the service said otherwise. If it',
      );
      expect(ended.summary.problems).toContainEqual(
        expect.objectContaining({ barcode: 'B', state: 'uncertain' }),
      );
    }
    bench.service.fault = () => undefined;
    expect((await mirror(bench, ['A'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['A', 'E']);
  });

  test('unless somebody else has deleted it', async () => {
    const bench = await benchWith(['A', 'B']);
    bench.service.fault = async ({ method }) => {
      if (method === 'DELETE') await deleteByHand(bench, 'B');
      return undefined;
    };
    expect(await mirror(bench, ['A'])).toMatchObject({ code: EXIT.done, summary: { deletions_left: 0 } });
  });

  test('may be slow to show it', async () => {
    const bench = await benchWith(['A', 'B']);
    const b = idOf(bench, 'B');
    let readings = 0;
    bench.service.fault = async ({ method, path }) => {
      if (method === 'DELETE') return { answer: { status: 204 } };
      const gone = bench.service.requests.some((request) => request.method === 'DELETE');
      if (gone && path.includes('/registration') && (readings += 1) === 2) await deleteByHand(bench, 'B');
      return undefined;
    };
    const ended = await mirror(bench, ['A']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { deleted: 1, uncertain: 0 } });
    expect(bench.service.requests.filter(({ path }) => path.endsWith(b))).toHaveLength(1);
  });
});

describe('whom --prune keeps', () => {
  test('parents of rows in the file', async () => {
    const bench = await benchWith(['A', 'B']);
    const ended = await mirror(bench, ['N/A']);
    expect(ended.err).toContain(
      `1 registration that the file does not have stays: ${idOf(bench, 'A')} (a row of the file names it as parent)`,
    );
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['A', 'E', 'N']]);
  });

  test('not parents whose last member the file moves away, once that is read back', async () => {
    const bench = await benchWith(['A', 'B/A', 'C']);
    const plan = await bench.push([bench.write('now.csv', visitors('B/C', 'C')), '--prune', '--dry-run']);
    expect(plan.summary).toMatchObject({ to_delete: 1 });
    const ended = await mirror(bench, ['B/C', 'C']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['B', 'C', 'E']]);
    expect(bench.kept()[0]?.parentBarcode).toBe('C');
  });

  test('not them either where the list lags behind the move', async () => {
    const bench = await benchWith(['A', 'B/A', 'C', 'K/B'], { readLagMs: 5000 });
    await bench.clock.advance(60_000);
    // What is learnt of updates here needs no reading back later.
    await bench.push([bench.write('now.csv', visitors('K/C'))]);
    await bench.clock.advance(60_000);
    const ended = await mirror(bench, ['B/C', 'C', 'K/C']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['B', 'C', 'E', 'K']]);
  });

  test('a parent whose member the service did not move', async () => {
    const bench = await benchWith(['A', 'B/A', 'C'], { upsert: 'ignore' });
    const ended = await mirror(bench, ['B/C', 'C']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(left(bench)).toEqual(['A', 'B', 'C', 'E']);
  });

  test('a parent that has got another member since the file moved the last one away', async () => {
    const bench = await benchWith(['A', 'B/A', 'C']);
    before(bench, 'POST', () =>
      registerByHand(bench, { barcode: 'Z', parent_barcode: 'A', fields: { first_name: 'Zoe' } }),
    );
    const ended = await mirror(bench, ['B/C', 'C']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'C', 'E', 'Z']]);
  });

  test('parents of those who stay, and their parents', async () => {
    const bench = await benchWith(['A', 'B/A', 'C/B', 'D']);
    await registerByHand(bench, {
      persona: 'exhibitor',
      barcode: 'X',
      parent_barcode: 'C',
      fields: { first_name: 'Xi' },
    });
    const ended = await mirror(bench, ['N']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['A', 'B', 'C', 'E', 'N', 'X']]);
    expect(ended.err).toContain('3 registrations that the file does not have stay:');
    expect(ended.err).toContain(`${idOf(bench, 'C')} (its member, registration ${idOf(bench, 'X')}, stays)`);
  });

  test('not parents whose members go as well: those first', async () => {
    const bench = await benchWith(['A', 'B/A', 'K']);
    const [a, b] = [idOf(bench, 'A'), idOf(bench, 'B')];
    expect((await mirror(bench, ['K'])).code).toBe(EXIT.done);
    const gone = bench.sandbox.requests().filter(({ method }) => method === 'DELETE');
    expect(gone.map(({ path }) => path.split('/').at(-1))).toEqual([b, a]);
  });

  test('a parent whose member cannot be deleted', async () => {
    const bench = await benchWith(['A', 'B/A', 'K']);
    const b = idOf(bench, 'B');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && path.endsWith(b)
        ? { answer: { status: 409, body: '{"message":"No."}' } }
        : undefined;
    const ended = await mirror(bench, ['K']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'E', 'K']]);
    expect(ended.summary.problems).toContainEqual(
      expect.objectContaining({ state: 'blocked', message: `its member (registration ${b}) is still there` }),
    );
    bench.service.fault = () => undefined;
    expect((await mirror(bench, ['K'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['E', 'K']);
  });

  test('those who were edited since the plan', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    before(bench, 'POST', () => registerByHand(bench, { barcode: 'B', fields: { first_name: 'Bea' } }));
    const ended = await mirror(bench, ['A', 'N']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'E', 'N']]);
    expect(ended.err).toContain('kept: changed in the service since: first_name');
    expect(readFileSync(backups(bench)[0] ?? '', 'utf8')).not.toContain('"barcode":"B"');
  });

  test('those who have got a member since the plan', async () => {
    const bench = await benchWith(['A', 'B']);
    before(bench, 'POST', () =>
      registerByHand(bench, { barcode: 'Z', parent_barcode: 'B', fields: { first_name: 'Zoe' } }),
    );
    const ended = await mirror(bench, ['A', 'N']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'E', 'N', 'Z']]);
  });

  test('nobody who has come since the plan; one who is gone since is no failure', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    before(bench, 'POST', async () => {
      await registerByHand(bench, { barcode: 'Z', fields: { first_name: 'Zoe' } });
      await deleteByHand(bench, 'B');
    });
    const ended = await mirror(bench, ['A', 'N']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['A', 'E', 'N', 'Z']]);
    expect(ended.summary).toMatchObject({ deleted: 1 });
  });

  test('everybody, while a row of the file did not get through', async () => {
    const bench = await benchWith(['A', 'B']);
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 422, body: '{"message":"No."}' } } : undefined;
    const ended = await mirror(bench, ['A', 'N']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'E']]);
    expect(ended.err).toContain(
      'Nothing was deleted, because 1 row of the file did not get through. Once all have, run',
    );
    bench.service.fault = () => undefined;
    expect((await mirror(bench, ['A', 'N'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['A', 'E', 'N']);
  });

  test('everybody, without asking, where a row of the file is in conflict', async () => {
    const bench = await benchWith(['A', 'B']);
    bench.sandbox.put({ ...(bench.kept()[0] as ReturnType<Bench['kept']>[number]), id: 'twin' });
    const file = bench.write('a.csv', visitors('A', 'N'));
    const ended = await bench.push([file, '--prune', '--max-delete', '100%']);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'A', 'B', 'E', 'N']]);
    expect(ended.err).toContain('Nothing was deleted, because 1 row of the file did not get through.');
  });

  test('those that another process is about to send', async () => {
    const bench = await benchWith(['A', 'B']);
    const stop = new AbortController();
    before(bench, 'POST', () => stop.abort(new InterruptedError()));
    const other = bench.write('other.csv', visitors('B:Bea', 'B2'));
    await bench.push([other, '--concurrency', '1'], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    const [run] = bench.runs();
    const journal = new Journal(join(bench.directory, 'state'));
    onTestFinished(() => journal.close());
    // As it looks while the other one is at it.
    journal.locks.take(run?.id ?? '');
    journal.run(`UPDATE run SET state = 'sending', holder = $holder WHERE id = $id`, {
      $id: run?.id ?? '',
      $holder: JSON.stringify({ pid: 77, host: 'desk', startedAt: 0, since: 0 }),
    });
    journal.run(`UPDATE operation SET state = 'pending' WHERE run = $id AND barcode = 'B'`, {
      $id: run?.id ?? '',
    });
    const ended = await mirror(bench, ['A', 'N']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(
        '1 registration is also being sent by another eventreg: process 77 on desk',
      ),
    });
    expect(left(bench)).toEqual(['A', 'B', 'E']);
  });
});

describe('--prune --match email', () => {
  const guests = (...emails: readonly string[]): string =>
    [
      'persona,First name,Last name,E-mail',
      ...emails.map((email) => `visitor,Ada,Example,${email}`),
      '',
    ].join('\n');
  const emails = (bench: Bench): string[] =>
    bench
      .kept()
      .map(({ fields }) => String(fields['email']))
      .sort();

  test('knows by their address whom the file still has', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', guests('a@example.com', 'b@example.com', 'c@example.com'))]);
    const file = bench.write('b.csv', guests('a@example.com', 'B@example.com', 'n@example.com'));
    const ended = await bench.push([file, '--prune', '--match', 'email', '--yes']);
    expect([ended.code, emails(bench)]).toEqual([
      EXIT.done,
      ['B@example.com', 'a@example.com', 'n@example.com'],
    ]);
  });

  test('keeps everybody of an address that several have', async () => {
    const bench = await pushBench();
    for (const name of ['Ann', 'Amy']) {
      await registerByHand(bench, { fields: { first_name: name, email: 'a@example.com' } });
    }
    await registerByHand(bench, { fields: { first_name: 'Zoe', email: 'z@example.com' } });
    const argv = [bench.write('a.csv', guests('a@example.com')), '--prune', '--match', 'email', '--yes'];
    const dry = await bench.push([...argv, '--dry-run']);
    expect(dry.summary).toMatchObject({ to_delete: 1 });
    // The row itself is in conflict, so nobody goes at all.
    expect((await bench.push(argv)).code).toBe(EXIT.rejected);
    expect(bench.kept()).toHaveLength(3);
  });
});

describe('a push with --prune that was interrupted', () => {
  test('goes on with what is left to delete, and settles what was under way', async () => {
    const bench = await benchWith(['A', 'B', 'C', 'D', 'F']);
    const stop = new AbortController();
    bench.service.fault = ({ method, nth }) => {
      if (method === 'DELETE' && nth === 1) stop.abort(new InterruptedError());
      return undefined;
    };
    const file = bench.write('now.csv', visitors('A'));
    const argv = [file, '--prune', '--yes', '--max-delete', '50', '--concurrency', '1'];
    const stopped = await bench.push(argv, { stopping: stop.signal });
    expect([stopped.code, left(bench)]).toEqual([EXIT.interrupted, expect.arrayContaining(['A', 'E'])]);
    expect(left(bench)).toHaveLength(4);
    expect(stopped.summary).toMatchObject({ to_delete: null, deletions_left: 2 });
    const [doubtful = ''] = left(bench).filter((barcode) => barcode !== 'A' && barcode !== 'E');
    // One more request had left when the process was killed, and it was carried out.
    const [run] = bench.runs();
    bench.journal((journal) =>
      journal.run(
        `UPDATE operation SET state = 'sending', attempts = 1 WHERE run = $run AND op = 'delete' AND barcode = $barcode`,
        { $run: run?.id ?? '', $barcode: doubtful },
      ),
    );
    await deleteByHand(bench, doubtful);
    bench.service.fault = () => undefined;
    const resumed = await bench.push(argv);
    expect(resumed).toMatchObject({ code: EXIT.done, summary: { failed: 0, uncertain: 0 } });
    expect(left(bench)).toEqual(['A', 'E']);
    expect(bench.states(run?.id).toSorted()).toEqual([
      'deleted',
      'deleted',
      'deleted',
      'pending',
      'unchanged',
    ]);
    expect(bench.states()).toEqual(['unchanged', 'deleted']);
  });

  test('and is gone on with without it deletes nobody more', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const stop = new AbortController();
    before(bench, 'DELETE', () => stop.abort(new InterruptedError()));
    const file = bench.write('now.csv', visitors('A'));
    await bench.push([file, '--prune', '--yes', '--concurrency', '1'], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    const [gone] = ['B', 'C'].filter((barcode) => !left(bench).includes(barcode));
    const ended = await bench.push([file]);
    expect([ended.code, left(bench)]).toEqual([
      EXIT.done,
      ['A', ...['B', 'C'].filter((one) => one !== gone), 'E'],
    ]);
    expect(bench.states()).toEqual(['unchanged']);
  });
});
