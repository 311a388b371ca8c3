import { aspectsOf, differs, MESSAGES, PARENT } from '../../registration/changes/aspect.ts';
import { changesTo } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { type AuditFacts, judgeAudit } from './judge-audit.ts';
import { spellingOfAll } from './spelling.ts';

/** What went alone before the others of its kind, and what is listed of it since. */
export interface FirstFacts extends AuditFacts {
  outcome: { state: RowState; remoteId?: string | undefined };
  /** What is looked at although the row does not say it: slugs, `parent_barcode`. */
  watched: ReadonlySet<string>;
}

/** What became of it. */
export type FirstVerdict =
  | { kind: 'as expected' }
  /** Listed otherwise than it was sent, or than it was before where that was sent back. */
  | { kind: 'otherwise'; differences: readonly Difference[] }
  /** There is another one beside it now. */
  | { kind: 'doubled' }
  /** All is as before: the list may be late, or the service ignores it. `fields`: what was to change. */
  | { kind: 'as before'; fields: readonly string[]; isLate: boolean }
  /** It is not listed yet. */
  | { kind: 'not there' }
  /** Nothing can be seen of what it changes. */
  | { kind: 'cannot say' };

/** Judges what is listed of the first of a kind after it was sent. */
export function judgeFirst(facts: FirstFacts): FirstVerdict {
  const { found, before, outcome, watched } = facts;
  const [record, another] = found;
  if (record === undefined) return { kind: 'not there' };
  if (another !== undefined) return before === undefined ? { kind: 'not there' } : { kind: 'doubled' };
  if (record.fields === undefined) {
    const isKnown = before?.id !== undefined && outcome.remoteId === before.id;
    return { kind: isKnown || before === undefined ? 'cannot say' : 'not there' };
  }
  const finding = judgeAudit(facts);
  const all = finding.kind === 'there' ? finding.differences : [];
  // Messages to people are never sent along.
  const differences = all.filter(
    ({ field, kind }) => field !== MESSAGES.field && (kind === 'stored' || watched.has(field)),
  );
  const isOnlyStored = differences.every(({ kind }) => kind === 'stored');
  if (before !== undefined && isOnlyStored && isAsBefore(facts, before, record)) {
    const fields = visibleChanges(facts, before);
    const isLate = differences.length > 0;
    return fields.length === 0 && !isLate ? { kind: 'cannot say' } : { kind: 'as before', fields, isLate };
  }
  return differences.length === 0 ? { kind: 'as expected' } : { kind: 'otherwise', differences };
}

function isAsBefore({ registration, fields }: FirstFacts, before: RecordImage, record: RecordImage): boolean {
  return aspectsOf(registration, fields).every((aspect) => !differs(aspect, before, record));
}

/** What was to change, unless the service may just write all of it its own way. */
function visibleChanges({ registration, fields, parentsShown }: FirstFacts, before: RecordImage): string[] {
  const wanted = (changesTo(registration, before, fields) ?? []).filter(
    ({ field }) => parentsShown || field !== PARENT.field,
  );
  return spellingOfAll(wanted) === 'spelling' ? [] : wanted.map(({ field }) => field);
}
