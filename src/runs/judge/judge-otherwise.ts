import { aspectsOf, differs, MESSAGES } from '../../registration/changes/aspect.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { type AuditFacts, judgeAudit } from './judge-audit.ts';

interface SentFirst extends Omit<AuditFacts, 'found' | 'isNeverStored'> {
  /** As it is listed since. */
  record: RegistrationRecord;
  /** What was sent although the row does not say it: slugs, `parent_barcode`. */
  along: ReadonlySet<string>;
}

/**
 * Where what was sent is listed as another value: not as it was sent, spelt otherwise, as it was before, or empty.
 * That much a list that is late may show, or a service that has no room for a field. `isClear`: no later look will tell
 * more.
 */
export function judgeOtherwise({ record, along, ...facts }: SentFirst): {
  isClear: boolean;
  otherwise: readonly Difference[];
} {
  const finding = judgeAudit({ ...facts, found: [record], isNeverStored: () => true });
  const all = finding.kind === 'there' ? finding.differences : [];
  // Messages to people are never sent along.
  const said = all.filter(({ field }) => field !== MESSAGES.field);
  const differences = said.filter(({ field, kind }) => kind === 'stored' || along.has(field));
  const { registration, before, fields } = facts;
  const old = aspectsOf(registration, fields).filter(
    (aspect) => before !== undefined && !differs(aspect, before, record),
  );
  const otherwise = differences.filter(
    ({ field, found }) => found !== undefined && old.every((aspect) => aspect.field !== field),
  );
  return { isClear: differences.length === 0 || otherwise.length > 0, otherwise };
}
