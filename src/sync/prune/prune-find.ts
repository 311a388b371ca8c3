import type { MaxDelete, Share } from '../decide/delete-guard.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { deletedSince } from '../journal/delete-rows.ts';
import { holdParents, memberStays, withMembers } from '../delete/hold.ts';
import { nameOf, type Names } from '../delete/names.ts';
import type { FileRows } from './file-rows.ts';

/** What a registration that no row stands for is known by. */
interface Pruned extends Names {
  listed: Listed;
}

/** How rows are known to stand for a registration. */
export type Match = 'barcode' | 'email' | 'none';

export interface PruneOptions {
  match: Match;
  maxDelete: MaxDelete;
  /** Barcodes and addresses of rows that are left out by their values. */
  leftOut: ReadonlySet<string>;
}

/** What the service lists of the personas of some files, and no row of them stands for. */
export interface Prunable {
  /** What would be deleted. */
  going: readonly Pruned[];
  /** What stays all the same, and why. */
  kept: ReadonlyMap<Pruned, string>;
  /** How many show too little of themselves to tell whether the files have them. */
  hidden: { barcodes: number; emails: number };
  /** Of each persona in the files, how many there are, and how many would be deleted. */
  shares: readonly Share[];
}

type FinderContext = Pick<SendContext, 'journal' | 'target' | 'clock' | 'limits'>;

/** Finds what is nobody's: by barcode, by id, or by e-mail where rows are matched so. */
export function findPrunable(
  { journal, target, clock, limits }: FinderContext,
  rows: FileRows,
  reading: ListReading,
  { match, leftOut }: PruneOptions,
): Prunable {
  const { listed } = reading;
  // Some services list for a while what is deleted: it goes without another request.
  const lagging = deletedSince(journal, target, clock.now() - limits.settleMs);
  const isNobodys = (one: Listed): boolean => {
    if (one.persona === undefined || !rows.personas.has(one.persona) || rows.has(one.record)) return false;
    return !lagging.has(nameOf(one.record)) && !(match === 'email' && rows.seeks(one));
  };
  const pruned = [...listed.numbered()].filter(isNobodys).map((one): Pruned => {
    const { id, barcode } = one.record;
    return { id, barcode, listed: one };
  });
  const kept = new Map<Pruned, string>();
  for (const one of pruned) if (rows.mayBeAbout(one)) kept.set(one, 'a row of the file may be about it');
  for (const one of pruned)
    if ([one.barcode, one.listed.email].some((name) => leftOut.has(name?.toLowerCase() ?? '')))
      kept.set(one, 'a row that is left out is about it: eventreg delete removes it');
  for (const one of pruned)
    if (one.barcode !== undefined && rows.parents.has(one.barcode))
      kept.set(one, 'a row of the file names it as parent');
  const all = withMembers({ journal, target }, reading, pruned);
  holdParents(all, pruned, kept, memberStays, (member, parent) => !rows.moves(member, parent));
  const going = pruned.filter((one) => !kept.has(one));
  const hidesEmail = ({ listed: { persona, email } }: Pruned): boolean =>
    match === 'email' && email === undefined && rows.seeksIn(persona);
  return {
    going,
    kept,
    hidden: {
      barcodes: pruned.filter(({ barcode }) => barcode === undefined).length,
      emails: pruned.filter(hidesEmail).length,
    },
    shares: sharesOf(
      rows,
      reading,
      going.flatMap((one) => one.listed.persona ?? []),
    ),
  };
}

/** Of each persona in the files that is listed, how many there are, and how many go. */
function sharesOf(
  { personas }: FileRows,
  { listed }: Pick<ListReading, 'listed'>,
  going: readonly (string | undefined)[],
): Share[] {
  const there = [...listed.numbered()];
  return [...personas]
    .toSorted()
    .map((persona) => ({
      persona,
      there: there.filter((one) => one.persona === persona).length,
      going: going.filter((one) => one === persona).length,
    }))
    .filter((share) => share.there > 0);
}
