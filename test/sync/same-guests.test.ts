import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { canonicalRegistration, type Registration } from '../../src/registration/model/registration.ts';
import { pushBench } from './push-bench.ts';
import { casesOf } from '../support/night.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/same-guests/', import.meta.url));
const FILES = readdirSync(FOLDER).sort();

test('500 guests give the same registrations, byte by byte, however the file is written', async () => {
  expect(FILES).toHaveLength(17);
  const found = new Map<string, string>();
  for (const name of casesOf(FILES, 3)) {
    const bench = await pushBench();
    // The first request is refused for good: nothing is sent, and the rows stay in the journal.
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: { status: 401 } } : undefined);
    await bench.push([join(FOLDER, name)]);
    const payloads = bench.journal((journal) =>
      journal.all<{ payload: string }>('SELECT payload FROM row ORDER BY barcode'),
    );
    const canonical = payloads.map(({ payload }) =>
      canonicalRegistration(JSON.parse(payload) as Registration),
    );
    expect([name, canonical.length]).toEqual([name, 500]);
    found.set(name, canonical.join('\n'));
  }
  const [[model = '', first = ''] = [], ...others] = found;
  expect(first).toContain('"first_name":"Søren"');
  for (const [name, other] of others) {
    expect(other === first, `${name} differs from ${model}`).toBe(true);
  }
});
