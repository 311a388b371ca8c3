import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Clock } from '../../src/pacing/clock.ts';
import { EXIT, GaveUpError, SharedStateError } from '../../src/errors.ts';
import { writeIntent, writeOutcome } from '../../src/sync/journal/queued-rows.ts';
import { VERSION } from '../../src/sync/journal/journal-tables.ts';
import { makeKey } from '../../src/settings/state-address.ts';
import { StateDatabase } from '../../src/state/state-database.ts';
import { startRelay } from '../support/tcp-relay.ts';
import { readRun } from '../sync/journal-bench.ts';
import { note, openTeam, realClock, tablesOf, useCluster, WITHOUT, wordsIn } from './state-bench.ts';

const cluster = useCluster();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.skipIf(WITHOUT !== undefined).each(['directly', 'through a pooler'])(
  'a state that is shared %s',
  (way) => {
    const url = (): string => {
      const found = way === 'directly' ? cluster().url() : cluster().pooledUrl();
      if (found === undefined) throw new Error('There is no pooler.');
      return found;
    };

    test('is the same on the next machine, table by table', async () => {
      const { machine } = await openTeam(url());
      const ana = await machine('ana').write();
      readRun(ana.journal, [{ barcode: 'A' }, { barcode: 'B', parent: 'A' }, { state: 'rejected' }]);
      ana.journal.run(`UPDATE operation SET state = 'done', remote_id = 'r1' WHERE barcode = 'A'`);
      ana.journal.run(`DELETE FROM operation WHERE barcode = 'B'`);
      const before = tablesOf(ana.journal);
      await ana.end();
      const bo = await machine('bo').read();
      expect(tablesOf(bo.journal)).toEqual(before);
      expect(before['operation']).toHaveLength(2);
      await bo.end();
    });

    test('goes from one to the other and back', async () => {
      const { machine } = await openTeam(url());
      const [ana, bo] = [machine('ana'), machine('bo')];
      await ana.say('1');
      await bo.say('2');
      await ana.say('3');
      expect(await bo.hear()).toEqual(['1', '2', '3']);
      expect(bo.told).toEqual([]);
    });

    test('has one writer at a time: the second waits, is told for whom, and goes on', async () => {
      const { machine } = await openTeam(url());
      const [ana, bo] = [machine('ana'), machine('bo')];
      const first = await ana.write('pushes guests.csv');
      note(first.journal, '1');
      const second = bo.write();
      await expect
        .poll(() => bo.told)
        .toEqual([expect.stringMatching(/^Waiting: ana@ana-host pushes guests.csv since \d\d:\d\d UTC\.$/)]);
      await first.end();
      const { journal, end } = await second;
      expect(wordsIn(journal)).toEqual(['1']);
      await end();
    });

    test('who may not wait so long gives up, with who is at work', async () => {
      const { machine } = await openTeam(url());
      const first = await machine('ana').write();
      const error = await machine('bo')
        .write('deletes', 0)
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(GaveUpError);
      expect(error).toMatchObject({
        exitCode: EXIT.gaveUp,
        message: expect.stringContaining('ana@ana-host pushes'),
      });
      await first.end();
    });

    test('reading waits for nobody, holds nobody up, and leaves nothing behind', async () => {
      const { machine } = await openTeam(url());
      const first = await machine('ana').write();
      note(first.journal, '1');
      const run = readRun(first.journal, []);
      first.journal.run('UPDATE run SET holder = ?', [JSON.stringify({ host: 'ana-host', startedAt: 1 })]);
      await first.journal.sharing?.shipped();
      const bo = machine('bo');
      const reader = await bo.read();
      expect(reader.journal.locks.take(run)).toBe(false);
      note(reader.journal, 'of the reader');
      note(first.journal, '2');
      expect(wordsIn(reader.journal)).toEqual(['1', 'of the reader']);
      await reader.end();
      await first.end();
      // Its turn is over, however the run has ended.
      const later = await bo.read();
      expect(later.journal.locks.take(run)).toBe(true);
      expect(wordsIn(later.journal)).toEqual(['1', '2']);
      await later.end();
    });

    test('a turn that another ends sends nothing more, and what it had not told gives way', async () => {
      const { machine } = await openTeam(url());
      const [ana, bo] = [machine('ana'), machine('bo')];
      const first = await ana.write();
      note(first.journal, 'told');
      await first.journal.sharing?.mayLeave(false);
      await bo.take();
      note(first.journal, 'untold');
      const kept = await first.journal.sharing?.mayLeave(false).catch((error: unknown) => error);
      expect(kept).toBeInstanceOf(SharedStateError);
      expect(String(kept)).toContain(
        'The turn in the space "default" has ended: bo@bo-host took it. Nothing more is sent from here',
      );
      await expect(first.journal.sharing?.mayLeave(true)).rejects.toThrow('took it. Nothing more');
      await expect(first.end()).rejects.toThrow('took it. Nothing more');
      await bo.say('of bo');
      expect(await ana.hear()).toEqual(['of bo', 'told']);
      await ana.say('again');
      expect(ana.told).toEqual([
        expect.stringMatching(/^1 changes that this machine had not told the others give way/),
      ]);
      expect(await bo.hear()).toEqual(['again', 'of bo', 'told']);
    });

    test('what a killed writer has not told goes on from there where nobody has written since', async () => {
      const { machine } = await openTeam(url());
      const [ana, bo] = [machine('ana'), machine('bo')];
      const first = await ana.write();
      note(first.journal, 'told');
      await first.journal.sharing?.shipped();
      await bo.take();
      note(first.journal, 'untold');
      await first.end().catch(() => undefined);
      expect(await bo.hear()).toEqual(['told']);
      await ana.say('again');
      expect(ana.told).toEqual([]);
      expect(await bo.hear()).toEqual(['again', 'told', 'untold']);
    });

    test('changes that have become many become a snapshot, and another machine begins with that', async () => {
      const target = url();
      const { machine } = await openTeam(target);
      const [ana, bo] = [machine('ana'), machine('bo')];
      const first = await ana.write();
      for (let n = 1000; n < 3100; n += 1) note(first.journal, String(n));
      const before = tablesOf(first.journal);
      await first.end();
      // Of each no more is left than by what it is known again.
      expect(cluster().sql('SELECT count(*) FROM eventreg.change WHERE length(body) > 16')).toBe('0');
      await ana.say('more');
      const second = await bo.read();
      expect(wordsIn(second.journal)).toHaveLength(2101);
      expect(tablesOf(second.journal)['learned']).toEqual([...(before['learned'] ?? []), expect.anything()]);
      await second.end();
    });

    test('what is purged is nowhere any more', async () => {
      const { machine } = await openTeam(url());
      const ana = machine('ana');
      await ana.say('secret');
      const { journal, end } = await ana.write();
      journal.run('DELETE FROM learned');
      journal.compact();
      await end();
      // Of each no more is left than by what it is known again.
      expect(cluster().sql('SELECT count(*) FROM eventreg.change WHERE length(body) > 16')).toBe('0');
      expect(await machine('bo').hear()).toEqual([]);
    });
  },
);

describe.skipIf(WITHOUT !== undefined)('what is shared', () => {
  test('is nobody else’s to write while its turn lasts, also for who has looked when it was over', async () => {
    const { machine } = await openTeam(cluster().url());
    const { end } = await machine('ana').write();
    const opener = machine('bo').opener();
    const head = await opener.head();
    const holder = { user: 'bo', host: 'bo-host', pid: 1, startedAt: 1, does: 'pushes' };
    expect(await opener.space.take(holder)).toBeUndefined();
    // Of a turn that is over by now.
    expect(await opener.space.take(holder, head.epoch - 1)).toBeUndefined();
    await end();
    expect(await opener.space.take(holder)).toMatchObject({ epoch: head.epoch + 1, holder });
    expect(await opener.space.take(holder)).toBeUndefined();
  });

  test('takes no rights but for a schema of its own', async () => {
    const url = cluster().url();
    cluster().sql('CREATE ROLE plain LOGIN; CREATE SCHEMA eventreg AUTHORIZATION plain');
    const { machine } = await openTeam(url.replace('//eventreg@', '//plain@'));
    await machine('ana').say('1');
    await expect(openTeam(url.replace('//eventreg@', '//plain@'))).rejects.toThrow(
      'There is a space "default"',
    );
    expect(await machine('bo').hear()).toEqual(['1']);
  });

  test('cannot be read in the database', async () => {
    const { machine } = await openTeam(cluster().url());
    await machine('ana-who-pushes').say('Countess Lovelace, ticket 4711');
    const dump = cluster().sql(`SELECT string_agg(encode(body, 'escape'), '') FROM eventreg.change`);
    const space = cluster().sql(
      `SELECT encode(coalesce(holder, ''), 'escape') || encode(mark, 'escape') FROM eventreg.space`,
    );
    expect(dump.length).toBeGreaterThan(100);
    for (const word of ['Lovelace', '4711', 'learned', 'ana-who']) expect(dump + space).not.toContain(word);
  });

  test('takes some hundred bytes a row, also where rows go one by one', async () => {
    const { machine } = await openTeam(cluster().url());
    const { journal, end } = await machine('ana').write();
    const rows = Array.from({ length: 20 }, (_, at) => ({ barcode: `B-${at}` }));
    const run = readRun(journal, rows);
    const sizes = (): number => Number(cluster().sql('SELECT sum(length(body)) FROM eventreg.change'));
    await journal.sharing?.shipped();
    const before = sizes();
    for (const seq of rows.keys()) {
      const now = 1_795_738_295_000 + seq;
      writeIntent(journal, run, seq, { at: now, requestId: randomUUID() });
      await journal.sharing?.shipped();
      writeOutcome(journal, run, seq, { state: 'done', status: 201, remoteId: `r-${seq}` }, now + 40);
    }
    await end();
    expect((sizes() - before) / rows.length).toBeLessThan(350);
  });

  test('is refused with another key, before anything is written', async () => {
    const url = cluster().url();
    const { machine } = await openTeam(url);
    await machine('ana').say('1');
    const stranger = machine('bo').by(url, makeKey());
    await expect(stranger.write()).rejects.toThrow(
      'The key of the shared state is not that of the space "default"',
    );
    expect(cluster().sql('SELECT epoch FROM eventreg.space')).toBe('1');
  });

  test.each([
    [
      'changed',
      `UPDATE eventreg.change SET body = set_byte(body, 20, get_byte(body, 20) # 1) WHERE number = 2`,
    ],
    ['missing', `DELETE FROM eventreg.change WHERE number = 2`],
    [
      'in another place',
      `UPDATE eventreg.change SET body = (SELECT body FROM eventreg.change WHERE number = 1) WHERE number = 2`,
    ],
  ])('is refused where a change is %s', async (_, damage) => {
    const { machine } = await openTeam(cluster().url());
    for (const word of ['1', '2', '3']) await machine('ana').say(word);
    cluster().sql(damage);
    await expect(machine('bo').write()).rejects.toThrow(
      /Change 2 of the space "default" is missing, damaged, or of another history/,
    );
  });

  test('is refused where a newer eventreg has written it', async () => {
    const { machine } = await openTeam(cluster().url());
    cluster().sql(`UPDATE eventreg.space SET shape = ${VERSION + 1}`);
    await expect(machine('bo').read()).rejects.toThrow('was written by a newer eventreg');
  });

  test('is refused where the database was set back, and goes on once it was brought there again', async () => {
    const { machine } = await openTeam(cluster().url());
    const ana = machine('ana');
    await ana.say('1');
    cluster().sql(
      'CREATE TABLE public.space AS TABLE eventreg.space; CREATE TABLE public.change AS TABLE eventreg.change',
    );
    await ana.say('2');
    const restore = `DELETE FROM eventreg.space; INSERT INTO eventreg.space TABLE public.space;
      DELETE FROM eventreg.change; INSERT INTO eventreg.change TABLE public.change`;
    cluster().sql(restore);
    await expect(ana.write()).rejects.toThrow('has gone back');
    await expect(ana.read()).rejects.toThrow('has gone back');
    const opener = ana.opener();
    expect((await opener.standing()).copy.hasGoneBack).toBe(true);
    await opener.move({ does: 'moves', maxWaitMs: 0 }, undefined);
    await opener.close();
    expect(await machine('bo').hear()).toEqual(['1', '2']);
    await ana.say('3');
    expect(await machine('bo').hear()).toEqual(['1', '2', '3']);
    cluster().sql(restore);
    await machine('bo').say('another 2');
    await expect(ana.write()).rejects.toThrow('has gone back');
    const packing = machine('bo').opener();
    const { journal, end } = await packing.openToWrite({ does: 'packs', maxWaitMs: 0 });
    journal.compact();
    await end();
    await packing.close();
    await expect(ana.write()).rejects.toThrow('has gone back');
    await expect(ana.read()).rejects.toThrow('has gone back');
  });

  test('moved over what others did since it was restored, is refused where that was done, and goes on where all is known', async () => {
    const { machine } = await openTeam(cluster().url());
    const [ana, bo, cem] = [machine('ana'), machine('bo'), machine('cem')];
    await ana.say('1');
    for (const one of [bo, cem]) expect(await one.hear()).toEqual(['1']);
    cluster().sql(
      'CREATE TABLE public.space AS TABLE eventreg.space; CREATE TABLE public.change AS TABLE eventreg.change',
    );
    for (const word of ['2', '3', '4']) await ana.say(word);
    cluster().sql(
      `DELETE FROM eventreg.space; INSERT INTO eventreg.space TABLE public.space;
       DELETE FROM eventreg.change; INSERT INTO eventreg.change TABLE public.change`,
    );
    const opener = ana.opener();
    expect((await opener.standing()).copy).toMatchObject({ hasGoneBack: true, isParted: false });
    await bo.say('another 2');
    expect((await opener.standing()).copy).toMatchObject({ hasGoneBack: true, isParted: true });
    await opener.move({ does: 'moves', maxWaitMs: 0 }, undefined);
    await opener.close();
    await ana.say('5');
    await expect(bo.read()).rejects.toThrow('has gone back');
    await expect(bo.write()).rejects.toThrow('has gone back');
    expect(await machine('dan').hear()).toEqual(['1', '2', '3', '4', '5']);
    const standing = bo.opener();
    const { folder } = (await standing.standing()).copy;
    await standing.close();
    rmSync(dirname(folder), { recursive: true });
    expect(await bo.hear()).toEqual(['1', '2', '3', '4', '5']);
  });

  test('keeps its turn while what is packed is under way, and ships nothing of before then', async () => {
    const { machine } = await openTeam(cluster().url());
    const ana = machine('ana');
    await ana.say('1');
    const [number, tag] = cluster().sql(`SELECT number, encode(tag, 'hex') FROM eventreg.space`).split('|');
    await ana.say('2');
    cluster().sql(
      `UPDATE eventreg.space SET number = ${number}, tag = decode('${tag}', 'hex'); DELETE FROM eventreg.change WHERE number > ${number}`,
    );
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const opener = ana.opener();
    const put = opener.space.putPart.bind(opener.space);
    const putting = vi.spyOn(opener.space, 'putPart').mockImplementation(async (...part) => {
      vi.advanceTimersByTime(6000);
      await put(...part);
    });
    const asked = vi.spyOn(opener.space, 'append');
    await opener.move({ does: 'moves', maxWaitMs: 0 }, undefined);
    await opener.close();
    expect([putting.mock.calls.length, asked.mock.calls.map(([, , changes]) => changes)]).toEqual([1, [[]]]);
    await ana.say('3');
    expect(await machine('bo').hear()).toEqual(['1', '2', '3']);
  });

  test('goes out without waiting for answers, and takes no question but for the turn and for what is shipped', async () => {
    const { machine } = await openTeam(cluster().url());
    const relay = await startRelay(cluster().port);
    const ana = machine('ana').by(cluster().latestUrl(relay.port));
    const asked = vi.spyOn(StateDatabase.prototype, 'ask');
    const { journal, end } = await ana.write();
    relay.loseAnswers();
    const leaving = ['1', '2', '3'].map((word) => {
      note(journal, word);
      return journal.sharing?.mayLeave(false);
    });
    await expect.poll(() => cluster().sql('SELECT number FROM eventreg.space')).toBe('3');
    relay.resume();
    await Promise.all(leaving.map((one) => Promise.resolve(one)));
    asked.mockClear();
    note(journal, '4');
    await end();
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockClear();
    await ana.say('5');
    expect(asked).toHaveBeenCalledTimes(2);
    expect(cluster().sql('SELECT until FROM eventreg.space')).toBe('');
    expect(await machine('bo').hear()).toEqual(['1', '2', '3', '4', '5']);
    relay.close();
  });

  test('goes on where the database has lost its last changes under a writer, as a failover does', async () => {
    const { machine } = await openTeam(cluster().url());
    const { journal, end } = await machine('ana').write();
    for (const word of ['1', '2', '3']) {
      note(journal, word);
      await journal.sharing?.shipped();
    }
    const tag = `(SELECT substring(body FROM length(body) - 15) FROM eventreg.change WHERE number = 1)`;
    cluster().sql(
      `UPDATE eventreg.space SET number = 1, tag = ${tag}; DELETE FROM eventreg.change WHERE number > 1`,
    );
    note(journal, '4');
    await journal.sharing?.mayLeave(false);
    await end();
    expect(await machine('bo').hear()).toEqual(['1', '2', '3', '4']);
  });

  test('is as it was when the answer of the database is lost: nothing is there twice', async () => {
    const { machine } = await openTeam(cluster().url());
    const relay = await startRelay(cluster().port);
    const ana = machine('ana').by(cluster().latestUrl(relay.port));
    const { journal, end } = await ana.write();
    relay.loseAnswers();
    note(journal, '1');
    const leaving = journal.sharing?.mayLeave(false);
    await expect.poll(() => cluster().sql('SELECT number FROM eventreg.space')).toBe('1');
    relay.resume();
    await leaving;
    note(journal, '2');
    await end();
    expect(await machine('bo').hear()).toEqual(['1', '2']);
    relay.close();
  });

  /** Pauses take no time: only what they come to is waited for. */
  const hasty: Clock = { ...realClock, sleep: () => Promise.resolve() };

  test('goes on by itself after a partition of five seconds', async () => {
    const { machine } = await openTeam(cluster().url());
    const relay = await startRelay(cluster().port);
    const ana = machine('ana').by(cluster().latestUrl(relay.port));
    let pausedMs = 0;
    ana.clock = {
      ...hasty,
      sleep: (ms) => {
        pausedMs += ms;
        if (pausedMs >= 5000) relay.resume();
        return Promise.resolve();
      },
    };
    const { journal, end } = await ana.write();
    relay.refuse();
    note(journal, '1');
    await journal.sharing?.mayLeave(false);
    expect(pausedMs).toBeGreaterThanOrEqual(5000);
    await end();
    expect(await machine('bo').hear()).toEqual(['1']);
    relay.close();
  });

  test('ends after a partition of five minutes, and the next command there tells what was not told', async () => {
    const { machine } = await openTeam(cluster().url());
    const relay = await startRelay(cluster().port);
    const ana = machine('ana').by(cluster().latestUrl(relay.port));
    ana.clock = hasty;
    const { journal, end } = await ana.write();
    note(journal, '1');
    await journal.sharing?.shipped();
    relay.refuse();
    note(journal, '2');
    const kept = await journal.sharing?.mayLeave(false).catch((error: unknown) => error);
    expect(kept).toBeInstanceOf(SharedStateError);
    expect(kept).toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringContaining('cannot be reached'),
    });
    note(journal, '3');
    await end().catch(() => undefined);
    expect(await machine('bo').hear()).toEqual(['1']);
    relay.resume();
    cluster().sql('UPDATE eventreg.space SET until = NULL');
    await ana.say('4');
    expect(ana.told).toEqual([expect.stringContaining('The shared state is away')]);
    expect(await machine('bo').hear()).toEqual(['1', '2', '3', '4']);
    relay.close();
  });

  test('goes on where it stopped when the disk there was full', async () => {
    const { machine } = await openTeam(cluster().url());
    const ana = machine('ana');
    const { journal, end } = await ana.write();
    note(journal, '1');
    await journal.sharing?.shipped();
    cluster().limitFiles(true);
    cluster().sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    );
    const much = randomBytes(3 * 2 ** 20).toString('base64');
    note(journal, `2 ${much}`);
    let hasLeft = false;
    const leaving = journal.sharing?.mayLeave(false).then(() => (hasLeft = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(hasLeft).toBe(false);
    cluster().limitFiles(false);
    await leaving;
    await end();
    expect((await machine('bo').hear()).map((word) => word.slice(0, 2))).toEqual(['1', '2 ']);
  });

  test('goes on by itself when the server was killed and is back', async () => {
    const { machine } = await openTeam(cluster().url());
    const { journal, end } = await machine('ana').write();
    note(journal, '1');
    await journal.sharing?.shipped();
    await cluster().kill();
    note(journal, '2');
    let hasLeft = false;
    const leaving = journal.sharing?.mayLeave(false).then(() => (hasLeft = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(hasLeft).toBe(false);
    await cluster().start();
    await leaving;
    await end();
    expect(await machine('bo').hear()).toEqual(['1', '2']);
  });

  test('who has slept asks first whose turn it is', async () => {
    const { machine } = await openTeam(cluster().url());
    const ana = machine('ana');
    let sleptMs = 0;
    ana.clock = { ...ana.clock, now: () => Date.now() + sleptMs };
    const { journal, end } = await ana.write();
    await journal.sharing?.mayLeave(true);
    await machine('bo').take();
    // Not asked: it was its turn a moment ago.
    await journal.sharing?.mayLeave(true);
    sleptMs = 60_000;
    await expect(journal.sharing?.mayLeave(true)).rejects.toThrow('took it. Nothing more');
    await end().catch(() => undefined);
  });

  test('times are those of the database, whatever the clock of the machine says', async () => {
    const { machine } = await openTeam(cluster().url());
    const ana = machine('ana');
    ana.clock = { ...ana.clock, now: () => Date.now() - 300_000 };
    const opener = ana.opener();
    await opener.head();
    expect(Math.abs(opener.aheadMs - 300_000)).toBeLessThan(2000);
  });

  test('is a journal of one machine again once it is exported, and can be moved into another space', async () => {
    const { machine } = await openTeam(cluster().url());
    await machine('ana').say('1');
    const bo = machine('bo');
    const file = `${bo.directory}/journal.sqlite`;
    await bo.opener().export(file);
    const { machine: others } = await openTeam(cluster().url('?space=two'));
    await others('cy').opener().move({ does: 'moves', maxWaitMs: 0 }, file);
    expect(await others('di').hear()).toEqual(['1']);
  });
});

describe('without PostgreSQL', () => {
  test('that is said, or in CI an error', () => {
    expect(WITHOUT === undefined || WITHOUT.startsWith('Left out: ')).toBe(true);
  });
});
