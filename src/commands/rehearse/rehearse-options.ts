import * as z from 'zod';
import { cloneName, globalOptions, wholeNumber } from '../options/options.ts';
import { isReservedName, RESERVED } from '../options/reserved-name.ts';
import { writtenFile } from '../options/written-file.ts';
import { KEPT } from './clone-record.ts';

/** Wherever it runs: a clone is a folder, which may be copied to another machine. */
export const isReserved = (name: string): boolean => isReservedName(name, 'win32');

/** Options of `sandbox clone`, `clones` and `mask`. */
export const rehearseOptions = globalOptions.extend({
  /** Which registrations a clone gets. */
  registrations: z.enum(KEPT).default('masked'),
  /** The most that it gets. */
  limit: wholeNumber(1).optional(),
  /** What it is called; undefined: as the event. */
  as: cloneName.refine((name) => !isReserved(name), RESERVED).optional(),
  maskBarcodes: z.boolean().default(false),
  /** Of `mask`: the list, and where it is written. */
  file: z.string().min(1).optional(),
  to: writtenFile.optional(),
});
export type RehearseOptions = z.infer<typeof rehearseOptions>;
