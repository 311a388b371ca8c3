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
  { recognise, byEmail }: Pick<Switches, 'recognise'> & { byEmail: boolean },
): LinkedRow[] {
  const taken = new Set<string>();
  const spelt = (barcode: string): string =>
    recognise === 'barcode-any-case' ? barcode.toLowerCase() : barcode;
  return file.rows.map((row, at) => {
    const all = [...world.values()];
    const ids =
      row.barcode === ''
        ? idsWithoutBarcode(row, all, { model, taken, byEmail })
        : all.filter(({ barcode }) => spelt(barcode) === spelt(row.barcode)).map(({ id }) => id);
    for (const id of ids) taken.add(id);
    return { row, place: `${FILE}:${at + 2}`, ids };
  });
}

/** The one that an earlier push made or found, unless its e-mail is another now; else somebody who is the same. */
function idsWithoutBarcode(
  row: FileRow,
  all: readonly SandboxRegistration[],
  { model, taken, byEmail }: { model: Model; taken: ReadonlySet<string>; byEmail: boolean },
): string[] {
  const link = model.links.get(row.guest);
  const linked = all.find(({ id }) => id === link);
  if (linked !== undefined && mayBeOf(linked, row)) return [linked.id];
  const links = new Set(model.links.values());
  const free = all.filter(({ id, persona }) => !taken.has(id) && !links.has(id) && persona === row.persona);
  const sameEmail = free.filter(({ fields }) => isSame(fields['email'], row.cells.email));
  if (byEmail && row.cells.email !== '' && sameEmail.length === 1) return sameEmail.map(({ id }) => id);
  const same = free.find((one) => isSamePerson(one, row));
  return same === undefined ? [] : [same.id];
}

/** Two e-mails are two people. */
function mayBeOf({ fields }: SandboxRegistration, { cells: { email = '' } }: FileRow): boolean {
  return email === '' || fields['email'] === undefined || isSame(fields['email'], email);
}

/** By all that files without barcodes say of who somebody is. */
export function isSamePerson({ fields }: SandboxRegistration, { cells }: FileRow): boolean {
  return (['first_name', 'last_name', 'email'] as const).every(
    (slug) => cells[slug] === undefined || isSame(fields[slug], cells[slug]),
  );
}
