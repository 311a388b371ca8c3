import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { EventregError, EXIT, GuardError, ServiceError } from '../../../src/errors.ts';
import { endingOf, JsonDocument } from '../../../src/report/records/json-document.ts';

const plain = (text: string): string => text;
const DONE = endingOf(EXIT.done, undefined, plain);

async function written(work: (document: JsonDocument) => Promise<void>): Promise<unknown> {
  const stream = new PassThrough();
  await work(new JsonDocument(stream));
  const all = await text(stream.end());
  expect(all.endsWith('}\n')).toBe(true);
  return JSON.parse(all);
}

describe('a document', () => {
  test('is a head, what there is to say, and how it ended', async () => {
    const read = await written(async (document) => {
      await document.add('logout@1', { profile: 'a', removed: true });
      await document.end(DONE);
      await document.end(DONE);
    });
    expect(read).toEqual({
      schema: 'eventreg/logout@1',
      profile: 'a',
      removed: true,
      exit: 0,
      stopped_by: null,
      error: null,
    });
  });

  test('takes lists as they come, and other keys before, between and after', async () => {
    const read = await written(async (document) => {
      await document.add('runs-undo@1', {});
      const list = document.records('runs-undo@1', 'results');
      await list.write({ result: 'kept' });
      await list.write({ result: 'deleted' });
      await list.end();
      await document.add('runs-undo@1', { undone: [] });
      await document.end(DONE);
    });
    expect(read).toMatchObject({ results: [{ result: 'kept' }, { result: 'deleted' }], undone: [], exit: 0 });
  });

  test('closes the list that an error has cut off, and has the error', async () => {
    const read = await written(async (document) => {
      await document.records('list@1', 'registrations').write({ barcode: 'A' });
      await document.end(endingOf(EXIT.failed, new ServiceError('Gone.'), plain));
    });
    expect(read).toMatchObject({ registrations: [{ barcode: 'A' }], error: { code: 'service', exit: 1 } });
  });

  test('of a command that has said nothing is the error alone', async () => {
    const read = await written((document) =>
      document.end(
        endingOf(EXIT.guarded, new GuardError('max-delete', 'Too many.', { hint: 'Less.' }), plain),
      ),
    );
    expect(read).toEqual({
      schema: 'eventreg/error@1',
      exit: 7,
      stopped_by: 'max-delete',
      error: { code: 'max-delete', message: 'Too many.', hint: 'Less.', details: [], exit: 7 },
    });
  });

  test('fails as its stream does, but for a reader that has gone', async () => {
    const full = (code: string) =>
      new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('no'), { code })) });
    const end = (code: string) => new JsonDocument(full(code)).end(DONE);
    await expect(end('ENOSPC')).rejects.toThrow(EventregError);
    await expect(end('EPIPE')).resolves.toBeUndefined();
  });
});

describe('an ending', () => {
  test('has no secrets, wherever they stand', () => {
    const error = new ServiceError('a tok', { hint: 'tok', details: ['tok b'] });
    expect(JSON.stringify(endingOf(EXIT.failed, error, (text) => text.replaceAll('tok', '-')))).not.toContain(
      'tok',
    );
  });

  test('of a defect has its stack; of Ctrl-C that was told already, its code', () => {
    expect(endingOf(EXIT.failed, new TypeError('odd'), plain).error).toMatchObject({
      code: 'defect',
      message: 'TypeError: odd',
    });
    expect(endingOf(EXIT.interrupted, undefined, plain).error).toMatchObject({
      code: 'interrupted',
      exit: 130,
    });
  });
});
