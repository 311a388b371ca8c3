import type { SandboxRegistration } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/switches.ts';
import type { Model } from './model.ts';
import type { LinkedRow } from './observe.ts';
import type { FileRow, ModelFile } from './scenario.ts';
import { isSame } from './values.ts';
import type { Snapshot } from './world.ts';

export const FILE = 'guests.csv';

/** Which registrations the rows of a file are about. */
export function linkRows(
  file: ModelFile,
  world: Snapshot,
  model: Model,
  { recognise }: Pick<Switches, 'recognise'>,
): LinkedRow[] {
  const taken = new Set<string>();
  const spelt = (barcode: string): string =>
    recognise === 'barcode-any-case' ? barcode.toLowerCase() : barcode;
  return file.rows.map((row, at) => {
    const all = [...world.values()];
    const ids =
      row.barcode === ''
        ? idsWithoutBarcode(row, all, model, taken)
        : all.filter(({ barcode }) => spelt(barcode) === spelt(row.barcode)).map(({ id }) => id);
    for (const id of ids) taken.add(id);
    return { row, place: `${FILE}:${at + 2}`, ids };
  });
}

/** The one that an earlier push made or found; else somebody with the same e-mail and name. */
function idsWithoutBarcode(
  row: FileRow,
  all: readonly SandboxRegistration[],
  model: Model,
  taken: ReadonlySet<string>,
): string[] {
  const link = model.links.get(row.guest);
  if (link !== undefined && all.some(({ id }) => id === link)) return [link];
  const linked = new Set(model.links.values());
  const same = all.find(
    (one) =>
      !taken.has(one.id) && !linked.has(one.id) && one.persona === row.persona && isSamePerson(one, row),
  );
  return same === undefined ? [] : [same.id];
}

/** By all that files without barcodes say of who somebody is. */
export function isSamePerson({ fields }: SandboxRegistration, { cells }: FileRow): boolean {
  return (['first_name', 'last_name', 'email'] as const).every(
    (slug) => cells[slug] === undefined || isSame(fields[slug], cells[slug]),
  );
}
