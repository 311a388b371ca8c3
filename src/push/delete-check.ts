import type { RecordImage } from '../registration/registration.ts';
import { type DeleteRow, deletions, imageOf } from './delete-rows.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import type { HeldReading } from './held.ts';
import type { RowOutcome } from './journal.ts';
import type { SendContext } from './send-context.ts';

const OPEN = ['pending', 'sending', 'uncertain', 'blocked'] as const;

/**
 * Holds what a run is about to delete against what the service lists now. What is gone is settled; what was
 * changed since it was put on the list, or has a member that stays, is kept, and says so. Returns how many are
 * kept. Of members only those are known that were read.
 */
export function keepChanged(
  { journal, run, target, clock }: Pick<SendContext, 'journal' | 'run' | 'target' | 'clock'>,
  reading: HeldReading,
): number {
  const about = { journal, run, service: target.service, now: clock.now() };
  const listed = new Set<string>();
  for (const { id } of deletions(journal, run, { states: OPEN })) listed.add(id);
  const members = strangersByParent(reading, listed);
  let kept = 0;
  for (const row of deletions(journal, run, { states: OPEN })) {
    const outcome = judge(row, reading.held.byId(row.id).map(imageOf), members);
    if (outcome === undefined) continue;
    writeDeletionOutcome(about, row, outcome, 'looked');
    if (outcome.state === 'conflict') kept += 1;
  }
  return kept;
}

/** By the barcode of their parent, one member each that is not to be deleted itself. */
function strangersByParent({ held }: HeldReading, listed: ReadonlySet<string>): Map<string, string> {
  const members = new Map<string, string>();
  for (const { id = 'without id', barcode, parentBarcode } of held.all()) {
    if (parentBarcode === undefined || parentBarcode === barcode || listed.has(id)) continue;
    members.set(parentBarcode, id);
  }
  return members;
}

/** Undefined: it is as it was, and may go. */
function judge(
  row: DeleteRow,
  [found, ...others]: readonly RecordImage[],
  members: ReadonlyMap<string, string>,
): RowOutcome | undefined {
  if (found === undefined) {
    return row.tried
      ? { state: 'deleted', message: 'is gone: the request that got no answer did it' }
      : { state: 'unchanged', message: `Registration ${row.id} was gone before it was asked for.` };
  }
  if (others.length > 0) return keep('several registrations show its id');
  if (!sameImage(found, row.before)) return keep('it was changed in the service since');
  const member = row.barcode === undefined ? undefined : members.get(row.barcode);
  return member === undefined ? undefined : keep(`its member, registration ${member}, stays`);
}

const keep = (why: string): RowOutcome => ({ state: 'conflict', message: `kept: ${why}` });

/** Whether two images say the same, in whatever order their keys come. */
export function sameImage(one: RecordImage, other: RecordImage): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : Number(a > b))))
      : inner,
  );
}
