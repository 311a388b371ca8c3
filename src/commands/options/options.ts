import type { Command } from 'commander';
import * as z from 'zod';
import { type ExitCode, UsageError } from '../../errors.ts';
import { kebabOf } from '../../registration/model/option-flags.ts';
import { refuseUnknownAction } from './other-words.ts';

/** Runs a command with its parsed options. Tests hand in one that records them. */
export type Handler<Options> = (options: Options) => Promise<ExitCode>;

/** Formats of data on stdout that every command has. */
export const OUTPUTS = ['table', 'json', 'ndjson', 'csv'] as const;

/** What a copy of a live event may be called: it is the name of its folder too. */
export const cloneName = z
  .string()
  .regex(
    /^[a-z0-9][\w.-]{0,63}$/i,
    'takes a name of up to 64 letters (a to z), digits, dots, hyphens and underscores, a letter or a digit first: without accents, spaces and a dot in front',
  );

/** Options that every command takes; defined on the program, merged into each command's own. */
export const globalOptions = z.object({
  profile: z.string().optional(),
  /** True: the embedded one; a name: the copy that is called so. */
  sandbox: z.union([z.boolean(), z.literal('').transform(() => true), cloneName]).default(false),
  output: z
    .string()
    .refine((format) => format !== 'xlsx', {
      error: 'takes no xlsx: name a file, as in --to guests.xlsx',
      abort: true,
    })
    .pipe(z.enum(OUTPUTS))
    .default('table'),
  progress: z.enum(['auto', 'bar', 'text', 'none']).default('auto'),
  quiet: z.boolean().default(false),
  verbose: z.boolean().default(false),
  /** False with `--no-color`. */
  color: z.boolean().default(true),
  yes: z.boolean().default(false),
  showValues: z.boolean().default(false),
});
export type GlobalOptions = z.infer<typeof globalOptions>;

/** Parses a command's raw flags and arguments once; below this line there are no defaults. `nameOf`: how an option is typed. */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  nameOf: (option: string) => string = (option) => `--${kebabOf(option)}`,
): z.infer<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    // What is about several flags names them itself.
    issue.path.length === 0
      ? issue.message
      : `${nameOf(String(issue.path[0] ?? 'options'))}: ${describeIssue(issue)}`,
  );
  throw new UsageError(problems[0] ?? 'Wrong options.', { details: problems.slice(1) });
}

export const optionsOf = <Action extends string, Shape extends z.ZodRawShape>(
  action: Action,
  shape: Shape,
): z.ZodObject<typeof globalOptions.shape & Shape & { action: z.ZodLiteral<Action> }> =>
  z.object({ ...globalOptions.shape, ...shape, action: z.literal(action) });

/**
 * What defines the actions of a command, each by how it is typed: `show <id>`. `more` reads what else is said.
 * `first` is done when none is given.
 */
export const actionsOf =
  <Schema extends z.ZodType>(
    command: Command,
    schema: Schema,
    handle: Handler<z.infer<Schema>>,
    first: string,
  ) =>
  (usage: string, description: string, more: (sub: Command) => object = () => ({})): Command => {
    const [action] = usage.split(' ');
    const sub = command.command(usage, { isDefault: action === first }).description(description);
    if (action === first) refuseUnknownAction(command, sub);
    return parsedBy(sub, schema, handle, () => ({ action, ...more(sub) }));
  };

/** Lets a command parse what is typed, and hand it on: its words go by their names, and are called so where they are wrong. */
export function parsedBy<Schema extends z.ZodType>(
  command: Command,
  schema: Schema,
  handle: Handler<z.infer<Schema>>,
  more: () => object = () => ({}),
): Command {
  return command.action(async () => {
    const words = command.registeredArguments.map((word, at) => {
      return [word.name(), word.variadic ? command.args.slice(at) : command.args[at]] as const;
    });
    const named: object = Object.fromEntries(words);
    const nameOf = (option: string): string => (option in named ? `<${option}>` : `--${kebabOf(option)}`);
    await handle(parseOptions(schema, { ...rawOptions(command), ...named, ...more() }, nameOf));
  });
}

/** Whoever gives one of these options counts on it: tells of each where nothing would come of it. */
export function refuseUnused<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
  context: z.RefinementCtx<Options>,
  message: string,
): void {
  for (const name of names) {
    const value: unknown = options[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

/** What is wrong with a value, in our words where the library has its own. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `takes ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  return issue.message;
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      `takes a whole number ${range}`,
    )
    .refine((value) => value >= min && value <= max, `takes a whole number ${range}`);
}

/** All flags of a command, the global ones included. `--json` means `--output json`. */
export function rawOptions(command: Command): Record<string, unknown> {
  const { json, ...options } = command.optsWithGlobals<Record<string, unknown>>();
  if (json !== true) return options;
  const { output = 'json' } = options;
  if (output !== 'json') throw new UsageError(`--json and --output ${String(output)} contradict each other.`);
  return { ...options, output };
}
