import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { barcodes, type Bench, type Ended, noList, pushBench, visitors } from '../push-bench.ts';
import { backups, deleteByHand, idOf, left, registerByHand } from '../service-hands.ts';
import { listIn } from '../../support/documents.ts';

type Switches = Parameters<typeof pushBench>[0];

interface Line {
  result: string;
  place: string | null;
  barcode: string | null;
  registration_id: string | null;
  why: string;
}

/** Undoes the latest run of a kind, or the one given. */
async function undo(bench: Bench, ...flags: readonly string[]): Promise<Ended & { lines: Line[] }> {
  const [run] = bench.runs();
  return await undoRun(bench, run?.id ?? '', ...flags);
}

async function undoRun(
  bench: Bench,
  run: string,
  ...flags: readonly string[]
): Promise<Ended & { lines: Line[] }> {
  const ended = await bench.run(['runs', 'undo', run, '--yes', '--json', ...flags]);
  return { ...ended, lines: ended.out === '' ? [] : listIn<Line>(ended.out) };
}

/** Barcodes by what became of them. */
function byResult(lines: readonly Line[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const { result, barcode } of lines) (lists[result] ??= []).push(barcode ?? '-');
  for (const list of Object.values(lists)) list.sort();
  return lists;
}

const nameOf = (bench: Bench, wanted: string): unknown =>
  bench.kept().find(({ barcode }) => barcode === wanted)?.fields['first_name'];

/** What the service holds, but for ids and times. */
const listed = (bench: Bench): unknown[] =>
  bench
    .kept()
    .map(({ barcode, persona, parentBarcode, fields }) => ({ barcode, persona, parentBarcode, fields }));

const as = (people: readonly string[], name: string): string[] =>
  people.map((barcode) => `${barcode}:${name}`);

/** A bench whose service held `old` guests called Ann, of which a second push made Bea, and added new ones. */
async function changed(
  old: readonly string[],
  fresh: readonly string[],
  switches: Switches = {},
): Promise<Bench> {
  const bench = await pushBench(switches);
  if (old.length > 0) await bench.push([bench.write('old.csv', visitors(...as(old, 'Ann')))]);
  const ended = await bench.push([bench.write('new.csv', visitors(...as([...old, ...fresh], 'Bea')))]);
  if (ended.code !== EXIT.done) throw new Error(ended.err);
  return bench;
}

/** A push of new and changed guests, of whom some were edited since. */
class Party {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly edited: readonly string[];
  readonly bench: Bench;

  private constructor(bench: Bench, all: readonly string[], old: number, edited: number) {
    this.bench = bench;
    this.old = all.slice(0, old);
    this.fresh = all.slice(old);
    this.edited = all.slice(0, edited);
  }

  static async of(size: number, { old, edited }: { old: number; edited: number }): Promise<Party> {
    const all = barcodes(size);
    const bench = await changed(all.slice(0, old), all.slice(old));
    for (const barcode of all.slice(0, edited)) {
      await registerByHand(bench, { barcode, fields: { company: 'Edited Ltd' } });
    }
    return new Party(bench, all, old, edited);
  }

  /** What became of whom, when all is done. */
  get lists(): Record<string, readonly string[]> {
    return { deleted: this.fresh, restored: this.old.slice(this.edited.length), kept: this.edited };
  }

  /** Who is left then, by what name. */
  get names(): unknown[] {
    return this.old.map((barcode) => [barcode, this.edited.includes(barcode) ? 'Bea' : 'Ann']);
  }
}

const names = (bench: Bench): unknown[] =>
  bench.kept().map(({ barcode, fields }) => [barcode, fields['first_name']]);

describe('undo of a push', () => {
  test('of 70 new and 50 changed guests, of whom 10 were edited, deletes 70, restores 40, keeps and lists 10', async () => {
    const party = await Party.of(120, { old: 50, edited: 10 });
    const { bench, fresh, old, edited } = party;
    const dry = await undo(bench, '--dry-run');
    expect(dry.err).toContain(': 70 would be deleted, 40 restored, 10 kept; this would delete 70');
    expect(byResult(dry.lines)).toEqual({ delete: fresh, restore: old.slice(10), kept: edited });
    const guarded = await undo(bench);
    expect(guarded).toMatchObject({
      code: EXIT.guarded,
      lines: [],
      err: expect.stringContaining('This would delete 70 registrations, more than --max-delete allows (50).'),
    });
    expect(left(bench)).toHaveLength(120);

    const ended = await undo(bench, '--max-delete', '70');
    expect([ended.code, byResult(ended.lines)]).toEqual([EXIT.rejected, party.lists]);
    expect(ended.lines.filter(({ result }) => result === 'kept').map(({ why }) => why)).toEqual(
      edited.map(() => 'edited in the service since: company'),
    );
    expect(ended.lines[0]?.place).toBe('new.csv:52');
    expect(ended.err).toContain('70 deleted, 40 restored, 10 kept.');
    expect(names(bench)).toEqual(party.names);
    expect(backups(bench).map((file) => readFileSync(file, 'utf8').trim().split('\n').length)).toEqual([70]);
    expect(bench.runs()[0]).toMatchObject({ kind: 'undo', state: 'finished', files: backups(bench) });
  });

  test.each(['POST', 'DELETE'] as const)(
    'killed in the middle of its %ss, the same command does the rest',
    async (method) => {
      const party = await Party.of(60, { old: 30, edited: 3 });
      const { bench } = party;
      const [push] = bench.runs();
      const stop = new AbortController();
      const from = bench.service.requests.filter((request) => request.method === method).length;
      bench.service.fault = (request) => {
        if (request.method === method && request.nth === from + 10) stop.abort(new InterruptedError());
        return undefined;
      };
      const argv = ['runs', 'undo', push?.id ?? '', '--yes'];
      const stopped = await bench.run(argv, { stopping: stop.signal });
      expect(stopped.code).toBe(EXIT.interrupted);
      bench.service.fault = () => undefined;
      await asIfKilled(bench, method);
      const [first] = bench.runs();
      const done = bench.states(first?.id).filter((state) => state === 'done' || state === 'deleted').length;
      const ended = await undoRun(bench, push?.id ?? '');
      expect(ended).toMatchObject({
        code: EXIT.rejected,
        err: expect.stringContaining(`${done + 1} gone or as before already.`),
      });
      const { deleted = [], restored = [] } = byResult(ended.lines);
      expect(deleted.length + restored.length).toBe(57 - done - 1);
      expect(names(bench)).toEqual(party.names);
      const [second, ...earlier] = bench.runs().filter(({ kind }) => kind === 'undo');
      expect(earlier.map(({ state, continuedBy }) => [state, continuedBy])).toEqual([['closed', second?.id]]);
    },
  );

  test('interrupted while the last to bring back is out, says that nothing was read back', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('old.csv', visitors('A:Ada'))]);
    await bench.push([bench.write('new.csv', visitors('A:Zoe'))]);
    const [push] = bench.runs();
    const stop = new AbortController();
    const from = bench.posts().length;
    bench.service.fault = ({ method }) => {
      if (method === 'POST' || method === 'PUT') stop.abort(new InterruptedError());
      return undefined;
    };
    const argv = ['runs', 'undo', push?.id ?? '', '--yes'];
    const stopped = await bench.run(argv, { stopping: stop.signal });
    expect([stopped.code, bench.posts().length]).toEqual([EXIT.interrupted, from + 1]);
    expect(stopped.err).toContain('Not read back: it was interrupted.');
    bench.service.fault = () => undefined;
    expect((await bench.run(argv)).code).toBe(EXIT.done);
    expect([bench.kept()[0]?.fields['first_name'], bench.posts().length]).toEqual(['Ada', from + 1]);
  });
});

/** Makes the latest run look as a killed process leaves it: at work, one request carried out and not noted. */
async function asIfKilled(bench: Bench, method: 'POST' | 'DELETE'): Promise<void> {
  const [run] = bench.runs();
  const op = method === 'POST' ? 'send' : 'delete';
  const row = bench.journal((journal) =>
    journal.get<{ seq: number; barcode: string; before: string }>(
      `SELECT seq, barcode, before FROM row WHERE run = $run AND op = $op AND state = 'pending' LIMIT 1`,
      { $run: run?.id ?? '', $op: op },
    ),
  );
  if (row === undefined) throw new Error('nothing is left to do');
  if (method === 'DELETE') await deleteByHand(bench, row.barcode);
  else await registerByHand(bench, { barcode: row.barcode, fields: { first_name: 'Ann' } });
  bench.journal((journal) => {
    const values = { $run: run?.id ?? '', $seq: row.seq, $at: bench.clock.now() };
    journal.run(
      `UPDATE operation SET state = 'sending', attempts = 1, sent_at = $at,
         sent_no = (SELECT max(no) FROM step) WHERE run = $run AND seq = $seq`,
      values,
    );
    journal.run(`UPDATE run SET state = 'sending', holder = '{}', ended_at = NULL WHERE id = $run`, {
      $run: values.$run,
    });
  });
}

describe('undo', () => {
  test('keeps what may be taken for another: its id is the barcode of somebody else', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    const id = idOf(bench, 'A');
    await registerByHand(bench, { barcode: id, fields: { first_name: 'Al' } });
    const ended = await undo(bench);
    expect(left(bench)).toEqual(['A', id]);
    expect(ended.lines.find(({ barcode }) => barcode === 'A')?.why).toContain(
      'its id is the barcode of another, which may be deleted instead',
    );
  });

  test.each<[string, Switches]>([
    ['as it is', {}],
    ['values tidied', { storedAs: 'tidied' }],
    ['what is not sent is emptied', { fieldsOnUpdate: 'replace' }],
    ['fields as a list', { recordShape: 'entries' }],
    ['fields beside the rest', { recordShape: 'flat' }],
    ['options as objects', { valuesShape: 'objects-id-name' }],
    ['no barcode filter', { barcodeFilter: 'ignored' }],
    ['deletes answered by 204', { deleteStatus: '204', deleteAgain: '204' }],
    ['creates answered by 204', { createStatus: '204' }],
    ['newest first', { listOrder: 'newest' }],
  ])('brings back all that was there, whatever the service is like: %s', async (_what, switches) => {
    const bench = await pushBench(switches);
    const header =
      'persona,barcode,parent_barcode,First name,Last name,E-mail,Mobile phone,Country,Lunch,Remarks';
    const full = [
      'visitor,A,,Ann,Example,Ann@Example.com,+34 600 111 222,es,Fish,first',
      'visitor,B,A,Bob,Example,bob@example.com,+34600111333,FR,,',
      'visitor,C,,Cy,Example,cy@example.com,,,,keep me',
    ];
    await bench.push([bench.write('one.csv', [header, ...full, ''].join('\n'))]);
    const before = listed(bench);
    const edited = [
      'visitor,A,,Anna,Sample,anna@example.com,+34600999999,DE,Meat,second',
      'visitor,B,A,Bobby,Example,bob@example.com,+34600111333,FR,Vegetarian,new',
      'visitor,C,,Cyd,Example,cy@example.com,,,,',
      'visitor,N,A,New,Example,n@example.com,,,,',
    ];
    const two = bench.write('two.csv', [header, ...edited, ''].join('\n'));
    // A's ticket goes to somebody else.
    const second = await bench.push([two, '--yes']);
    expect([second.code, second.summary.created + second.summary.updated]).toEqual([EXIT.done, 4]);
    const ended = await undo(bench);
    expect([ended.code, byResult(ended.lines)]).toEqual([
      EXIT.done,
      { deleted: ['N'], restored: ['A', 'B', 'C'] },
    ]);
    expect(listed(bench)).toEqual(before);
  });

  test('a second time says that everything is undone already', async () => {
    const bench = await changed(['A'], ['N']);
    const [push] = bench.runs();
    expect((await undo(bench)).code).toBe(EXIT.done);
    const requests = bench.sandbox.requests().filter(({ method }) => method !== 'GET').length;
    const again = await undoRun(bench, push?.id ?? '');
    const [by] = bench.runs();
    expect(again).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('everything is undone already'),
    });
    expect(again.lines.map(({ result, why }) => [result, why])).toEqual([
      ['settled', `is undone already, by run ${by?.id}`],
      ['settled', `is undone already, by run ${by?.id}`],
    ]);
    expect(bench.sandbox.requests().filter(({ method }) => method !== 'GET')).toHaveLength(requests);
    expect(bench.runs().filter(({ kind }) => kind === 'undo')).toHaveLength(1);
  });

  test('can be undone, and done once more', async () => {
    const bench = await changed(['A'], ['N', 'M/N']);
    const [push] = bench.runs();
    const after = listed(bench);
    await undo(bench);
    expect([left(bench), nameOf(bench, 'A')]).toEqual([['A'], 'Ann']);
    const redone = await undo(bench);
    expect([redone.code, listed(bench)]).toEqual([EXIT.done, after]);
    expect(redone.lines.map(({ result, why }) => [result, why])).toEqual([
      ['restored', ''],
      ['restored', 'created again'],
      ['restored', 'created again'],
    ]);
    // The registrations are others by now: that they are gone is not the same as being those of the push.
    const third = await undoRun(bench, push?.id ?? '');
    expect(byResult(third.lines)).toEqual({ restored: ['A'], kept: ['M', 'N'] });
    expect(third.lines.at(-1)?.why).toContain('it was deleted and registered anew since');
  });

  test('lets the same push send it all again', async () => {
    const bench = await changed(['A'], ['N']);
    const after = listed(bench);
    await undo(bench);
    const again = await bench.push(['new.csv']);
    expect([again.code, listed(bench)]).toEqual([EXIT.done, after]);
    expect(again.summary.conflict).toBe(0);
  });

  test('never sends messages to people again', async () => {
    const bench = await pushBench();
    const rows = (name: string): string =>
      `persona,barcode,enable_comms,First name,Last name,E-mail\nvisitor,A,yes,${name},X,a@example.com\n`;
    await bench.push([bench.write('a.csv', rows('Ann')), '--yes']);
    await bench.push([bench.write('b.csv', rows('Bea')), '--yes']);
    const sent = bench.posts().length;
    expect((await undo(bench)).code).toBe(EXIT.done);
    expect(nameOf(bench, 'A')).toBe('Ann');
    expect(
      bench
        .posts()
        .slice(sent)
        .map(({ body }) => body),
    ).toHaveLength(1);
    expect(bench.posts().at(-1)?.body).not.toContain('enable_comms');
  });

  test('of rows without barcodes goes by the id that the service gave them', async () => {
    const bench = await pushBench();
    await registerByHand(bench, { barcode: 'Z', fields: { first_name: 'Ada', email: 'a@example.com' } });
    await bench.push([bench.write('a.csv', visitors(':Ada', ':Bob'))]);
    expect((await undo(bench)).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['Z']);
  });

  test('of rows in doubt looks, once nothing can land any more', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { passOn: true, answer: 'cut' } : undefined);
    const stop = new AbortController();
    const file = bench.write('a.csv', visitors('A', 'B'));
    await bench.push([file, '--no-audit', '--concurrency', '1'], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    bench.journal((journal) => journal.run(`UPDATE operation SET state = 'uncertain', remote_id = NULL`));
    const ended = await undo(bench);
    expect([ended.code, byResult(ended.lines), left(bench)]).toEqual([
      EXIT.rejected,
      { kept: ['A', 'B'] },
      ['A', 'B'],
    ]);
    expect(ended.lines[0]?.why).toContain('it is not proven to be new');
  });
});

describe('undo of deletions', () => {
  test('creates again what a delete has deleted, parents first', async () => {
    const bench = await changed([], ['A', 'B/A', 'C/B']);
    const before = listed(bench);
    await bench.run(['delete', '--persona', 'visitor', '--yes']);
    const ended = await undo(bench);
    expect([ended.code, listed(bench)]).toEqual([EXIT.done, before]);
    expect(ended.lines.map(({ why }) => why)).toEqual(['created again', 'created again', 'created again']);
    expect((await undoRun(bench, bench.runs()[1]?.id ?? '')).err).toContain('everything is undone already');
  });

  test('brings back what --prune has deleted, with all that it changed', async () => {
    const bench = await changed([], ['A', 'B', 'C']);
    const before = listed(bench);
    const pruned = await bench.push([bench.write('now.csv', visitors('A:Abe', 'N')), '--prune', '--yes']);
    expect([pruned.code, left(bench)]).toEqual([EXIT.done, ['A', 'N']]);
    const ended = await undo(bench);
    expect([ended.code, byResult(ended.lines)]).toEqual([
      EXIT.done,
      { deleted: ['N'], restored: ['A', 'B', 'C'] },
    ]);
    expect(listed(bench)).toEqual(before);
  });

  test('names the members that went with a parent, until the backup has brought them back', async () => {
    const bench = await pushBench({ parentDelete: 'cascade' });
    await bench.push([bench.write('a.csv', visitors('A', 'B/A', 'C'))]);
    const before = listed(bench);
    const b = idOf(bench, 'B');
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const [run] = bench.runs();
    const [backup = ''] = backups(bench);
    const text = `registration ${b} (barcode B) lost: it is gone since run ${run?.id}, and is not back: eventreg push ${backup} adds it again`;
    const dry = await undoRun(bench, run?.id ?? '', '--dry-run');
    expect(dry).toMatchObject({ code: EXIT.rejected, err: expect.stringContaining(text) });
    const ended = await undoRun(bench, run?.id ?? '');
    expect(ended).toMatchObject({ code: EXIT.rejected, err: expect.stringContaining(text) });
    expect(left(bench)).toEqual(['A', 'C']);
    const again = await undoRun(bench, run?.id ?? '');
    expect(again).toMatchObject({
      code: EXIT.rejected,
      err: expect.stringContaining('nothing more of it can be undone (1 gone or as before already)'),
    });
    expect(again.err).toContain(text);
    expect((await bench.push([backup])).code).toBe(EXIT.done);
    expect(listed(bench)).toEqual(before);
    expect((await undoRun(bench, run?.id ?? '')).code).toBe(EXIT.done);
  });

  test('names the members that lost their parent, until the backup has made them members again', async () => {
    const bench = await pushBench({ parentDelete: 'orphaned' });
    await bench.push([bench.write('a.csv', visitors('A', 'B/A'))]);
    const before = listed(bench);
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const [run] = bench.runs();
    const [backup = ''] = backups(bench);
    const ended = await undoRun(bench, run?.id ?? '');
    expect(ended).toMatchObject({
      code: EXIT.rejected,
      err: expect.stringContaining(
        `it has lost its parent since run ${run?.id}, and has not got it back: eventreg push ${backup} --overwrite makes it a member again`,
      ),
    });
    expect((await bench.push([backup, '--overwrite'])).code).toBe(EXIT.done);
    expect(listed(bench).toSorted()).toEqual(before.toSorted());
    expect((await undoRun(bench, run?.id ?? '')).code).toBe(EXIT.done);
  });

  test('names what went with it and is in no backup', async () => {
    const bench = await pushBench({ parentDelete: 'cascade', recordParent: 'hidden' });
    await bench.push([bench.write('a.csv', visitors('A'))]);
    await registerByHand(bench, { barcode: 'B', parent_barcode: 'A', fields: {} });
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const ended = await undo(bench);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.err).toContain('and is not back: the backup of that run does not have it');
  });

  test('leaves alone a barcode that is in use again', async () => {
    const bench = await changed([], ['A']);
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Zoe' } });
    const ended = await undo(bench);
    expect([ended.code, nameOf(bench, 'A')]).toEqual([EXIT.rejected, 'Zoe']);
    expect(ended.lines[0]?.why).toBe(`its barcode is in use again, by registration ${idOf(bench, 'A')}`);
  });

  test('leaves alone whoever is there again without a barcode of the list, but for those who were there before', async () => {
    const bench = await pushBench();
    const ann = 'visitor,Ann,Poe,poe@example.com';
    const list = (...rows: readonly string[]): string =>
      bench.write('a.csv', ['persona,First name,Last name,E-mail', ...rows, ''].join('\n'));
    await bench.push([list(ann, 'visitor,Bob,Poe,poe@example.com')]);
    const named = (name: string) => bench.kept().filter(({ fields }) => fields['first_name'] === name);
    const deleteAnn = async () => await bench.run(['delete', named('Ann')[0]?.id ?? '', '--yes']);
    await deleteAnn();
    expect([(await undo(bench)).code, named('Ann').length]).toEqual([EXIT.done, 1]);

    await deleteAnn();
    const [deleted] = bench.runs();
    await bench.push([list(ann, 'visitor,Bob,Poe,poe@example.com')]);
    const ended = await undoRun(bench, deleted?.id ?? '');
    expect([ended.code, named('Ann').length]).toEqual([EXIT.rejected, 1]);
    expect(ended.lines[0]?.why).toBe(`it may be there again, as registration ${named('Ann')[0]?.id}`);
  });

  test('cannot bring back values that the service did not show', async () => {
    const bench = await changed([], ['A'], { recordShape: 'no-fields' });
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const ended = await undo(bench);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, []]);
    expect(ended.lines[0]?.why).toContain('did not show its persona and values');
  });
});

describe('what undo leaves alone, with the reason', () => {
  async function kept(bench: Bench): Promise<Line | undefined> {
    const before = listed(bench);
    const ended = await undo(bench);
    expect(ended.code).toBe(EXIT.rejected);
    expect(listed(bench)).toEqual(before);
    return ended.lines.find(({ result }) => result === 'kept');
  }

  test('new ones that were edited', async () => {
    const bench = await changed([], ['N']);
    await registerByHand(bench, { barcode: 'N', fields: { company: 'Late Ltd' } });
    expect((await kept(bench))?.why).toBe('edited in the service since: company');
  });

  test('changed ones that were edited in a field that was not sent', async () => {
    const bench = await changed(['A'], []);
    await registerByHand(bench, { barcode: 'A', fields: { remarks: 'VIP' } });
    expect((await kept(bench))?.why).toBe('edited in the service since: remarks');
  });

  test('what a later push has sent again', async () => {
    const bench = await changed(['A'], ['N']);
    const [first] = bench.runs();
    await bench.push([bench.write('later.csv', visitors('N:Bea', 'A:Cat'))]);
    await bench.push([bench.write('again.csv', visitors('N:Bea')), '--only', 'N', '--again']);
    const [later] = bench.runs();
    const ended = await undoRun(bench, first?.id ?? '');
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.lines.map(({ barcode, why }) => [barcode, why])).toEqual([
      [
        'A',
        `it was sent again by run ${bench.runs().find(({ files }) => files[0] === 'later.csv')?.id} since`,
      ],
      ['N', `it was sent again by run ${later?.id} since`],
    ]);
  });

  test('but not when the later push was undone itself', async () => {
    const bench = await changed(['A'], []);
    const [first] = bench.runs();
    await bench.push([bench.write('later.csv', visitors('A:Cat'))]);
    expect((await undo(bench)).code).toBe(EXIT.done);
    expect(nameOf(bench, 'A')).toBe('Bea');
    expect((await undoRun(bench, first?.id ?? '')).code).toBe(EXIT.done);
    expect(nameOf(bench, 'A')).toBe('Ann');
  });

  test('what is there twice', async () => {
    const bench = await changed([], ['N'], { upsert: 'double' });
    await registerByHand(bench, { barcode: 'N', fields: { first_name: 'Bea' } });
    expect((await kept(bench))?.why).toMatch(/^several registrations are it: reg-\S+, reg-\S+$/);
  });

  test('what was sent without a look, unless the service said that it is new', async () => {
    const bench = await pushBench({ createBody: 'empty', createStatus: '200' });
    bench.service.fault = noList;
    await bench.push([bench.write('a.csv', visitors('A')), '--yes']);
    bench.service.fault = () => undefined;
    expect((await kept(bench))?.why).toBe(
      'what it was before is not known: it was not compared before it was sent',
    );
  });

  test('new ones of a service that shows no values', async () => {
    const bench = await changed([], ['N'], { recordShape: 'no-fields' });
    expect((await kept(bench))?.why).toBe('the service does not show its values');
  });

  test('new parents of members that are not its own', async () => {
    const bench = await changed([], ['N', 'M']);
    await registerByHand(bench, { barcode: 'X', parent_barcode: 'N', fields: { first_name: 'Xi' } });
    const ended = await undo(bench);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['N', 'X']]);
    expect(ended.lines.find(({ barcode }) => barcode === 'N')?.why).toBe(
      `kept: its member, registration ${idOf(bench, 'X')}, stays`,
    );
  });

  test('new parents, and theirs, of members that were edited', async () => {
    const bench = await changed([], ['P', 'Q/P', 'R/Q', 'S']);
    await registerByHand(bench, { barcode: 'R', fields: { remarks: 'VIP' } });
    const dry = await undo(bench, '--dry-run');
    expect(byResult(dry.lines)).toEqual({ delete: ['S'], kept: ['P', 'Q', 'R'] });
    const ended = await undo(bench);
    expect([byResult(ended.lines), left(bench)]).toEqual([
      { deleted: ['S'], kept: ['P', 'Q', 'R'] },
      ['P', 'Q', 'R'],
    ]);
  });

  test('what was made a member', async () => {
    const bench = await changed([], ['A', 'P']);
    await bench.push([bench.write('b.csv', visitors('A/P:Bea'))]);
    expect((await kept(bench))?.why).toBe(
      'it was made a member, and the service has no way to take that back',
    );
  });

  test('rows in doubt without a barcode or an id', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { passOn: true, answer: 'cut' } : undefined);
    await bench.push([bench.write('a.csv', visitors(':Ada')), '--no-audit']);
    bench.service.fault = () => undefined;
    bench.journal((journal) =>
      journal.run(`UPDATE operation SET state = 'uncertain', attempts = 1, remote_id = NULL`),
    );
    expect((await kept(bench))?.why).toBe(
      'it may be there: what became of it is not known, and it has no barcode, nor an id that is known, to find it by',
    );
  });

  test('rows whose ids are in answers only', async () => {
    const bench = await pushBench({ idShown: 'answers' });
    await bench.push([bench.write('a.csv', visitors(':Ada'))]);
    expect((await kept(bench))?.why).toBe(
      'it may be there: the service does not list the id that it answered with',
    );
  });

  test('not what is gone or as it was: of that there is nothing to undo', async () => {
    const bench = await changed(['A'], ['N']);
    await deleteByHand(bench, 'N');
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Ann' } });
    const ended = await undo(bench);
    expect(ended).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('everything is undone already'),
    });
    expect(ended.lines.map(({ barcode, why }) => [barcode, why])).toEqual([
      ['A', 'is as it was before'],
      ['N', 'is gone already'],
    ]);
  });

  test('all changes, once the service is known to double a barcode that it has', async () => {
    const bench = await changed(['A'], ['N']);
    bench.journal((journal) => journal.run(`UPDATE learned SET value = 'double' WHERE name = 'upsert'`));
    const ended = await undo(bench);
    expect([ended.code, left(bench), nameOf(bench, 'A')]).toEqual([EXIT.rejected, ['A'], 'Bea']);
    expect(byResult(ended.lines)).toEqual({ deleted: ['N'], kept: ['A'] });
  });
});

describe('what keeps undo from doing harm', () => {
  test('it asks, and without a terminal it needs --yes', async () => {
    const bench = await changed(['A'], ['N']);
    const [run] = bench.runs();
    const ended = await bench.run(['runs', 'undo', run?.id ?? '']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(
        `Undo run ${run?.id}: delete 1 registration and bring back 1 registration at`,
      ),
    });
    expect([left(bench), bench.runs()]).toEqual([['A', 'N'], bench.runs().slice(0, 2)]);
  });

  test('a run that another process works on is left alone', async () => {
    const bench = await changed([], ['N']);
    const other = new Journal(join(bench.directory, 'state'));
    onTestFinished(() => other.close());
    const [run] = bench.runs();
    other.locks.take(run?.id ?? '');
    const ended = await undo(bench);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('is being worked on by'),
    });
    expect(left(bench)).toEqual(['N']);
  });

  test('a run at another service', async () => {
    const bench = await changed([], ['N']);
    bench.journal((journal) => journal.run(`UPDATE run SET service = 'https://other.example/api'`));
    const ended = await undo(bench);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('was at https://other.example/api'),
    });
  });

  test('what is edited between the plan and the delete stays', async () => {
    const bench = await changed(['A'], ['N', 'M']);
    bench.service.fault = async ({ method }) => {
      if (method === 'POST') await registerByHand(bench, { barcode: 'N', fields: { remarks: 'VIP' } });
      return undefined;
    };
    const ended = await undo(bench);
    expect([ended.code, left(bench)]).toEqual([EXIT.rejected, ['A', 'N']]);
    expect(byResult(ended.lines)).toEqual({ deleted: ['M'], restored: ['A'], kept: ['N'] });
  });

  test('a run that has sent nothing is no run to undo', async () => {
    const bench = await changed([], ['N', 'M']);
    await bench.push([bench.write('same.csv', visitors('N:Bea'))]);
    const ended = await undo(bench);
    expect(ended).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('it has sent and deleted nothing.'),
    });
    expect(left(bench)).toEqual(['M', 'N']);
  });

  test('an unknown run is wrong usage', async () => {
    const bench = await changed([], ['N']);
    expect((await undoRun(bench, 'nope')).code).toBe(EXIT.usage);
  });
});
