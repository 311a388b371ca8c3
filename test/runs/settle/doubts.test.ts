import { expect, test } from 'vitest';
import { type Cause, type Handle, readDoubts } from '../../../src/runs/settle/doubts.ts';
import { addStep } from '../../../src/sync/journal/steps.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';
import { openJournal, readRun } from '../journal-bench.ts';

/** The row's own name is its address: the bench has one field. */
const FIELDS = fieldsOf(event(persona('visitor', [field('first_name', 'email')])));

interface Given {
  barcode?: string;
  name?: string;
  id?: string;
  sentNo?: number;
  listedNo?: number;
  /** Step at which the audit missed it. */
  auditedNo?: number;
  match?: 'barcode' | 'email';
}

/** What is in doubt of one row. */
function doubtOf({ barcode, name, id, sentNo, listedNo, auditedNo, match = 'barcode' }: Given) {
  const journal = openJournal();
  const run = readRun(journal, [{ barcode, ...(name === undefined ? {} : { name }) }]);
  journal.run(`UPDATE row SET state = 'uncertain', remote_id = $id, sent_no = $sent, listed_no = $listed`, {
    $id: id ?? null,
    $sent: sentNo ?? null,
    $listed: listedNo ?? null,
  });
  for (let no = 1; no < 10; no += 1) {
    addStep(journal, run, 0, { at: no, what: no === auditedNo ? 'audited' : 'answered' });
  }
  const [doubt] = readDoubts(journal, run, { match, fields: FIELDS });
  return { cause: doubt?.cause, handle: doubt?.handle };
}

const A = { barcode: 'A' };

test.each<[string, Given, Cause, Handle]>([
  ['sent', { ...A, sentNo: 3 }, 'sent', 'barcode'],
  ['killed before the first step that is known', A, 'sent', 'barcode'],
  ['held before it was sent again', { ...A, sentNo: 3, listedNo: 2 }, 'sent', 'barcode'],
  [
    'held since, so that only a delete can have made it uncertain',
    { ...A, sentNo: 3, listedNo: 4 },
    'deleting',
    'barcode',
  ],
  ['held, and never sent by this run', { ...A, listedNo: 4 }, 'deleting', 'barcode'],
  ['missed by the audit', { ...A, sentNo: 3, auditedNo: 5 }, 'missing', 'barcode'],
  ['missed by the audit before it was sent again', { ...A, sentNo: 7, auditedNo: 5 }, 'sent', 'barcode'],
  ['held since the audit missed it', { ...A, sentNo: 3, auditedNo: 5, listedNo: 6 }, 'deleting', 'barcode'],
  ['sent without a barcode', { sentNo: 3 }, 'sent', undefined],
  [
    'sent again without a barcode, with the id of the first time',
    { sentNo: 3, listedNo: 2, id: 'r' },
    'sent',
    undefined,
  ],
  ['being deleted by its id', { sentNo: 3, listedNo: 4, id: 'r' }, 'deleting', 'id'],
  ['being deleted by nobody knows what', { sentNo: 3, listedNo: 4 }, 'deleting', undefined],
  ['missed by the audit, with its id', { sentNo: 3, auditedNo: 5, id: 'r' }, 'missing', 'id'],
  ['sent, and known by its address', { sentNo: 3, match: 'email' }, 'sent', 'email'],
  ['sent, and has no address to be known by', { sentNo: 3, match: 'email', name: '' }, 'sent', undefined],
  [
    'being deleted, and known by its id before its address',
    { sentNo: 3, listedNo: 4, id: 'r', match: 'email' },
    'deleting',
    'id',
  ],
  ['known by its barcode before its address', { ...A, sentNo: 3, match: 'email' }, 'sent', 'barcode'],
])('a row that was %s', (_name, given, cause, handle) => {
  expect(doubtOf(given)).toEqual({ cause, handle });
});
