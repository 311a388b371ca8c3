import { type Command, Option } from 'commander';
import { z } from 'zod';
import { INPUT_FORMATS, type InputOptions } from '../input/read-input.ts';
import { COUNTRY_CODES } from '../registration/countries.ts';
import { ACCEPTABLE, type RepairOptions } from '../registration/repair-options.ts';
import { collect, globalOptions, wholeNumber } from './options.ts';

const PAD = /^(.*\S)\s*=\s*(\d{1,3})$/;

export const pushOptions = globalOptions.extend({
  files: z.array(z.string()).min(1),
  format: z.enum(INPUT_FORMATS).optional(),
  encoding: z.string().min(1).optional(),
  delimiter: z.string().min(1).optional(),
  quote: z.string().min(1).optional(),
  sheet: z.string().min(1).optional(),
  headerRow: wholeNumber(1).optional(),
  /** Undefined: ask. */
  includeHidden: z.boolean().optional(),
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
export type PushCommandOptions = z.infer<typeof pushOptions>;

/** Adds all flags of `push` to its command. */
export function addPushFlags(command: Command): Command {
  const group = (heading: string) => (flags: string, description: string, parse?: typeof collect) => {
    const option = new Option(flags, description).helpGroup(heading);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  };
  addRowFlags(group('What to send:'));
  addReadingFlags(group('How the file is written (found out unless given):'));
  addColumnFlags(group('Columns:'));
  addRepairFlags(group('Values:'));
  return command;
}

type Add = (flags: string, description: string, parse?: typeof collect) => void;

function addRowFlags(add: Add): void {
  add('--persona <slug>', 'persona of rows that name none');
  add('--dry-run', 'check everything and say what would be sent; send nothing');
  add('--invalid <what>', 'invalid rows: stop (send nothing) or skip (send the others)');
  add('--rejects <file>', 'write rejected rows there as the file is written, with their errors');
  add('--blank <what>', 'blank cells: omit (leave the field as it is) or clear (empty it)');
  add('--fresh', 'send every row, also those that were sent before');
  add('--no-check-dns', 'do not look up whether e-mail domains take mail');
}

function addReadingFlags(add: Add): void {
  add('--format <format>', `${INPUT_FORMATS.join(', ')}, whatever the content looks like`);
  add('--sheet <name>', 'sheet of a workbook, by name or number');
  add('--header-row <number>', 'line, or row of the sheet, with the names of the columns');
  add('--include-hidden', 'read hidden rows and columns as well');
  add('--no-include-hidden', 'leave hidden rows and columns out');
  add('--encoding <name>', 'utf-8, utf-16, windows-1252, windows-1250 or macintosh');
  add('--delimiter <character>', 'what separates the cells of a CSV file; tab for a tab');
  add('--quote <character>', 'what quotes cells of a CSV file; none for nothing');
}

function addColumnFlags(add: Add): void {
  add('--map <header=slug>', 'send a column as this field; repeatable', collect);
  add('--mapping <file>', 'JSON object of header to field slug');
  add('--ignore-column <header>', 'leave a column out; repeatable', collect);
  add('--companion-pattern <text>', 'headings of companions, for example "Guest {n}: {field}"');
  add('--save-mapping', 'remember --map and --ignore-column for files with the same headings');
  add('--no-saved-mapping', 'do without what is remembered');
}

function addRepairFlags(add: Add): void {
  add('--fix <what>', 'all (mend what is certain, and say so) or none');
  add('--date-order <order>', 'of dates such as 03/04/2026: dmy or mdy');
  add('--date-serials <year>', 'numbers in date columns are days since 1900 or 1904');
  add('--phone-country <code>', 'country of phone numbers without + or 00');
  add('--pad <column=digits>', 'fill up with zeros in front, for example barcode=13; repeatable', collect);
  add('--accept <damage>', `take as it is: ${ACCEPTABLE.join(', ')}; repeatable`, collect);
}

/** What the flags say about reading files. */
export function toInputOptions(options: PushCommandOptions): Omit<InputOptions, 'knows'> {
  const { format, encoding, delimiter, quote, sheet, headerRow, includeHidden, accept } = options;
  const reading = { format, encoding, delimiter, quote, sheet, headerRow, includeHidden };
  return { ...reading, accept: new Set(accept) };
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
