import { splitChoices } from '../rules/choice-rule.ts';
import type { Choice } from '../model/persona.ts';

/** The option that a text names by value, by label, or by either in another case or spacing; only if it is one. */
export function findChoice(text: string, choices: readonly Choice[]): string | undefined {
  if (choices.some(({ value }) => value === text)) return text;
  const folded = fold(text);
  return (
    onlyValue(choices.filter(({ label }) => label === text)) ??
    onlyValue(choices.filter(({ value }) => fold(value) === folded)) ??
    onlyValue(choices.filter(({ label }) => fold(label) === folded))
  );
}

function onlyValue(choices: readonly Choice[]): string | undefined {
  const [first] = choices;
  return choices.every(({ value }) => value === first?.value) ? first?.value : undefined;
}

const fold = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();

/** The options of a text that may hold several; the text itself where its parts are none. */
export function splitNamedChoices(text: string, choices: readonly Choice[]): readonly string[] {
  if (findChoice(text, choices) !== undefined) return [text];
  const split = [splitChoices(text), text.split(',')].find(
    (parts) => parts.length > 1 && parts.every((part) => findChoice(part, choices) !== undefined),
  );
  return split ?? [text];
}
