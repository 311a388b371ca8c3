import { conceptsOf, LONGEST_NAME, looseName } from './alias-index.ts';
import { type Concept, CONCEPT_ALIASES, JOINING_WORDS } from './aliases.ts';
import {
  type PersonWord,
  personWord,
  ROLES,
  WORDS_OF_ADDRESSES,
  WORDS_OF_ANYBODY,
  WORDS_OF_NOBODY,
  WORDS_OF_THE_READER,
  WORDS_OF_WHICH,
} from '../../registration/rules/people-words.ts';
import { runsOf } from '../../registration/rules/fold-letters.ts';

/** What tells people apart: names, and where to reach them. */
export type PersonKind = 'name' | 'email' | 'phone';

/** What a heading says of a person. */
export interface HeadingPerson {
  /** Who comes, somebody else, or either; `plain` where no word speaks of anybody. */
  role: PersonWord['role'] | 'plain';
  /** The same for all columns of one person: the words for who it is, else those beside the name; none for plain names. */
  key: string;
  /** What it says of them: a name, or where to reach them. */
  concept: Concept | undefined;
  kind: PersonKind | undefined;
  /** No word beside it speaks of anything that is not known: `Sales rep e-mail` may be anybody's. */
  isClear: boolean;
  /** Of several phones or addresses of one person the greatest counts: mobile ones, then those without a word for which it is. */
  rank: number;
}

const KINDS: Partial<Record<Concept, PersonKind>> = {
  first_name: 'name',
  last_name: 'name',
  full_name: 'name',
  email: 'email',
  phone: 'phone',
  mobile: 'phone',
};
const MOST_IN_NAME = 5;
const OF_WHICH: ReadonlySet<string> = new Set(WORDS_OF_WHICH);
const OF_ADDRESSES: ReadonlySet<string> = new Set(WORDS_OF_ADDRESSES);
const [YOUR, YOU] = [new Set(WORDS_OF_THE_READER.your), new Set(WORDS_OF_THE_READER.you)];
const NOBODY: ReadonlySet<string> = new Set([...JOINING_WORDS, ...WORDS_OF_NOBODY].map(looseName));

/** A word for somebody. */
interface Word extends PersonWord {
  /** Of one word for who and what: `Teilnehmername`. */
  concept: Concept | undefined;
}

/** Whom a heading speaks of, and what it says of them: `E-mail (payer)`, `orderEmail`, `Teilnehmername`. */
export function personOf(text: string): HeadingPerson {
  const heading = text.replace(/\s#$/, ' no');
  const tokens = tokensOf(heading.slice(0, LONGEST_NAME));
  const words = tokens.map((token, at) => wordFor(token, tokens[at - 1]));
  const role = ROLES.find((one) => words.some((word) => word?.role === one)) ?? 'plain';
  const whole = conceptsOf(looseName(heading));
  const own = conceptIn(looseName(heading));
  // A ticket's name is no person's.
  if (whole.length > 0 && own === undefined)
    return { role, key: '', concept: undefined, kind: undefined, isClear: true, rank: 0 };
  const found = longestName(tokens.filter((_, at) => words[at] === undefined));
  const inWord = words.find((word) => word?.concept !== undefined)?.concept;
  const concept = inWord ?? found.concept ?? own;
  // Whatever else is said of what is the reader's own, it is of nobody else.
  const beside = own === undefined && !found.isReaders ? found.beside : [];
  const key = (role === 'plain' ? beside : keyWords(role, tokens, words)).join(' ');
  const isClear = beside.every((word) => OF_ADDRESSES.has(word) || /^\d+$/.test(word));
  return { role, key, concept, kind: concept && KINDS[concept], isClear, rank: rankOf(tokens, concept) };
}

function rankOf(tokens: readonly string[], concept: Concept | undefined): number {
  const isMobile = concept === 'mobile' || tokens.some((token) => conceptsOf(token).includes('mobile'));
  const isPlain = !tokens.some((token) => OF_WHICH.has(token) || /^\d+$/.test(token));
  return (isMobile ? 2 : 0) + (isPlain ? 1 : 0);
}

/** Who it is, with a number that stands behind: `Attendee 2 name`. */
function keyWords(
  role: Word['role'],
  tokens: readonly string[],
  words: readonly (Word | undefined)[],
): readonly string[] {
  const all = words.flatMap((word, at) => {
    if (word?.role !== role) return [];
    const next = tokens[at + 1] ?? '';
    return [/^\d+$/.test(next) ? `${word.stem} ${next}` : word.stem];
  });
  const telling = all.filter((word) => !WORDS_OF_ANYBODY.includes(word));
  return telling.length > 0 ? telling : all;
}

/** The longest run of words that is a name of what tells people apart, and the words beside it that mean anything. */
function longestName(tokens: readonly string[]): {
  concept: Concept | undefined;
  beside: readonly string[];
  isReaders: boolean;
} {
  const isKnown = (word: string): boolean => NOBODY.has(word) || conceptsOf(word).includes('mobile');
  const told = (words: readonly string[]): string[] => words.filter((word) => !isKnown(word));
  for (const { from, to } of runsOf(tokens, MOST_IN_NAME)) {
    const concept = conceptIn(tokens.slice(from, to).join(''));
    if (concept === undefined) continue;
    const beside = told([...tokens.slice(0, from), ...tokens.slice(to)]);
    const isReaders = YOUR.has(tokens[from - 1] ?? '') || tokens.some((word) => YOU.has(word));
    return { concept, beside, isReaders };
  }
  return { concept: undefined, beside: told(tokens), isReaders: false };
}

/** What a loose name says of a person; of one that is used for several things, the full name. */
function conceptIn(name: string): Concept | undefined {
  const own = conceptsOf(name).filter((concept) => KINDS[concept] !== undefined);
  return own.includes('full_name') ? 'full_name' : own[0];
}

function wordFor(token: string, before: string | undefined): Word | undefined {
  const known = personWord(token, before);
  if (known === undefined) return undefined;
  const ends = Array.from({ length: token.length - known.stem.length }, (_, at) => known.stem.length + at);
  const concepts = ends.map((at) => conceptIn(token.slice(at)));
  return { ...known, concept: concepts.find((concept) => concept !== undefined) };
}

/** Letters and digits apart, and `orderEmail` as two. */
function tokensOf(heading: string): string[] {
  const parts = heading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
  return parts.map(looseName).filter((token) => token !== '');
}

/** Headings of more words are prose: they speak of many things. */
const MOST_WORDS = 25;

/**
 * What a heading that is a question or a sentence speaks of, as `--map` takes it: `What is your first name?` speaks of
 * `first_name`. Longer names hide those within them. Only a proposal: a heading may speak of what it does not hold.
 */
export function targetsInWords(
  heading: string,
  targetsOf: (name: string) => readonly string[],
): readonly string[] {
  const words = wordsOf(heading);
  // A column of both names is not one of them, and `Persona de contacto` is none of personas.
  const isWhole = isLastNameFirst(heading) || isOfSomebody(heading);
  if (isWhole || words.length < 2 || words.length > MOST_WORDS) return [];
  const taken = new Set<number>();
  const found = new Set<string>();
  for (const { from, to } of runsOf(words, MOST_IN_NAME)) {
    const within = Array.from({ length: to - from }, (_, index) => from + index);
    if (within.some((index) => taken.has(index))) continue;
    const targets = targetsOf(words.slice(from, to).join(' '));
    for (const target of targets) found.add(target);
    if (targets.length > 0) for (const index of within) taken.add(index);
  }
  return [...found];
}

/** Whether a heading is one of full names, names both parts, or speaks of them in two words or more: `What is your full name?` */
function namesPeople(heading: string): boolean {
  const isFullName = (name: string): boolean => conceptsOf(looseName(name)).includes('full_name');
  const named = namesIn(tokensOf(heading.slice(0, LONGEST_NAME)));
  if (isFullName(heading) || BOTH_NAMES.every((name) => named.includes(name))) return true;
  const words = wordsOf(heading);
  if (words.length > MOST_WORDS) return false;
  return [...runsOf(words, MOST_IN_NAME)].some(
    ({ from, to }) => to - from > 1 && isFullName(words.slice(from, to).join(' ')),
  );
}

/** Whether a heading names last names in front of first ones, and nothing else: `Cognome e nome`, `Naam (achternaam voornaam)`. */
export function isLastNameFirst(heading: string): boolean {
  const named = namesIn(tokensOf(heading.slice(0, LONGEST_NAME)));
  // `Name` is the last one only where the whole is known for both.
  const isBoth = conceptsOf(looseName(heading)).includes('full_name');
  const last = named.findIndex((name) => name === 'last_name' || (isBoth && name === 'full_name'));
  return last >= 0 && last < named.indexOf('first_name') && !named.includes(undefined);
}

/** `What is your full name?` is one, and so is `orderName`. */
export function isOfNames(heading: string): boolean {
  const { role, concept } = personOf(heading);
  return namesPeople(heading) || isLastNameFirst(heading) || (role !== 'plain' && concept === 'full_name');
}

/** Whether a heading says of whom it is, and nothing else: `Contact person`. */
export function isOfSomebody(heading: string): boolean {
  const { role, concept, isClear } = personOf(heading);
  return role === 'unsure' && concept === undefined && isClear;
}

/** As `personOf`; of a heading that nothing else is known by, `Contact person` is their name. */
export function personWith(heading: string, isKnown: boolean): HeadingPerson {
  const person = personOf(heading);
  return isOfSomebody(heading) && !isKnown ? { ...person, concept: 'full_name', kind: 'name' } : person;
}

/** What has only the words and the number of somebody is their name: `Staff 1` beside `Staff 1 e-mail`. */
export const withBareNames = (people: readonly HeadingPerson[]): readonly HeadingPerson[] =>
  people.map((person) => {
    if (person.kind !== undefined || !/\D \d+$/.test(person.key)) return person;
    const kinds = people.flatMap(({ kind, key }) => (key === person.key ? (kind ?? []) : []));
    const isName = kinds.length > 0 && !kinds.includes('name');
    return isName ? { ...person, concept: 'full_name', kind: 'name' } : person;
  });

const BOTH_NAMES = ['last_name', 'first_name'] as const;

/** The names that words speak of, in order; undefined for a word that is none. */
function namesIn(tokens: readonly string[]): readonly (Concept | undefined)[] {
  for (const { from, to } of runsOf(tokens, MOST_IN_NAME)) {
    const concepts = conceptsOf(tokens.slice(from, to).join(''));
    const name = BOTH_NAMES.find((one) => concepts.includes(one));
    if (name !== undefined) return [...namesIn(tokens.slice(0, from)), name, ...namesIn(tokens.slice(to))];
  }
  const isNobodys = (token: string): boolean => NOBODY.has(token) || wordFor(token, undefined) !== undefined;
  return tokens.flatMap((token) => {
    if (conceptsOf(token).includes('full_name')) return ['full_name' as const];
    return isNobodys(token) ? [] : [undefined];
  });
}

/** Whether a heading is one of what stands before last names, as Dutch lists have it. */
export const isNamePrefix = (heading: string): boolean => NAME_PREFIXES.includes(looseName(heading));

const NAME_PREFIXES = ['tussenvoegsel', 'tussenvoegsels', 'voorvoegsel', 'voorvoegsels', 'namensvorsatz'];

/** Whether a heading is one of how people are addressed: its values tell of nothing else. */
export const isFormOfAddress = (heading: string): boolean => FORMS_OF_ADDRESS.includes(looseName(heading));

const TITLES = ['Title', 'Titel', 'Titre', 'Titolo', 'Título', 'Tittel', 'Tiltale'];
const FORMS_OF_ADDRESS = [...CONCEPT_ALIASES.salutation, ...TITLES].map(looseName);

const wordsOf = (heading: string): string[] => heading.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? [];
