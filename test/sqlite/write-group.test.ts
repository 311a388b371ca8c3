import { describe, expect, test } from 'vitest';
import { WriteGroup } from '../../src/sqlite/write-group.ts';

/** A group over a disk that tells what is made durable when. */
function groupOn(log: string[], disk: { error?: Error } = {}): WriteGroup {
  return new WriteGroup((work) => {
    log.push('begin');
    work();
    if (disk.error !== undefined) throw disk.error;
    log.push('commit');
  });
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('writes right after one another', () => {
  test('become durable together, in the order in which they were asked for', async () => {
    const log: string[] = [];
    const group = groupOn(log);
    const told = ['outcome 1', 'intent 2', 'outcome 3'].map((name) =>
      group.add(() => void log.push(name)).then(() => log.push(`told of ${name}`)),
    );
    expect(log).toEqual([]);
    await Promise.all(told);
    const written = ['begin', 'outcome 1', 'intent 2', 'outcome 3', 'commit'];
    expect(log).toEqual([...written, 'told of outcome 1', 'told of intent 2', 'told of outcome 3']);
  });

  test('others that still come are waited for, one by one', async () => {
    const log: string[] = [];
    const group = groupOn(log);
    const told = [group.add(() => void log.push('one'))];
    for (const name of ['two', 'three']) {
      await nextTurn();
      told.push(group.add(() => void log.push(name)));
    }
    await Promise.all(told);
    expect(log).toEqual(['begin', 'one', 'two', 'three', 'commit']);
  });

  test('one that comes when they have been made is a write of its own', async () => {
    const log: string[] = [];
    const group = groupOn(log);
    await group.add(() => void log.push('one'));
    const two = group.add(() => void log.push('two'));
    await nextTurn();
    await two;
    expect(log).toEqual(['begin', 'one', 'commit', 'begin', 'two', 'commit']);
  });

  test('none is waited for where none is expected, however long the last write took', async () => {
    const log: string[] = [];
    const group = new WriteGroup((work) => {
      work();
      const began = performance.now();
      while (performance.now() - began < 20) continue;
    });
    await group.add(() => void log.push('one'));
    void group.add(() => void log.push('two'));
    await nextTurn();
    await nextTurn();
    expect(log).toEqual(['one', 'two']);
  });

  test('one that may not be made is kept back alone', async () => {
    const log: string[] = [];
    const group = groupOn(log);
    const halted = new Error('halted');
    const one = group.add(() => void log.push('one'));
    const kept = group.add(() => halted);
    const two = group.add(() => void log.push('two'));
    await expect(kept).rejects.toBe(halted);
    await Promise.all([one, two]);
    expect(log).toEqual(['begin', 'one', 'two', 'commit']);
  });

  test('none is taken for durable when the disk fails, and the next turn tries again', async () => {
    const log: string[] = [];
    const disk: { error?: Error } = { error: new Error('the disk is full') };
    const group = groupOn(log, disk);
    const lost = await Promise.allSettled([group.add(() => undefined), group.add(() => undefined)]);
    expect(lost.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(lost[0]).toEqual({ status: 'rejected', reason: disk.error });
    delete disk.error;
    await group.add(() => void log.push('one'));
    expect(log).toEqual(['begin', 'begin', 'one', 'commit']);
  });

  test('a write that fails takes the others of its turn with it', async () => {
    const log: string[] = [];
    const group = groupOn(log);
    const full = new Error('the disk is full');
    const settled = await Promise.allSettled([
      group.add(() => void log.push('one')),
      group.add(() => {
        throw full;
      }),
      group.add(() => void log.push('two')),
    ]);
    expect(settled.map((one) => one.status === 'rejected' && one.reason === full)).toEqual([
      true,
      true,
      true,
    ]);
    expect(log).toEqual(['begin', 'one']);
  });
});

describe('a group whose writes go to others besides', () => {
  function shared(shipped: () => Promise<void>): { group: WriteGroup; log: string[] } {
    const log: string[] = [];
    const group = new WriteGroup((work) => {
      work();
      log.push('commit');
    }, shipped);
    return { group, log };
  }

  test('tells of none before it is there', async () => {
    let arrive: () => void = () => undefined;
    const { group, log } = shared(() => new Promise((resolve) => (arrive = resolve)));
    const told = group.add(() => void log.push('one')).then(() => log.push('told'));
    await nextTurn();
    await nextTurn();
    expect(log).toEqual(['one', 'commit']);
    arrive();
    await told;
    expect(log).toEqual(['one', 'commit', 'told']);
  });

  test('tells of one that is written for here when it is on the disk', async () => {
    const { group, log } = shared(() => Promise.reject(new Error('taken over')));
    await group.addHere(() => void log.push('one'));
    expect(log).toEqual(['one', 'commit']);
  });

  test('rejects all that will never be there', async () => {
    const { group } = shared(() => Promise.reject(new Error('taken over')));
    const told = await Promise.allSettled([group.add(() => undefined), group.add(() => undefined)]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
