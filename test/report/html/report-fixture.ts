import { RejectGroups } from '../../../src/report/views/reject-groups.ts';
import type { ReportRow, RunReport } from '../../../src/report/views/run-report.ts';

const STARTED = Date.UTC(2027, 2, 1, 8, 15);

const RESULTS: RunReport['results'] = [
  { name: 'new', tone: 'good', rows: 0 },
  { name: 'changed', tone: 'good', rows: 0 },
  { name: 'the same', tone: 'same', rows: 0 },
  { name: 'rejected', tone: 'bad', rows: 0 },
  { name: 'not known whether they arrived', tone: 'doubt', rows: 0 },
  { name: 'still to do', tone: 'open', rows: 0 },
];

/** Every sixth is new, every sixth changed and so on; companies are numbered. */
export function rowOf(n: number, more: Partial<ReportRow> = {}): ReportRow {
  const result = n % RESULTS.length;
  const isSent = result < 2;
  const at = STARTED + n * 40;
  return {
    who: '',
    place: `guests.csv:${n + 2}`,
    op: 'send',
    state: result === 3 ? 'rejected' : 'done',
    persona: 'visitor',
    barcode: `EV-${n}`,
    parentBarcode: undefined,
    registrationId: `reg-${n}`,
    enableComms: false,
    askedToWriteAt: undefined,
    plan: result === 1 ? 'update' : 'create',
    changes: result === 1 ? [{ field: 'company', before: `Old ${n} Ltd`, after: `New ${n} Ltd` }] : [],
    storedOtherwise: [],
    differences: [],
    findings: [],
    notes: [],
    reasons: [],
    message: result === 4 ? 'no answer came' : undefined,
    attempts: 1,
    steps: isSent
      ? [
          { at, what: 'sent', attempt: 1, status: undefined, requestId: `request-${n}`, detail: undefined },
          {
            at: at + 9,
            what: 'answered',
            attempt: 1,
            status: 201,
            requestId: `request-${n}`,
            detail: 'done',
          },
        ]
      : [],
    checkedAt: isSent ? at + 5000 : undefined,
    result,
    values: [],
    ...more,
  };
}

/** A report with rows, and something in every section. */
export function reportOf(rows: readonly ReportRow[], more: Partial<RunReport> = {}): RunReport {
  const groups = new RejectGroups();
  groups.add({
    place: { file: 'guests.csv', line: 5 },
    reasons: [
      {
        column: 'E-mail',
        field: 'email',
        value: 'ada.example.com',
        code: 'email-invalid',
        problem: 'has no @',
        remedy: 'write it as name@example.com',
        personal: true,
      },
    ],
  });
  return {
    run: '20270301-4f9a2c',
    kind: 'push',
    state: 'done',
    complete: true,
    dry: false,
    files: ['guests.csv'],
    event: 'Harbour Trade Fair',
    service: 'https://events.example.com/v1',
    startedAt: STARTED,
    endedAt: STARTED + 60_000,
    warnings: [],
    remarks: ['goes on from run 20270228-000000'],
    results: RESULTS.map((one, result) => ({
      ...one,
      rows: rows.filter((row) => row.result === result).length,
    })),
    problemsUnlisted: 0,
    rejects: groups.view(rows.length, () => []),
    problems: [
      { place: 'guests.csv:6', state: 'uncertain', barcode: 'EV-4', message: 'no answer came' },
      { place: 'guests.csv:12', state: 'uncertain', barcode: 'EV-10', message: 'no answer came' },
    ],
    audit: { checked: 12, stored: [{ field: 'company', rows: 1 }], changed: [], refused: [], findings: 1 },
    pace: {
      requests: 90,
      from: STARTED,
      to: STARTED + 50_000,
      line: [
        { at: STARTED + 10_000, sent: 30 },
        { at: STARTED + 40_000, sent: 31 },
        { at: STARTED + 50_000, sent: 90 },
      ],
      waits: [{ from: STARTED + 10_000, to: STARTED + 40_000 }],
      limit: { limit: 30, windowMs: 10_000 },
    },
    listed: rows.length,
    each: () => rows,
    ...more,
  };
}
