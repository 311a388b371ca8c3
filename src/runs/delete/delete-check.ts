import { UNFINISHED } from '../../registration/model/row-states.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { type DeleteRow, deletions } from '../../sync/journal/delete-rows.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import { goneOutcome } from './delete-outcome.ts';
import { listedAs, nameProblem, namesakeProblem, wordForBarcodes } from './delete-name.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { stayingMembers } from './members.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/**
 * Holds what a run is about to delete against what the service lists now. What is gone is settled; what was
 * changed since it was put on the list, or has a member that stays, is kept, and says so. Returns how many are
 * kept. Of members only those are known that were read.
 */
export function keepChanged(
  context: Pick<SendContext, 'journal' | 'run' | 'target' | 'clock' | 'registrations'>,
  reading: ListReading,
): number {
  const { journal, run, target, clock, registrations } = context;
  const word = wordForBarcodes(context);
  const about = { journal, run, service: target.service, now: clock.now() };
  const chosen = new Set<string>();
  for (const { id } of deletions(journal, run, { states: UNFINISHED })) chosen.add(id);
  const members = strangersByParent(reading, chosen);
  let kept = 0;
  for (const row of deletions(journal, run, { states: UNFINISHED })) {
    const problem =
      nameProblem(registrations, word, row.before) ??
      namesakeProblem(registrations, row.before, (barcode) => reading.listed.byBarcode(barcode)) ??
      (word === 'profile' && reading.listed.byBarcode(row.barcode ?? '').length > 1
        ? 'several registrations have its barcode'
        : undefined);
    const outcome =
      problem === undefined
        ? judge(row, listedAs(reading.listed, row.before).map(imageOf), members)
        : keep(problem);
    if (outcome === undefined) continue;
    writeDeletionOutcome(about, row, outcome, 'looked');
    if (outcome.state === 'conflict') kept += 1;
  }
  return kept;
}

/** How many of what is on the list have a member that stays, as far as that was read. */
export function countParents(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  reading: ListReading,
): number {
  const rows = [...deletions(journal, run, { states: UNFINISHED })];
  const members = strangersByParent(reading, new Set(rows.map(({ id }) => id)));
  return rows.filter(({ barcode }) => barcode !== undefined && members.has(barcode)).length;
}

/** By the barcode of their parent, one member each that is not to be deleted itself. */
function strangersByParent(reading: ListReading, chosen: ReadonlySet<string>): Map<string, string> {
  const members = new Map<string, string>();
  for (const { id, barcode, parentBarcode } of stayingMembers(reading, chosen)) {
    members.set(parentBarcode, id ?? barcode ?? 'without id');
  }
  return members;
}

/** Undefined: it is as it was, and may go. */
function judge(
  row: DeleteRow,
  [found, ...others]: readonly RecordImage[],
  members: ReadonlyMap<string, string>,
): RowOutcome | undefined {
  if (found === undefined) return goneOutcome(row);
  if (others.length > 0)
    return keep(`several registrations show its ${row.before.id === undefined ? 'barcode' : 'id'}`);
  if (!sameImage(found, row.before)) return keep('it was changed in the service since');
  const member = row.barcode === undefined ? undefined : members.get(row.barcode);
  return member === undefined ? undefined : keep(`its member, registration ${member}, stays`);
}

const keep = (why: string): RowOutcome => ({ state: 'conflict', message: `kept: ${why}` });

/** Whether two images say the same, in whatever order their keys come. */
function sameImage(one: RecordImage, other: RecordImage): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : Number(a > b))))
      : inner,
  );
}
