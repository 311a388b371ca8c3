import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { casesOf } from '../support/night.ts';
import { visitors } from '../sync/push-bench.ts';
import type { WireFault } from '../support/tcp-fault-proxy.ts';
import * as tcp from '../support/tcp-faults.ts';
import { type FaultBench, faultBench, firstNameOf, isListRead, pushUntilSettled } from './fault-bench.ts';

const GUESTS = visitors('A:Ann', 'B/A:Bob', 'C:Cid', 'D:Dan');
const BARCODES = ['A', 'B', 'C', 'D'];

/** What may happen to a read of the list. None of it says anything about what the service holds. */
const READ_FAULTS: Readonly<Record<string, WireFault>> = {
  'cut before the answer': tcp.cutAnswer(tcp.none),
  'reset before the answer': tcp.cutAnswer(tcp.none, 'reset'),
  'cut in the body': tcp.cutAnswer(tcp.inBody),
  'garbage for an answer': tcp.garbageAnswer,
  'garbage in the body': tcp.garbageInAnswer(tcp.inBody),
  'longer than it says': tcp.wrongLength(-7),
  'without its last chunk': tcp.truncatedChunks,
  twice: tcp.answerTwice,
  'a page from a gateway': tcp.answerInstead('200 OK', '<html>Please log in</html>', { delivered: false }),
  '502 from a gateway': tcp.answerInstead('502 Bad Gateway', '<html></html>', { delivered: false }),
};

/** The first request about Bob: `lost` on its way to the service, or only its answer. */
type Doubt = 'request lost' | 'answer lost';

/** Breaks the first request about Bob, and whichever reads of the list the test says, counted from 0. */
async function openBench(doubt: Doubt, breaks: (nth: number) => WireFault | undefined) {
  const bench = await faultBench({ upsert: 'double' });
  let posts = 0;
  let reads = 0;
  bench.proxy.fault = (request) => {
    if (isListRead(request)) return breaks(reads++);
    if (request.method !== 'POST' || firstNameOf(request) !== 'Bob') return undefined;
    posts += 1;
    if (posts > 1) return undefined;
    return doubt === 'request lost' ? tcp.cutRequest(tcp.inBody) : tcp.cutAnswer(tcp.none);
  };
  return { bench, file: bench.write('guests.csv', GUESTS), reads: () => reads };
}

/** What is wrong with what the service got. */
function checkService(bench: FaultBench): string[] {
  const kept = bench.kept().map(({ barcode }) => barcode);
  const posted = bench.postedBarcodes().sort();
  return [
    ...(kept.join() === BARCODES.join() ? [] : [`the service holds ${kept.join()}`]),
    ...(posted.join() === BARCODES.join() ? [] : [`the service got ${posted.join()}`]),
  ];
}

/** Kinds that come to the same once there is no read that works. */
const ALIKE = new Set(['twice', 'reset before the answer', 'longer than it says']);
const LASTING = Object.entries(READ_FAULTS).filter(([name]) => !ALIKE.has(name));

test.each(casesOf(Object.entries(READ_FAULTS), 6))(
  'with a row in doubt, one read of the list after the other fails: %s',
  async (_name, fault) => {
    const doubt = 'request lost';
    const clean = await openBench(doubt, () => undefined);
    expect((await clean.bench.push([clean.file])).code).toBe(EXIT.done);
    expect(clean.reads()).toBeGreaterThanOrEqual(1);
    const cases = Array.from({ length: clean.reads() }, async (_, broken) => {
      const { bench, file } = await openBench(doubt, (nth) => (nth === broken ? fault : undefined));
      const runs = await pushUntilSettled(bench, [file], ({ code }) => code === EXIT.done);
      const codes = runs.map(({ code }) => code);
      const wrong = [
        ...checkService(bench),
        ...(codes.at(-1) === EXIT.done ? [] : [`codes ${codes.join()}`]),
      ];
      return wrong.map((sentence) => `read ${broken}: ${sentence}`);
    });
    expect((await Promise.all(cases)).flat()).toEqual([]);
  },
);

describe.each(['request lost', 'answer lost'] as const)('with a row in doubt (%s),', (doubt) => {
  test.each(casesOf(LASTING, 2))(
    'every read of the list from the first request on: %s',
    async (_name, fault) => {
      const { bench, file } = await openBench(doubt, () =>
        bench.proxy.requests.some(({ method }) => method === 'POST') ? fault : undefined,
      );
      const broken = await bench.push([file]);
      // Nothing is guessed: the row stays in doubt, and is not sent again.
      expect(broken.code).not.toBe(EXIT.done);
      expect(broken.summary).toMatchObject({ uncertain: 1 });
      const about = bench.proxy.requests.filter(
        (request) => request.method === 'POST' && firstNameOf(request) === 'Bob',
      );
      expect(about).toHaveLength(1);
      bench.proxy.fault = () => undefined;
      expect((await bench.push([file])).code).toBe(EXIT.done);
      expect(checkService(bench)).toEqual([]);
    },
  );
});

test('a list that cannot be read after all was sent costs no row, and no second request', async () => {
  const bench = await faultBench({ upsert: 'double' });
  const file = bench.write('guests.csv', GUESTS);
  bench.proxy.fault = (request) =>
    isListRead(request) && bench.proxy.requests.some(({ method }) => method === 'POST')
      ? tcp.cutAnswer(tcp.inBody)
      : undefined;
  expect((await bench.push([file])).summary).toMatchObject({ sent: 4, uncertain: 0, pending: 0 });
  bench.proxy.fault = () => undefined;
  expect((await bench.push([file])).code).toBe(EXIT.done);
  expect(checkService(bench)).toEqual([]);
});
