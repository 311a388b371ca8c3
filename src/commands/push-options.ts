import type { Command } from 'commander';
import { z } from 'zod';
import { COUNTRY_CODES } from '../registration/countries.ts';
import { ACCEPTABLE, type RepairOptions } from '../registration/repair-options.ts';
import { collect, globalOptions } from './options.ts';
import { type AddFlag, addReadingFlags, flagGroup, readingOptions } from './reading-options.ts';

const PAD = /^(.*\S)\s*=\s*(\d{1,3})$/;

const pushShape = globalOptions.extend(readingOptions).extend({
  files: z.array(z.string()).min(1),
  persona: z.string().min(1).optional(),
  map: z.array(z.string()).default([]),
  mapping: z.string().optional(),
  ignoreColumn: z.array(z.string()).default([]),
  companionPattern: z.string().min(1).optional(),
  saveMapping: z.boolean().default(false),
  /** False with `--no-saved-mapping`. */
  savedMapping: z.boolean().default(true),
  fix: z.enum(['all', 'none']).default('all'),
  dateOrder: z.enum(['dmy', 'mdy']).optional(),
  dateSerials: z.enum(['1900', '1904']).optional(),
  phoneCountry: z.string().refine(isCountry, 'takes a country code, for example ES').optional(),
  pad: z.array(z.string().regex(PAD, 'takes a column and its digits, for example barcode=13')).default([]),
  accept: z.array(z.enum(ACCEPTABLE)).default([]),
  blank: z.enum(['omit', 'clear']).default('omit'),
  invalid: z.enum(['stop', 'skip']).default('stop'),
  rejects: z.string().optional(),
  dryRun: z.boolean().default(false),
  fresh: z.boolean().default(false),
  /** False with `--no-check-dns`. */
  checkDns: z.boolean().default(true),
});
type PushShape = z.infer<typeof pushShape>;

/** Flags that say how to mend values. */
const MENDING = ['pad', 'phoneCountry', 'dateOrder', 'dateSerials'] as const satisfies (keyof PushShape)[];

export const pushOptions = pushShape.superRefine(refuseUnusedMending);
export type PushCommandOptions = z.infer<typeof pushOptions>;

/** Adds all flags of `push` to its command. */
export function addPushFlags(command: Command): Command {
  addRowFlags(flagGroup(command, 'What to send:'));
  addReadingFlags(command);
  addColumnFlags(flagGroup(command, 'Columns:'));
  addRepairFlags(flagGroup(command, 'Values:'));
  return command;
}

/** Whoever gives such a flag counts on it, and with `--fix none` nothing would come of it. */
function refuseUnusedMending(options: PushShape, context: z.RefinementCtx<PushShape>): void {
  if (options.fix !== 'none') return;
  for (const option of MENDING) {
    const value = options[option];
    if (value === undefined || value.length === 0) continue;
    context.addIssue({
      code: 'custom',
      path: [option],
      message: 'does nothing with --fix none; leave one of the two out',
    });
  }
}

function addRowFlags(add: AddFlag): void {
  add('--persona <slug>', 'persona of rows that name none');
  add('--dry-run', 'check everything and say what would be sent; send nothing');
  add('--invalid <what>', 'invalid rows: stop (send nothing) or skip (send the others)');
  add('--rejects <file>', 'write rejected rows there as the file is written, with their errors');
  add('--blank <what>', 'blank cells: omit (leave the field as it is) or clear (empty it)');
  add('--fresh', 'send every row, also those that were sent before');
  add('--no-check-dns', 'do not look up whether e-mail domains take mail');
}

function addColumnFlags(add: AddFlag): void {
  add('--map <header=slug>', 'send a column as this field; repeatable', collect);
  add('--mapping <file>', 'JSON object of header to field slug');
  add('--ignore-column <header>', 'leave a column out; repeatable', collect);
  add('--companion-pattern <text>', 'headings of companions, for example "Guest {n}: {field}"');
  add('--save-mapping', 'remember --map and --ignore-column for files with the same headings');
  add('--no-saved-mapping', 'do without what is remembered');
}

function addRepairFlags(add: AddFlag): void {
  add('--fix <what>', 'all (mend what is certain, and say so) or none');
  add('--date-order <order>', 'of dates such as 03/04/2026: dmy or mdy');
  add('--date-serials <year>', 'numbers in date columns are days since 1900 or 1904');
  add('--phone-country <code>', 'country of phone numbers without + or 00');
  add('--pad <column=digits>', 'fill up with zeros in front, for example barcode=13; repeatable', collect);
  add('--accept <damage>', `take as it is: ${ACCEPTABLE.join(', ')}; repeatable`, collect);
}

/** What the flags say about mending values. */
export function toRepairs(options: PushCommandOptions): RepairOptions {
  return {
    fix: options.fix === 'all',
    phoneCountry: options.phoneCountry === undefined ? undefined : alpha2Of(options.phoneCountry),
    dateOrder: options.dateOrder,
    dateSerials: options.dateSerials,
    pad: new Map(options.pad.map(readPad)),
    accept: new Set(options.accept),
    decisions: new Map(),
  };
}

function readPad(text: string): [column: string, digits: number] {
  const [, column = '', digits = ''] = PAD.exec(text) ?? [];
  return [column, Number(digits)];
}

function isCountry(code: string): boolean {
  return alpha2Of(code) !== undefined;
}

function alpha2Of(code: string): string | undefined {
  const wanted = code.toUpperCase();
  return COUNTRY_CODES.find((codes) => codes.includes(wanted))?.[0];
}
