import * as z from 'zod';
import { cloneName, globalOptions, wholeNumber } from '../options/options.ts';
import { writtenFile } from '../options/written-file.ts';
import { KEPT } from './clone-record.ts';

/** Options of `sandbox clone`, `clones` and `mask`. */
export const rehearseOptions = globalOptions.extend({
  /** Which registrations a clone gets. */
  registrations: z.enum(KEPT).default('masked'),
  /** The most that it gets. */
  limit: wholeNumber(1).optional(),
  /** What it is called; undefined: as the event. */
  as: cloneName.optional(),
  maskBarcodes: z.boolean().default(false),
  /** Of `mask`: the list, and where it is written. */
  file: z.string().min(1).optional(),
  to: writtenFile.optional(),
});
export type RehearseOptions = z.infer<typeof rehearseOptions>;
