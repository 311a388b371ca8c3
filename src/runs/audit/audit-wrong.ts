import type { Difference } from '../../registration/model/difference.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { AuditRow } from '../journal/audit-rows.ts';
import type { AuditThere } from '../judge/judge-audit.ts';

/** A row of which the service was seen to store values wrongly, by its own doing. */
export interface WrongRow {
  row: AuditRow;
  finding: AuditThere;
}

/** So soon after its answer nobody else has changed a registration. */
const SOON_MS = 60_000;

/** Whether it is the service that has stored otherwise what was sent: it says so itself, or it was seen right after. */
export function isOwnDoing(
  { answer, doneAt }: AuditRow,
  { differences }: AuditThere,
  readAt: number,
): boolean {
  const stored = storedIn(differences);
  if (stored.length === 0) return false;
  if (readAt - doneAt <= SOON_MS) return true;
  return answer !== undefined && stored.every((one) => isShownBy(answer, one));
}

function isShownBy(answer: RecordImage, { field, found }: Difference): boolean {
  if (field === 'persona') return answer.persona === found;
  if (field === 'parent_barcode') return answer.parentBarcode === found;
  if (answer.fields === undefined) return false;
  const told = Object.hasOwn(answer.fields, field) ? answer.fields[field] : undefined;
  return JSON.stringify(plainValue(told)) === JSON.stringify(found);
}

/** Whether a row is stored wrongly in just the way it was seen before. */
export function isStillWrong(one: AuditThere, other: AuditThere): boolean {
  return JSON.stringify(storedIn(one.differences)) === JSON.stringify(storedIn(other.differences));
}

/** Names of what is stored otherwise. */
export const wrongFields = ({ finding }: WrongRow): string[] =>
  storedIn(finding.differences).map(({ field }) => field);

/** The finding, once a second request has come to the same: the service does not accept these values. */
export function asRefused(finding: AuditThere): AuditThere {
  return {
    ...finding,
    differences: finding.differences.map((one) =>
      one.kind === 'stored' ? { ...one, kind: 'refused' } : one,
    ),
  };
}

const storedIn = (differences: readonly Difference[]): Difference[] =>
  differences.filter(({ kind }) => kind === 'stored');
