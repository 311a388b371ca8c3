import { cellText } from '../../registration/repairs/cell-text.ts';
import { foldValue } from '../../registration/repairs/meanings.ts';
import { meansNothing } from '../../registration/evidence/nothing-words.ts';
import { madeOnce } from '../../registration/model/made-once.ts';
import { WAS_COLUMN } from '../../registration/model/own-names.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';

/** Digits alone are numbers of somebody, and more people may have lost the same ones. */
const LIKE_NUMBER = /^[+-]?[\d\s]+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/;
const SHORTEST = 3;

/**
 * What the texts of a list were mended to, by heading, in files that say what stood in their cells; one that was mended
 * in two ways means neither.
 */
export async function mendedValues({
  files,
  mappings,
}: PreparedInput): Promise<Readonly<Record<string, Record<string, string>>>> {
  const shapes = mappings.findings.columnMappings() ?? [];
  if (!shapes.some(({ columns }) => columns.includes(WAS_COLUMN))) return {};
  const found = new Map<string, Map<string, [was: string, now: string][]>>();
  for (const { opened } of files) {
    for await (const { rows } of opened.batches()) {
      for (const row of rows) {
        for (const [heading, was] of wereIn(row)) {
          const now = textAt(row, heading);
          if (now === '' || now === was || was.length < SHORTEST) continue;
          if (LIKE_NUMBER.test(was) || meansNothing(was)) continue;
          const column = madeOnce(found, heading, () => new Map<string, [string, string][]>());
          madeOnce(column, foldValue(was), (): [string, string][] => []).push([was, now]);
        }
      }
    }
  }
  const agreed = (all: readonly [string, string][]): boolean => all.every(([, now]) => now === all[0]?.[1]);
  return Object.fromEntries(
    [...found].map(([heading, texts]) => [
      heading,
      Object.fromEntries([...texts.values()].filter(agreed).flatMap((all) => all.slice(0, 1))),
    ]),
  );
}

function textAt({ columns, cells }: SourceRow, heading: string): string {
  const text = cellText(cells[columns.indexOf(heading)]);
  return text.ok ? text.value : '';
}

function wereIn(row: SourceRow): [heading: string, was: string][] {
  try {
    const was: unknown = JSON.parse(textAt(row, WAS_COLUMN) || '{}');
    return Object.entries(Object(was) as object).filter(
      (one): one is [string, string] => typeof one[1] === 'string',
    );
  } catch {
    return [];
  }
}
