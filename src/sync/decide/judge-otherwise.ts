import { aspectsOf, differs, MESSAGES } from '../../registration/changes/aspect.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { type AuditFacts, judgeAudit } from './judge-audit.ts';

interface SentFirst extends Omit<AuditFacts, 'found'> {
  /** As it is listed since. */
  record: RegistrationRecord;
  /** What was sent although the row does not say it: slugs, `parent_barcode`. */
  along: ReadonlySet<string>;
}

/**
 * Where what was sent is listed otherwise than it was sent, be it empty or as it was before. A list that is late shows
 * all as it was before, which says nothing. `isClear`: no later look will tell more.
 */
export function judgeOtherwise({ record, along, ...facts }: SentFirst): {
  isClear: boolean;
  otherwise: readonly Difference[];
} {
  const finding = judgeAudit({ ...facts, found: [record] });
  const all = finding.kind === 'there' ? finding.differences : [];
  // Messages to people are never sent along.
  const said = all.filter(({ field }) => field !== MESSAGES.field);
  const otherwise = said.filter(({ field, kind }) => kind === 'stored' || along.has(field));
  const { registration, before, fields } = facts;
  const isLate =
    before !== undefined &&
    otherwise.every(({ kind }) => kind === 'stored') &&
    aspectsOf(registration, fields).every((aspect) => !differs(aspect, before, record));
  return isLate ? { isClear: otherwise.length === 0, otherwise: [] } : { isClear: true, otherwise };
}
