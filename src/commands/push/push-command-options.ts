import * as z from 'zod';
import { SETTINGS, flagOf, kebabOf } from '../../registration/model/option-flags.ts';
import { alpha2Of } from '../../registration/rules/countries.ts';
import { ACCEPTABLE } from '../../registration/repairs/repair-options.ts';
import { budgetOptions, DEFAULT_MAX_DELETE, maxDelete } from '../options/budget-options.ts';
import { eventsOption, reportOption } from '../options/written-file.ts';
import { globalOptions, wholeNumber } from '../options/options.ts';
import { readingOptions } from '../options/reading-options.ts';

/** A column and its digits: `barcode:13`. */
export const PAD = /^(.*\S)\s*:\s*(\d{1,3})$/;

/** The options of a push, each of a value that it may have, whether they were typed or come from answers and plans. */
export const pushValues = globalOptions
  .extend({ ...readingOptions, ...budgetOptions, ...eventsOption })
  .extend({
    /** May be empty with a plan, which names them, and where only doubts are settled. */
    files: z.array(z.string()).default([]),
    persona: z.string().min(1).optional(),
    map: z.array(z.string()).default([]),
    mapping: z.string().optional(),
    ignoreColumn: z.array(z.string()).default([]),
    /** What rows that look like totals are: left out, or guests. */
    totalsRows: z.enum(['left-out', 'guests']).optional(),
    /** What words for nothing are: blanks, or what they say. */
    nothing: z.enum(['blank', 'kept']).optional(),
    /** Which row is sent of people without a barcode who stand more than once. */
    samePerson: z.enum(['last', 'first', 'all']).optional(),
    /** Write there what the columns of the files are, and how they are read. */
    writeMapping: z.string().min(1).optional(),
    /** Print what every column becomes. */
    columns: z.boolean().default(false),
    /** False with `--no-saved-mapping`. */
    savedMapping: z.boolean().default(true),
    dateOrder: z.enum(['dmy', 'mdy']).optional(),
    dateSerials: z.enum(['1900', '1904']).optional(),
    hiddenTimes: z.enum(['shown', 'next']).optional(),
    phoneCountry: z
      .string()
      .refine((code) => alpha2Of(code) !== undefined, 'takes a country code, for example ES')
      .optional(),
    pad: z.array(z.string().regex(PAD, 'takes a column and its digits, for example barcode:13')).default([]),
    accept: z.array(z.enum(ACCEPTABLE)).default([]),
    /** Which rows are sent, by their values: said in this run, and for it. It is among `values`, too. */
    where: z.array(z.string()).default([]),
    /** By heading, what its values stand for; the empty text is a blank. */
    values: z.record(z.string(), z.record(z.string(), z.string())).default({}),
    /** By heading, the country of numbers without a code; `none`: all have theirs. */
    phones: z.record(z.string(), z.string()).default({}),
    /** Headings whose values are left out where the kind of guest has no such field. */
    leaveOut: z.array(z.string().min(1)).default([]),
    /** Companions of rows without a barcode get one. */
    makeBarcodes: z.boolean('takes true or false').optional(),
    blank: z.enum(['omit', 'clear']).default('omit'),
    invalid: z.enum(['stop', 'skip']).default('stop'),
    rejects: z.string().optional(),
    report: reportOption,
    /** List every row with errors. */
    allErrors: z.boolean().default(false),
    /** False with `--no-check-dns`. */
    checkDns: z.boolean().default(true),
    dryRun: z.boolean().default(false),
    /** Print what would be sent, value by value. */
    diff: z.boolean().default(false),
    /** Save the plan there; then it is a dry run. */
    planOut: z.string().min(1).optional(),
    /** Do exactly what this plan says. */
    plan: z.string().min(1).optional(),
    /** Whom a row is about that is like a registration which no row stands for: people are asked, that one, nobody. */
    match: z.enum(['barcode', 'email', 'none']).default('barcode'),
    /** The file wins over what was edited or deleted in the service. */
    overwrite: z.boolean().default(false),
    /** The service wins over what differs in the file. */
    keep: z.boolean().default(false),
    /** Only the rows with these barcodes. */
    only: z.array(z.string().min(1)).default([]),
    /** These are sent although nothing has changed. */
    again: z.boolean().default(false),
    /** Delete what the file no longer has. */
    prune: z.boolean().default(false),
    /** What `prune` may delete. */
    maxDelete: maxDelete.default(DEFAULT_MAX_DELETE),
    /** Stop when more rows than this are refused. */
    maxFailures: maxDelete.optional(),
    /** Requests that may be under way at once; as many as are of use unless given. */
    concurrency: wholeNumber(1, 64).optional(),
    /** False with `--no-audit`: what was sent is not read back. */
    audit: z.boolean().default(true),
  });
export type PushCommandOptions = z.infer<typeof pushValues>;

/** The options that are not what they are where nothing is said. */
export function saidOptions(options: PushCommandOptions): (keyof PushCommandOptions)[] {
  const untouched = pushValues.parse({});
  const names = Object.keys(options) as (keyof PushCommandOptions)[];
  return names.filter((name) => JSON.stringify(options[name]) !== JSON.stringify(untouched[name]));
}

/** Flags that say how rows are read. A plan holds them, with the answers that were given to questions. */
export const READING = [
  ...SETTINGS,
  'persona',
  'map',
  'mapping',
  'ignoreColumn',
  'writeMapping',
  'savedMapping',
  'blank',
  'invalid',
  'checkDns',
] as const satisfies (keyof PushCommandOptions)[];

/** Flags that say what is done about the rows; a plan holds them too. */
export const PLANNING = [
  'match',
  'overwrite',
  'keep',
  'only',
  'again',
  'prune',
  'maxDelete',
] as const satisfies (keyof PushCommandOptions)[];

/** Of these only what came of them is kept. */
const NOT_KEPT = ['mapping', 'writeMapping', 'savedMapping'] as const;
type NotKept = (typeof NOT_KEPT)[number];
type Kept = Exclude<(typeof READING)[number] | (typeof PLANNING)[number], NotKept>;

/** What a plan keeps: everything that decides how rows are read, and what becomes of them. */
export const plannedOptions = pushValues.pick(
  Object.fromEntries(
    [...READING, ...PLANNING]
      .filter((name) => !NOT_KEPT.includes(name as NotKept))
      .map((name) => [name, true]),
  ) as Record<Kept, true>,
);

type Name = keyof PushCommandOptions;

/** Options that are on unless a `--no-…` turns them off. */
const ON = new Set<string>(['savedMapping', 'checkDns', 'audit']);

/**
 * Everything in which flags contradict each other, a sentence each. Takes them as they were typed, before
 * any default: whoever gives a flag counts on it, also when it says what would be done anyway.
 */
function contradictions(raw: Readonly<Record<string, unknown>>): string[] {
  const given = (name: Name): boolean => isGiven(name, raw[name]);
  const each = (names: readonly Name[], sentence: (flag: string) => string): string[] =>
    names.filter(given).map((name) => sentence(typedFlag(name, raw[name])));
  const found: string[] = [];
  if (given('plan')) {
    found.push(...each(['planOut'], () => '--plan-out and --plan contradict each other.'));
    found.push(...each(['files'], () => 'A plan says which files it is for: leave them out with --plan.'));
    found.push(
      ...each([...READING, ...PLANNING], (flag) => `${flag} is part of a plan: leave it out with --plan.`),
    );
  } else if (!given('files')) {
    found.push('Name a file, - for standard input, or a plan with --plan.');
  }
  if (given('overwrite') && given('keep')) found.push('--overwrite and --keep contradict each other.');
  if (given('only') && given('prune')) {
    found.push(
      '--prune deletes what the file does not have, and --only looks at a part of it: leave one out.',
    );
  }
  if (given('diff') && !given('dryRun') && !given('planOut')) {
    found.push('--diff needs --dry-run or --plan-out.');
  }
  if (given('again') && !given('only') && !given('plan')) {
    found.push('--again sends single rows once more: name them with --only BARCODE.');
  }
  if (given('maxDelete') && !given('prune') && !given('plan')) {
    found.push('--max-delete says how much --prune may delete, and there is no --prune.');
  }
  return found;
}

function isGiven(name: Name, value: unknown): boolean {
  if (ON.has(name)) return value === false;
  if (name === 'includeHidden' || name === 'makeBarcodes') return value !== undefined;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** `--no-audit` for `audit`, as it was typed. */
function typedFlag(name: Name, value: unknown): string {
  return ON.has(name) && value === false ? `--no-${kebabOf(name)}` : flagOf(name);
}

/** What was typed as the options of a push. What contradicts itself is told together with wrong values. */
export const pushOptions = z.unknown().transform((raw, context): PushCommandOptions => {
  const parsed = pushValues.safeParse(raw);
  const contradicting = contradictions(raw as Readonly<Record<string, unknown>>);
  context.issues.push(...((parsed.error?.issues ?? []) as z.core.$ZodRawIssue[]));
  for (const message of contradicting) context.addIssue({ code: 'custom', message });
  if (!parsed.success) return z.NEVER;
  // Saving a plan is looking at it, too.
  return { ...parsed.data, dryRun: parsed.data.dryRun || parsed.data.planOut !== undefined };
});
