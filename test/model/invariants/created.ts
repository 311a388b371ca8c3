import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import { hidesRows, isToldBlind } from '../blind.ts';
import { isNamedAlike, isSamePerson, mayBeRenamed } from '../link-rows.ts';
import type { LinkedRow, ObservedPush } from '../observe.ts';
import { names } from '../said.ts';
import { isSame } from '../values.ts';
import { has, sameBarcode } from '../wanted.ts';
import { missingIn, withoutForeign } from '../world.ts';

/** Everything that is new is there because of a row that had no registration, and once. */
export function everyRowIsCreatedOnce(observed: ObservedPush): string[] {
  const { rows, world, after, said } = observed;
  const left = new Set(missingIn(world, after));
  const found: string[] = [];
  let trials = 0;
  // What is new is first that of rows that had none.
  for (const linked of [...rows].sort((one, other) => one.ids.length - other.ids.length)) {
    const own = [...left].filter((one) => isOf(one, linked, observed));
    const [first, ...more] = own;
    if (first !== undefined) left.delete(first);
    if (linked.row.barcode !== '') for (const one of more) left.delete(one);
    const isToldTrial =
      more.length === 1 && trials === 0 && more.every((one) => isTrial(one, linked, observed));
    if (isToldTrial) trials += 1;
    if (linked.row.barcode !== '' && more.length > 0 && !isToldTrial) {
      found.push(`${linked.place}: ${own.length} registrations with barcode ${linked.row.barcode} were made`);
    } else if (first !== undefined && linked.ids.length > 0 && !isTrial(first, linked, observed)) {
      found.push(`${linked.place}: doubled, ${linked.ids.join(', ')} was there already (exit ${said.code})`);
    }
  }
  for (const one of left) found.push(`a registration that no row stands for was made: ${describe(one)}`);
  return found;
}

/**
 * A service that does not know people again: told, one doubled is no more than a trial.
 * Where rows cannot be found again, it is told that nobody looked.
 */
function isTrial(made: SandboxRegistration, { place, row }: LinkedRow, observed: ObservedPush): boolean {
  const { switches, said, resumed, rows } = observed;
  // Of two of one name, somebody whose e-mail is another now may be either.
  const isAlike = (other: LinkedRow): boolean =>
    other.ids.length === 0 &&
    isNamedAlike({ ...other.row, cells: { ...other.row.cells, email: row.cells.email ?? '' } }, row);
  if (row.barcode === '' && has(observed, '--match') && rows.some(isAlike)) return true;
  if (row.barcode === '' && mayBeRenamed(row, observed)) return true;
  const isHidden = row.barcode === '' || hidesRows(observed) || resumed;
  if (isHidden && isToldBlind(observed)) return true;
  // Whose e-mail is another now is somebody new there, and nobody was to read it back.
  if (has(observed, '--no-audit') && switches.recognise.startsWith('email') && row.barcode === '')
    return true;
  const forgets = switches.upsert === 'double' || switches.recognise.startsWith('email');
  return forgets && said.code !== 0 && names(said, made, place);
}

/** What was deleted in the service stays deleted, unless somebody is asked. Without a barcode nobody can be sure. */
export function nobodyIsBroughtBack(observed: ObservedPush): string[] {
  const { rows, world, after, model } = observed;
  if (has(observed, '--overwrite') || isToldBlind(observed)) return [];
  const made = missingIn(world, after);
  const goneMeanwhile = new Set(observed.foreign.map(({ id }) => id));
  return rows.flatMap((linked) => {
    const link = model.links.get(linked.row.guest);
    if (link === undefined || !model.deletedByOthers.has(link) || goneMeanwhile.has(link)) return [];
    if (!(observed.strict ? hasNamesOf : hasBarcodeOf)(link, linked, observed)) return [];
    const back = made.find((one) => isOf(one, linked, observed));
    return back === undefined ? [] : [`${linked.place}: was deleted by others and is there again`];
  });
}

/** Under another barcode it is somebody new, as far as anybody can know. */
function hasBarcodeOf(link: string, { row }: LinkedRow, { model }: ObservedPush): boolean {
  const known = model.barcodeOf(link);
  return row.barcode !== '' && (known === undefined || row.barcode === known);
}

/** The same names, which nobody else has. */
function hasNamesOf(link: string, { row }: LinkedRow, { rows, model }: ObservedPush): boolean {
  const seen = model.lastSeen(link);
  const isUnlike = (other: LinkedRow): boolean => other.row === row || !isNamedAlike(other.row, row);
  return seen !== undefined && isSamePerson(seen, row) && rows.every(isUnlike);
}

/** A new barcode for an e-mail that is listed is a question, until it is known what the service goes by. */
export function nobodyIsTakenOverUnasked(observed: ObservedPush): string[] {
  const { rows, world, after, model, said } = observed;
  if (model.mayKnowRecognition || isToldBlind(observed)) return [];
  if (!observed.push.file.columns.includes('email')) return [];
  const made = missingIn(world, after);
  return rows.flatMap((linked) => {
    const { row, ids, place } = linked;
    if (row.barcode === '' || ids.length > 0 || (row.cells.email ?? '') === '') return [];
    const same = [...world.values()].find((one) => isSame(one.fields['email'], row.cells.email));
    const back = made.find((one) => isOf(one, linked, observed));
    if (same === undefined || back === undefined) return [];
    const told = said.code !== 0 && names(said, same, place);
    return told
      ? []
      : [`${place}: made although ${same.barcode} is listed with its e-mail (exit ${said.code})`];
  });
}

function isOf(one: SandboxRegistration, { row }: LinkedRow, observed: ObservedPush): boolean {
  if (row.barcode !== '') return sameBarcode(one.barcode, row.barcode, observed);
  const { email, first_name: first } = row.cells;
  const { persona, fields } = withoutForeign(one, observed.foreign);
  return (
    persona === row.persona &&
    isSame(fields['first_name'], first) &&
    (email === undefined || isSame(fields['email'], email))
  );
}

function describe({ id, barcode, fields }: SandboxRegistration): string {
  return `${id} ${barcode} ${JSON.stringify(fields)}`;
}
