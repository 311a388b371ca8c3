import { meansNothing } from '../../registration/evidence/nothing-words.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import { WAS_COLUMN } from '../../registration/model/own-names.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import { textOf } from '../../registration/repairs/cell-text.ts';
import { foldValue } from '../../registration/repairs/meanings.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { readJson } from '../../service/contracts/json.ts';
import type { PushCommandOptions } from './push-command-options.ts';

/** Numbers are somebody's, and more people may have lost the same digits. */
const LIKE_NUMBER = /^[+-]?[\d\s]+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/;
const SHORTEST = 3;

/**
 * What the texts of a list were mended to, in files that say what stood in their cells; one that was mended in two ways
 * means itself.
 */
export async function mendedValues({
  files,
  mappings,
}: PreparedInput): Promise<PushCommandOptions['values']> {
  const shapes = mappings.findings.columnMappings();
  if (!shapes.some(({ columns }) => columns.includes(WAS_COLUMN))) return {};
  const found = new Map<string, Map<string, string>>();
  for (const { opened } of files) {
    for await (const { rows } of opened.batches()) {
      for (const { heading, was, now } of rows.flatMap(mendsIn)) {
        const column = madeOnce(found, heading, () => new Map<string, string>());
        column.set(was, (column.get(was) ?? now) === now ? now : was);
      }
    }
  }
  return Object.fromEntries([...found].map(([heading, said]) => [heading, Object.fromEntries(said)]));
}

function mendsIn({ columns, cells }: SourceRow): { heading: string; was: string; now: string }[] {
  const textAt = (heading: string): string => textOf(cells[columns.indexOf(heading)]);
  const all = Object.entries(Object(readJson(textAt(WAS_COLUMN))) as Record<string, unknown>);
  return all.flatMap(([heading, was]) => {
    const now = textAt(heading);
    const tells =
      typeof was === 'string' && was.length >= SHORTEST && !LIKE_NUMBER.test(was) && !meansNothing(was);
    return tells && now !== '' ? [{ heading, was: foldValue(was), now }] : [];
  });
}
