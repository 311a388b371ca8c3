import { foldValue } from '../repairs/meanings.ts';
import { onlyValue } from '../rules/choice-rule.ts';
import { nearest } from '../rules/closest.ts';
import type { Choice } from '../model/persona.ts';
import { meansTheSame } from './synonyms.ts';

/** A meaning that a text may have, and why. */
interface Proposal {
  /** Value of an option. */
  value: string;
  why: string;
}

/** What shops add to the names of their tickets: `Standardticket`, `Student ticket`. */
const TICKET = /(?<=\p{L})[\s-]*(?:tickets?|karten?|billets?)$/iu;

/** What forms add to the names of meals: `Fischgericht`, `Vegetarisches Gericht`, `Fish dish`. */
const DISH = /(?<=\p{L})(?:e[rs]?)?[\s-]*(?:gerichte?|essen|men[uü]e?|dish|meal|option)$/iu;

/**
 * What a text that is no option most likely means: the one option that is a word for the same, or is written nearly
 * so. It only proposes; undefined when nothing does.
 */
export function proposeMeaning(text: string, choices: readonly Choice[]): Proposal | undefined {
  const same = sameOption(text, choices);
  if (same !== undefined) return { value: same, why: 'the same word' };
  const close = nearest(text, choices.flatMap(namesOf));
  const meant =
    close === undefined ? undefined : onlyValue(choices.filter((one) => namesOf(one).includes(close)));
  return meant === undefined ? undefined : { value: meant, why: 'nearly so' };
}

/** The value of the one option that a text is a word for: of `None`, where it is `keine`. */
export function sameOption(text: string, choices: readonly Choice[]): string | undefined {
  const texts = withBare(text);
  const isSame = (name: string): boolean =>
    texts.some((one) => foldValue(one) === foldValue(name) || meansTheSame(one, name));
  return onlyValue(choices.filter((one) => namesOf(one).flatMap(withBare).some(isSame)));
}

/** A text, and what is left of it without what is only added. */
function withBare(text: string): string[] {
  const bare = text.normalize('NFC').replace(TICKET, '').replace(DISH, '');
  return bare === text ? [text] : [text, bare];
}

const namesOf = ({ value, label }: Choice): string[] => [label, value];
