import { fieldOfKey } from '../../registration/changes/aspect.ts';
import type { Difference } from '../../registration/model/registration.ts';
import { PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import { describeReasons, type Reason } from '../../registration/model/row.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { nameDifferences } from '../../report/words/difference-text.ts';
import { whyConflict } from './plan-decision.ts';

/** What became of a row, as the journal has it. */
export interface Became {
  state: RowState;
  barcode: string | undefined;
  message: string | undefined;
  /** Why it is rejected. */
  reasons: readonly Reason[];
  /** What became of each value that the service holds otherwise, by key of the aspect. */
  verdicts: Readonly<Record<string, string>>;
  /** Where reading back found it otherwise than it was to be left. */
  differences: readonly Difference[];
  /** What else was found of it; messages are clauses. */
  findings: readonly { kind: FindingKind; message: string }[];
}

/** Fields of which a row has come to one of some verdicts. */
export const fieldsThatAre = (
  { verdicts }: Pick<Became, 'verdicts'>,
  ...wanted: readonly string[]
): string[] =>
  Object.entries(verdicts)
    .filter(([, verdict]) => wanted.includes(verdict))
    .map(([key]) => fieldOfKey(key));

/** What is wrong with a row, the worst first; nothing where it got through as a whole and is as it was sent. */
export function troublesOf(row: Became): (RowState | 'different')[] {
  const conflicts = fieldsThatAre(row, 'conflict').length > 0;
  return [
    ...(PROBLEMS.has(row.state) ? [row.state] : []),
    ...(conflicts && row.state !== 'conflict' ? ['conflict' as const] : []),
    ...(row.differences.length > 0 ? ['different' as const] : []),
  ];
}

/** The same for programs: codes of problems. */
export function codesOf(row: Became): string[] {
  const { state, reasons, findings } = row;
  const codes =
    state === 'rejected'
      ? reasons.map(({ code }) => code)
      : [...troublesOf(row), ...findings.map(({ kind }) => kind)];
  return [...new Set(codes)];
}

/** Of a row that no answer has come to. */
export const NO_NEWS = 'no further news';

/** And in words. Holds no values of persons. */
export function describeTrouble(row: Became): string {
  const { state, barcode, message, reasons, differences } = row;
  const told = message ?? (reasons.length > 0 ? describeReasons(reasons) : undefined);
  const whole = PROBLEMS.has(state) ? told : undefined;
  const fields = fieldsThatAre(row, 'conflict');
  const isSaid = fields.length === 0 || (state === 'conflict' && whole !== undefined);
  const parts = [
    ...(whole === undefined ? [] : [whole]),
    ...(isSaid ? [] : [whyConflict(fields, barcode)]),
    ...(differences.length === 0 ? [] : [nameDifferences(differences)]),
  ];
  return parts.length === 0 ? (message ?? NO_NEWS) : parts.join('; ');
}
