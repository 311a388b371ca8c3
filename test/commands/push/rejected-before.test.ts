import { expect, test } from 'vitest';
import { pushValues } from '../../../src/commands/push/push-command-options.ts';
import { countRejectedBefore } from '../../../src/commands/push/push-mappings.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { PreparedInput } from '../../../src/sync/ingest/prepare.ts';
import type { RowProblem } from '../../../src/report/views/summary-view.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const INPUT = {
  mappings: { findings: { columnMappings: () => [{ columns: ['First name', 'E-mail'] }] } },
} as unknown as PreparedInput;
const PROBLEM = {
  reasons: [{ column: 'E-mail', value: 'ana at example.com', problem: 'has no @' }],
} as unknown as RowProblem;

/** What a machine of its own counts. */
const countAt = async (shared?: string): Promise<number> => {
  const paths = { config: temporaryDirectory(), state: temporaryDirectory(), ...(shared && { shared }) };
  return await countRejectedBefore(
    [PROBLEM],
    INPUT,
    { service: 'https://events.example.com', event: '7' },
    { options: pushValues.parse({}), runtime: { paths } as Runtime },
  );
};

test('What any of the machines that share their state has rejected counts, and of no other', async () => {
  const shared = temporaryDirectory();
  expect([await countAt(shared), await countAt(shared), await countAt()]).toEqual([0, 1, 0]);
});
