import type { Persona } from '../model/persona.ts';
import { personaOptions } from './choice-evidence.ts';
import type { ColumnSample } from './column-samples.ts';
import { fits } from './field-evidence.ts';
import { sameOption } from './synonyms.ts';

/** The one persona that the name of a file has a word for: `Speakers 2027.xlsx`. */
export function personaNamedIn(file: string, personas: readonly Persona[]): string | undefined {
  const { choices } = personaOptions(personas);
  const words = /[^/\\]*$/.exec(file)?.[0].match(/\p{L}{3,}/gu) ?? [];
  const named = words.flatMap(
    (word) => sameOption(word, choices) ?? sameOption(word.replace(/e?[ns]$/, ''), choices) ?? [],
  );
  const [only, another] = new Set(named);
  return another === undefined ? only : undefined;
}

/** Whether a column holds options of a choice that the persona has. */
export const holdsOptions = (sample: ColumnSample, { fields }: Persona): boolean =>
  fields.some((field) => field.kind === 'choice' && fits(sample, field) === true);
