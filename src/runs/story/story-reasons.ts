import { THERE } from '../../registration/model/row-states.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { spellingOf } from '../judge/spelling.ts';
import type { Chapter } from './story-chapter.ts';

/**
 * Why a chapter sent what people had changed in the service, as clauses: what an earlier one had left there was
 * another value by then. `earlier`: the chapters before it, last one first.
 */
export function whyOverwritten({ view, known }: Chapter, earlier: readonly Chapter[]): string[] {
  const { op, kind, plan, changes } = view;
  if (op !== 'send' || plan !== 'update' || known.before === undefined) return [];
  if (kind !== 'push') return [`${kind.replace(/^undo of/, 'it takes back what run')} had changed`];
  const byRun = new Map<string, string[]>();
  for (const { field, before, verdict } of changes) {
    if (verdict !== undefined && verdict !== 'send') continue;
    const left = leftBy(earlier, field);
    if (left === undefined || isAlike(field, left.value, before)) continue;
    byRun.set(left.run, [...(byRun.get(left.run) ?? []), field]);
  }
  return [...byRun].map(
    ([run, fields]) =>
      `edited in the service since run ${run}: ${fields.join(', ')}; sent all the same (--overwrite)`,
  );
}

/** The run that last left a value in the service, and that value; undefined when none is known to have. */
function leftBy(
  earlier: readonly Chapter[],
  field: string,
): { run: string; value: FieldValue | undefined } | undefined {
  for (const { view, known } of earlier) {
    if (view.op === 'delete') return undefined;
    if (!THERE.has(view.state)) continue;
    const image = known.after?.fields ?? known.sent?.fields;
    if (image !== undefined && Object.hasOwn(image, field)) {
      return { run: view.run, value: plainValue(image[field]) };
    }
  }
  return undefined;
}

function isAlike(field: string, left: FieldValue | undefined, before: FieldValue | undefined): boolean {
  if (JSON.stringify(left) === JSON.stringify(before)) return true;
  return spellingOf({ field, before, after: left }) === 'spelling';
}
