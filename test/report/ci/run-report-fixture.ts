import type { Reason } from '../../../src/registration/model/row.ts';
import type { CiView } from '../../../src/report/ci/told-problems.ts';
import type { RunReport } from '../../../src/report/views/run-report.ts';
import type { RowProblem } from '../../../src/report/views/summary-view.ts';

export const VIEW: CiView = { showValues: false, fileName: (file) => file };

/** A row of `lists/guests.csv` with a wrong e-mail address. */
export function rejected(line: number, reason: Partial<Reason> = {}): RowProblem {
  const place = { file: 'lists/guests.csv', line };
  const wrong: Reason = {
    code: 'email-invalid',
    column: 'E-mail',
    field: 'email',
    value: 'ada.example',
    problem: 'is not a valid e-mail address',
    remedy: 'write it as name@example.com',
    personal: true,
    ...reason,
  };
  return {
    place: `guests.csv:${line}`,
    at: place,
    state: 'rejected',
    barcode: undefined,
    message: 'E-mail: is not a valid e-mail address',
    reasons: [wrong],
  };
}

/** Of a row that the service has refused. */
export function refused(message: string): RowProblem {
  const at = { file: 'lists/guests.csv', line: 7 };
  return { place: 'guests.csv:7', at, state: 'failed', barcode: 'T-7', message };
}

export function reportOf(problems: readonly RowProblem[], more: Partial<RunReport> = {}): RunReport {
  return {
    run: '20270301-4f9a2c',
    kind: 'push',
    state: 'done',
    complete: true,
    dry: false,
    files: ['guests.csv'],
    event: 'Summer party',
    service: 'https://events.example.com/api',
    startedAt: 1000,
    endedAt: 3500,
    warnings: [],
    remarks: [],
    results: [{ name: 'new', tone: 'good', rows: 1240 }],
    problemsUnlisted: 0,
    rejects: { rejected: 0, rows: 0, reasons: 0, groups: [], each: () => [] },
    problems,
    audit: { checked: 1240, stored: [], changed: [], refused: [], findings: 0 },
    pace: undefined,
    listed: 0,
    each: () => [],
    ...more,
  };
}
