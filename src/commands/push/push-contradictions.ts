import * as z from 'zod';
import { flagOf, kebabOf } from '../../registration/model/option-flags.ts';
import { PLANNING, type PushCommandOptions, pushValues, READING } from './push-command-options.ts';

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
