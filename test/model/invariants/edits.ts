import type { LinkedRow, ObservedPush } from '../observe.ts';
import { readBody } from '../read-body.ts';
import { tellsOfNotLookedAt } from '../said.ts';
import { isSame } from '../values.ts';
import { has, wantedOf } from '../wanted.ts';
import { type Attribute, attributeOf } from '../world.ts';

/** A value that somebody else changed since it was last seen is not overwritten unasked. */
export function editsAreKept(observed: ObservedPush): string[] {
  if (has(observed, '--overwrite')) return [];
  return observed.rows.flatMap((linked) =>
    linked.ids.length !== 1
      ? []
      : [...wantedOf(linked.row, observed)].flatMap(([attribute, cell]) => {
          const lost = lostEdit(linked, attribute, cell, observed);
          return lost === undefined ? [] : [`${linked.place} ${attribute}: ${lost}`];
        }),
  );
}

function lostEdit(
  { ids: [id = ''], row }: LinkedRow,
  attribute: Attribute,
  cell: string,
  observed: ObservedPush,
): string | undefined {
  const [there, now] = [observed.world.get(id), observed.after.get(id)];
  if (there === undefined || now === undefined) return undefined;
  const [before, after] = [attributeOf(there, attribute), attributeOf(now, attribute)];
  // Fields that nobody sent are another promise.
  if (isSame(before, after) || !isSame(after, cell)) return undefined;
  const text = `${JSON.stringify(before ?? '')} became ${JSON.stringify(after ?? '')}`;
  const base = observed.model.base(id, attribute);
  if (base === undefined) {
    const asked = has(observed, '--yes') || isSame(before, '') || has(observed, '--no-compare');
    return asked ? undefined : `${text} without a base and without a yes`;
  }
  if (!base.sure || String(base.seen ?? '') === String(before ?? '')) return undefined;
  if (has(observed, '--no-compare') || !couldBeSeen(id, attribute, row.barcode, observed)) return undefined;
  const seen = JSON.stringify(base.seen ?? '');
  return isSame(base.file, cell)
    ? `${text}: an edit of somebody else (before it ${seen}) was overwritten, the file had not changed`
    : `${text}: both had changed since ${seen}, and nobody was asked`;
}

/** An edit during the push could be seen when something was listed after it and before the update was sent. */
function couldBeSeen(
  id: string,
  attribute: Attribute,
  barcode: string,
  { foreign, requests, firstRequest, world, said, switches }: ObservedPush,
): boolean {
  const edit = foreign.findLast((one) => one.id === id && one.change?.attribute === attribute);
  if (edit === undefined) return true;
  const later = requests.slice(edit.after - firstRequest);
  const own = world.get(id)?.barcode;
  const sent = later.findIndex((request) => {
    const body = readBody(request);
    return body !== undefined && (body.barcode === barcode || body.barcode === own);
  });
  if (sent < 0) return false;
  const shownFrom = edit.atMs + switches.readLagMs;
  const wasLate = (later[sent]?.at ?? 0) - shownFrom > 60_000;
  const wasListed = later.slice(0, sent).some(({ method, at }) => method === 'GET' && at >= shownFrom);
  return wasListed || (wasLate && !tellsOfNotLookedAt(said));
}
