import { conceptsOf, looseName } from './alias-index.ts';
import { LAST_NAME_FIRST } from './aliases.ts';
import { targetName } from './column-names.ts';
import type { HeadingReader } from './heading-reader.ts';

/** Headings of more words are prose: they speak of many things. */
const MOST_WORDS = 25;
const LONGEST_NAME = 5;
const SHORTEST_NAME = 3;

/**
 * What a heading that is a question or a sentence speaks of, as `--map` takes it: `What is your first name?` speaks of
 * `first_name`. Longer names hide those within them. Only a proposal: a heading may speak of what it does not hold.
 */
export function targetsInWords(heading: string, reader: HeadingReader): readonly string[] {
  const words = wordsOf(heading);
  if (words.length < 2 || words.length > MOST_WORDS) return [];
  const taken = new Set<number>();
  const found = new Set<string>();
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const within = Array.from({ length }, (_, index) => at + index);
      if (within.some((index) => taken.has(index))) continue;
      const targets = targetsOf(words.slice(at, at + length).join(' '), reader);
      for (const target of targets) found.add(target);
      if (targets.length > 0) for (const index of within) taken.add(index);
    }
  }
  return [...found];
}

/** Whether a heading is one of full names, or speaks of them in two words or more: `What is your full name?` */
export function namesPeople(heading: string): boolean {
  const isFullName = (name: string): boolean => conceptsOf(looseName(name)).includes('full_name');
  if (isFullName(heading)) return true;
  const words = wordsOf(heading);
  if (words.length > MOST_WORDS) return false;
  return words.some((_, at) =>
    [2, 3, 4, LONGEST_NAME].some(
      (length) => at + length <= words.length && isFullName(words.slice(at, at + length).join(' ')),
    ),
  );
}

/** Whether the last name stands in front under such a heading. */
export function isLastNameFirst(heading: string): boolean {
  return LAST_FIRST.has(looseName(heading));
}

const LAST_FIRST: ReadonlySet<string> = new Set(LAST_NAME_FIRST.map(looseName));

const wordsOf = (heading: string): string[] => heading.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? [];

/** What a heading means by itself, as `--map` takes it. */
export function targetsOf(name: string, reader: HeadingReader): string[] {
  if (name.length < SHORTEST_NAME) return [];
  const { shared, byPersona } = reader.read({ name, overridden: false, ignored: false });
  const targets = [shared, ...byPersona].flatMap((reading) => reading.targets);
  return [...new Set(targets.filter(({ kind }) => kind !== 'ignored').map(targetName))];
}
