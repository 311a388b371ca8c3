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
  const spelt = (barcode: string): string =>
    recognise === 'barcode-any-case' ? barcode.toLowerCase() : barcode;
  const all = [...world.values()];
  const people = byEmail ? linkPeople(file, all, model) : new Map<FileRow, string>();
  const taken = new Set<string>();
  return file.rows.map((row, at) => {
    const known = people.get(row) ?? idOfPerson(row, all, { model, taken });
    const ids =
      row.barcode === ''
        ? [known].filter((id) => id !== undefined)
        : all.filter(({ barcode }) => spelt(barcode) === spelt(row.barcode)).map(({ id }) => id);
    for (const id of ids) taken.add(id);
    return { row, place: `${FILE}:${at + 2}`, ids };
  });
}

/** Rows whose e-mail no other row has, and one registration alone. */
function linkPeople(
  { rows }: ModelFile,
  all: readonly SandboxRegistration[],
  model: Model,
): Map<FileRow, string> {
  const links = new Set(model.links.values());
  const found = new Map<FileRow, string>();
  for (const row of rows) {
    const { email = '' } = row.cells;
    const rowsOfIt = rows.filter(({ cells }) => isSame(cells.email, email));
    const listed = all.filter(
      ({ fields, persona }) => isSame(fields['email'], email) && persona === row.persona,
    );
    const [only] = listed;
    if (email === '' || rowsOfIt.length !== 1 || listed.length !== 1 || only === undefined) continue;
    if (!links.has(only.id)) found.set(row, only.id);
  }
  return found;
}

/** The one that an earlier push made or found, unless its e-mail is another now; else somebody who is the same. */
function idOfPerson(
  row: FileRow,
  all: readonly SandboxRegistration[],
  { model, taken }: { model: Model; taken: ReadonlySet<string> },
): string | undefined {
  const link = model.links.get(row.guest);
  const linked = all.find(({ id }) => id === link);
  if (linked !== undefined && mayBeOf(linked, row)) return linked.id;
  const links = new Set(model.links.values());
  const free = all.filter(({ id, persona }) => !taken.has(id) && !links.has(id) && persona === row.persona);
  return free.find((one) => isSamePerson(one, row))?.id;
}

/** Two e-mails are two people. */
function mayBeOf({ fields }: SandboxRegistration, { cells: { email = '' } }: FileRow): boolean {
  return email === '' || fields['email'] === undefined || isSame(fields['email'], email);
}

/** By all that files without barcodes say of who somebody is. */
export function isSamePerson({ fields }: SandboxRegistration, { cells }: FileRow): boolean {
  return (['first_name', 'last_name', 'email'] as const).every(
    (slug) => (cells[slug] ?? '') === '' || isSame(fields[slug], cells[slug]),
  );
}
