import { type Aspect, aspectsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { type Base, type Pair, pairOf, saidDigest } from '../decide/base.ts';
import { filesPushed, sheetsPushed } from '../journal/earlier-runs.ts';
import { type Word, wordsAbout } from '../journal/told-rows.ts';
import type { Session } from '../journal/send-context.ts';
import type { ComparedRow, PlannedRow, RowsToPlan } from './rows-to-plan.ts';
import { basename } from 'node:path';
import { type Who, whoOf } from '../../report/words/who.ts';
import type { NamedBase } from '../journal/base-codec.ts';
import { BaseStore } from '../journal/base-store.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** What other files have said of registrations that the files of a push have spoken of before. */
export class OtherLists {
  readonly #context: Session;
  readonly #files: readonly string[];
  readonly #hasOthers: boolean;

  constructor(context: Session, files: readonly string[]) {
    this.#context = context;
    this.#files = files;
    const pushed = filesPushed(context.journal, context.target);
    this.#hasOthers = pushed.some((one) => String(one.files) !== String(files));
  }

  /** Of some values that other files have said last, what these files said before, by key of the aspect. */
  ownPairs(
    { registration, rowKey }: ComparedRow,
    record: RegistrationRecord,
    { base, keys, digest }: { base: Base; keys: ReadonlySet<string>; digest: (text: string) => string },
  ): ReadonlyMap<string, Pair> {
    const { journal, target } = this.#context;
    const pairs = new Map<string, Pair>();
    if (keys.size === 0 || !this.#hasOthers) return pairs;
    const { id, barcode = registration.barcode } = record;
    const words = wordsAbout(journal, target, { files: this.#files, key: rowKey, id, barcode });
    const isKnown = words.some(({ isOfFiles }) => isOfFiles);
    const isOwn = ({ isOfFiles, isAlike }: Word): boolean => (isKnown ? isOfFiles : isAlike);
    for (const aspect of aspectsOf(registration, fieldsOf(this.#context.event))) {
      if (!keys.has(aspect.key)) continue;
      const said = words.filter((word) => this.#speaksOf(aspect, word));
      const [last] = said;
      const own = said.find(isOwn)?.registration;
      if (last === undefined || own === undefined || isOwn(last)) continue;
      if (saidDigest(aspect, last.registration, digest) !== base.pairs.get(aspect.key)?.said) continue;
      pairs.set(aspect.key, pairOf(aspect, { registration: own, record: own, digest }));
    }
    return pairs;
  }

  /** What was kept or in conflict then was not said to the service. */
  #speaksOf({ key }: Aspect, { registration, verdicts }: Word): boolean {
    const verdict = verdicts?.[key];
    if (verdict === 'kept' || verdict === 'conflict') return false;
    return aspectsOf(registration, fieldsOf(this.#context.event)).some((aspect) => aspect.key === key);
  }
}

/**
 * Who stood in an earlier version of a list, is no longer in it, and is still in the service: nothing is asked for
 * them. They are those of whom nothing but earlier versions has spoken, and for whom no row stands; nobody knows where
 * rows cannot be read, or other sheets of the same workbook were pushed before.
 */
export function findNoLonger(
  context: Session,
  { files, ingested, sendable }: RowsToPlan,
  planned: readonly PlannedRow[],
  reading: ListReading | undefined,
): Who[] {
  if (reading === undefined || sendable.length < ingested.rows.length) return [];
  const { journal, target, event } = context;
  const bases = new BaseStore(journal, target, event.endDate);
  const known = bases.ofFiles().filter(({ gone, rowKey }) => !gone && rowKey !== undefined);
  if (known.length === 0) return [];
  const keys = new Set<string | undefined>(sendable.map(({ key }) => bases.nameOf('rowKey', key ?? '')));
  const stoodFor = planned.flatMap((one) => mayStandFor(one).flatMap(({ id }) => id ?? []));
  const ids = new Set<string | undefined>(stoodFor.map((id) => bases.nameOf('id', id)));
  // A row of which anything is edited has another key.
  const isHere = ({ rowKey, id }: NamedBase): boolean =>
    keys.has(rowKey) || (id !== undefined && ids.has(id));
  const pushed = filesPushed(journal, target).map((one) => ({ ...one, name: bases.filesOf(one.files) }));
  const namesakes = pushed.filter((one) => isNamesake(files, one.files));
  // What was pushed again since this list first was is another one beside it.
  const first = Math.min(...namesakes.map((one) => one.first));
  const earlier = new Set([...mostlyHere(known, isHere), ...namesakes.map(({ name }) => name)]);
  for (const one of pushed) if (one.last > first && !namesakes.includes(one)) earlier.delete(one.name);
  const missing = known.filter((base) => !isHere(base) && base.files.every((one) => earlier.has(one)));
  const theirs = new Set(missing.flatMap((base) => base.files));
  const sheets = new Set(sendable.map(({ place }) => place.sheet));
  const isParted = ({ files: one, name }: (typeof pushed)[number]): boolean => {
    const told = theirs.has(name) ? sheetsPushed(journal, target, one) : [];
    // Under another name the only sheet may have another name, too.
    return told.some((sheet) => !sheets.has(sheet)) && (told.length > 1 || isNamesake(files, one));
  };
  const parted = new Set(pushed.filter(isParted).map(({ name }) => name));
  const whole = missing.filter((base) => !base.files.some((one) => parted.has(one)));
  return whole.length === 0 ? [] : listedOf(bases, reading, whole, { planned, event });
}

/** Whom a row stands for, or may: one of those that somebody is asked about. */
const mayStandFor = ({ decision: { record, asked } }: PlannedRow): readonly RecordImage[] =>
  asked?.records ?? (record === undefined ? [] : [record]);

/** The same file may have been named by another path; what comes through a pipe has no name. */
function isNamesake(files: readonly string[], one: readonly string[]): boolean {
  const namesOf = (paths: readonly string[]): string =>
    JSON.stringify(paths.map((path) => basename(path)).toSorted());
  return !files.includes('-') && namesOf(files) === namesOf(one);
}

/** Files, as bases name them, more than half of whose people are here: whatever their name, it is the same list. */
function mostlyHere(known: readonly NamedBase[], isHere: (base: NamedBase) => boolean): string[] {
  const surplus = new Map<string, number>();
  for (const base of known)
    for (const one of base.files) surplus.set(one, (surplus.get(one) ?? 0) + (isHere(base) ? 1 : -1));
  return [...surplus].flatMap(([one, more]) => (more > 0 ? one : []));
}

/** Whom the registrations of bases are of that are listed, and that no row stands for. */
function listedOf(
  bases: BaseStore,
  { listed }: ListReading,
  missing: readonly NamedBase[],
  { planned, event }: { planned: readonly PlannedRow[]; event: Session['event'] },
): Who[] {
  const ids = new Set(missing.flatMap(({ id }) => id ?? []));
  const barcodes = new Set(missing.flatMap(({ barcode }) => barcode ?? []));
  const own = new Set(
    planned.flatMap((one) => [one.row.barcode, ...mayStandFor(one).map(({ barcode }) => barcode)]),
  );
  const fields = fieldsOf(event);
  return [...listed.numbered()].flatMap(({ record }) => {
    const { id, barcode } = record;
    const isMissing =
      barcode === undefined
        ? id !== undefined && ids.has(bases.nameOf('id', id))
        : barcodes.has(bases.nameOf('barcode', barcode)) && !own.has(barcode);
    return isMissing ? [whoOf(record, fields)] : [];
  });
}
