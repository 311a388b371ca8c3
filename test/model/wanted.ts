import type { ObservedPush } from './observe.ts';
import type { FileRow } from './scenario.ts';
import type { Attribute } from './world.ts';

export const has = ({ push }: ObservedPush, flag: string): boolean => push.flags.includes(flag);

/** Whether blank cells empty a field. */
export function clears({ push: { flags } }: ObservedPush): boolean {
  return flags[flags.indexOf('--blank') + 1] === 'clear';
}

/** What the row wants of a registration: values, and '' where a blank cell empties. */
export function wantedOf(row: FileRow, observed: ObservedPush): Map<Attribute, string> {
  const { file } = observed.push;
  const cells: [Attribute, string][] = file.columns.map((slug) => [slug, row.cells[slug] ?? '']);
  if (file.hasParents) cells.push(['parent_barcode', row.parent]);
  return new Map(cells.filter(([, cell]) => cell !== '' || clears(observed)));
}

/** Whether a row's barcode is that of a registration, as the service tells them apart. */
export function sameBarcode(one: string, other: string, { switches }: ObservedPush): boolean {
  return switches.recognise === 'barcode-any-case'
    ? one.toLowerCase() === other.toLowerCase()
    : one === other;
}
