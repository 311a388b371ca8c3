import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { visitors } from '../sync/push-bench.ts';
import { breakFirst, faultBench, firstNameOf, pushUntilSettled } from './fault-bench.ts';
import { bySilence } from './fault-matrix.ts';
import { FAULTS, type NamedFault } from './fault-table.ts';
import type { WireRequest } from '../support/tcp-fault-proxy.ts';
import { listed } from '../support/tables.ts';

const BEFORE = visitors('A:Ann', 'B/A:Bob', 'C:Cid');
const AFTER = visitors('A:Ann', 'B/A:Ben', 'C:Cid');
/** One of each sort: where the request got to, and what the answer was like. */
const KINDS: readonly string[] = listed(`
  request cut in its body | request stalled | request delivered late | request delivered twice |
  request delivered again late | reset before the answer | answer cut in its body |
  garbage in the body of the answer | 429 from a gateway | 502 from a gateway, delivered
`);
const [silent, loud] = bySilence(
  Object.fromEntries(Object.entries(FAULTS).filter(([name]) => KINDS.includes(name))),
);

/**
 * What the service holds does not tell at once whether an update got through: the old values may yet be
 * replaced. A row is only done when the service has its new values, and it is sent again when it has not.
 */
describe('an update that meets with a fault is not lost', () => {
  test.each(loud)('%s', async (_name, fault) => {
    await checkUpdate(fault);
  });
  test(`side by side: ${silent.map(([name]) => name).join(', ')}`, async () => {
    await Promise.all(silent.map(([, fault]) => checkUpdate(fault)));
  });
});

async function checkUpdate(fault: NamedFault): Promise<void> {
  const bench = await faultBench({ upsert: 'update' }, { silent: fault.silent === true });
  const file = bench.write('guests.csv', BEFORE);
  expect((await bench.push([file])).code).toBe(EXIT.done);
  bench.write('guests.csv', AFTER);
  const isUpdate = (request: WireRequest): boolean =>
    request.method === 'POST' && firstNameOf(request) === 'Ben';
  breakFirst(bench, fault, isUpdate);
  const runs = await pushUntilSettled(bench, [file], ({ code }) => code === EXIT.done);
  expect(runs.at(-1)?.code).toBe(EXIT.done);
  const kept = bench.kept().map(({ barcode, fields }) => `${barcode} ${String(fields['first_name'])}`);
  expect(kept).toEqual(['A Ann', 'B Ben', 'C Cid']);
  expect(bench.proxy.requests.filter(isUpdate)).toHaveLength(fault.landed === 0 ? 2 : 1);
}
