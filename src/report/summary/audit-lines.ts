import type { DocumentBody } from '../../documents/documents.ts';
import { countLine, formatCount, plural } from '../words/number.ts';
import { cut } from '../../registration/model/cut.ts';
import { visible } from '../words/escape.ts';
import type { Paint } from '../words/paint.ts';
import type { AuditResult, FieldCount } from '../views/summary-view.ts';

const FIELDS_SHOWN = 10;
const LONGEST_NAME = 60;

/** What reading back told, for people; nothing where there was nothing to read back. */
export function auditLines(audit: AuditResult | undefined, paint: Paint): string[] {
  if (audit === undefined) return [];
  if (audit.skipped !== undefined)
    return [`${paint('waiting', 'Audit:')} not done, ${visible(audit.skipped)}.`];
  const { checked, missing, unverified } = audit;
  if (checked + unverified + audit.unexpected.count + audit.gone + audit.orphaned === 0) return [];
  const found = `${formatCount(checked - missing)} of ${formatCount(checked)}`;
  const flaws = flawLines(audit);
  if (flaws.length === 0) return [`${paint('done', 'Audit:')} ${found} are in the service as sent.`];
  const name = paint('waiting', 'Audit:');
  return [checked === 0 ? name : `${name} ${found} are in the service.`, ...flaws];
}

function flawLines(audit: AuditResult): string[] {
  const { missing, doubled, unapplied, refused, gone, orphaned, unexpected, unverified } = audit;
  return [
    ...countLine(missing, 'missing: the service said that it took them, but does not list them'),
    ...countLine(doubled, 'doubled: registered more than once; nothing is deleted, their ids are above'),
    ...countLine(
      unapplied,
      'not applied: the service said that it took the change, but lists the old values',
    ),
    ...fieldsLine('stored otherwise than sent', audit.different),
    ...countLine(
      refused,
      `of these values not accepted: sent twice, and stored otherwise twice; not sent again until the file changes them`,
    ),
    ...fieldsLine('not sent, and not as before', audit.changed),
    ...fieldsLine("stored in the service's own way", audit.spelling),
    ...fieldsLine('not shown by the service', audit.hidden),
    ...countLine(gone, 'not listed any more that nothing asked to delete, named above'),
    ...countLine(orphaned, 'without the parent that they had, named above'),
    ...unexpectedLine(unexpected),
    ...countLine(unverified, 'not verified: the service shows too little to tell'),
  ];
}

function fieldsLine(what: string, counts: readonly FieldCount[]): string[] {
  if (counts.length === 0) return [];
  const shown = counts
    .slice(0, FIELDS_SHOWN)
    .map(({ field, rows }) => `${visible(cut(field, LONGEST_NAME))} (${plural(rows, 'row', 'rows')})`);
  const left = counts.length - shown.length;
  const more = left > 0 ? ` and ${plural(left, 'other field', 'other fields')}` : '';
  return [`  ${what}: ${shown.join(', ')}${more}`];
}

function unexpectedLine({ count, ids }: AuditResult['unexpected']): string[] {
  if (count === 0) return [];
  const named = ids.length === 0 ? '' : `: ${ids.map((id) => visible(cut(id, LONGEST_NAME))).join(', ')}`;
  const more = ids.length > 0 && ids.length < count ? ', …' : '';
  const have = plural(count, 'registration has', 'registrations have');
  return [`  ${have} appeared meanwhile that no row stands for${named}${more}`];
}

/** The same for programs: the same keys every time. */
export function auditRecord(audit: AuditResult | undefined): DocumentBody<'push@1'>['audit'] {
  if (audit === undefined) return null;
  return {
    checked: audit.checked,
    missing: audit.missing,
    doubled: audit.doubled,
    different: audit.different,
    not_accepted: audit.refused,
    changed: audit.changed,
    own_way: [...audit.spelling, ...audit.hidden],
    unapplied: audit.unapplied,
    gone: audit.gone,
    orphaned: audit.orphaned,
    unexpected: audit.unexpected,
    unverified: audit.unverified,
    skipped: audit.skipped ?? null,
  };
}
