import type { PushCommandOptions } from './push-command-options.ts';
import { OTHERS } from '../../registration/model/option-flags.ts';
import { companionColumn } from '../../input/columns/companion-columns.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { saysGone } from '../../registration/evidence/gone-words.ts';
import { namesNobody } from '../../registration/evidence/nothing-evidence.ts';
import { meansNothing } from '../../registration/evidence/nothing-words.ts';

const NONE = 'none';

/** What is said of columns, however headings are written; what is said later goes before, or is joined with the earlier. */
export function withLater<Said>(
  earlier: Readonly<Record<string, Said>>,
  later: Readonly<Record<string, Said>>,
  join: (before: Said, now: Said) => Said = (_, now) => now,
): Record<string, Said> {
  const named = new Map(Object.entries(later).map((one) => [normaliseName(one[0]), one]));
  const joint = Object.entries(earlier).map(([heading, said]) => {
    const [name, now] = named.get(normaliseName(heading)) ?? [heading];
    return [name, now === undefined ? said : join(said, now)];
  });
  return { ...later, ...Object.fromEntries(joint) };
}

/** The same a text at a time; whoever says what alone is sent has said all. */
export const withMeanings = (
  earlier: PushCommandOptions['values'],
  later: PushCommandOptions['values'],
): PushCommandOptions['values'] =>
  withLater(earlier, later, (said, now) => (now[OTHERS] === undefined ? { ...said, ...now } : now));

/** The texts of a column that mean themselves. What a word for nothing stays is no question any more, nor is a row that is sent. */
const leftIn = (column: string, meanings: Readonly<Record<string, string>>): string[] =>
  Object.entries(meanings).flatMap(([text, meaning]) => {
    const isNothing = companionColumn(column) === undefined ? meansNothing(text) : namesNobody(text);
    const isSaid = isNothing || saysGone(column, text) || OTHERS in meanings;
    return text === meaning && !isSaid ? [text] : [];
  });

/** The options as they were before anything was left open on purpose. */
export function reopened(options: PushCommandOptions): PushCommandOptions {
  const values = Object.entries(options.values).map(([column, meanings]) => {
    const left = leftIn(column, meanings);
    const said = Object.entries(meanings).filter(([text]) => !left.includes(text));
    return [column, Object.fromEntries(said)] as const;
  });
  const phones = Object.entries(options.phones).filter(([, country]) => country !== NONE);
  const makeBarcodes = options.makeBarcodes === true ? true : undefined;
  return { ...options, values: Object.fromEntries(values), phones: Object.fromEntries(phones), makeBarcodes };
}

/** Whether something was left open that could be said. */
export function isOpen({ values, phones }: PushCommandOptions): boolean {
  const left = Object.entries(values).flatMap(([column, meanings]) => leftIn(column, meanings));
  return left.length > 0 || Object.values(phones).includes(NONE);
}
