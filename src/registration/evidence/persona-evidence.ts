import type { Persona } from '../model/persona.ts';
import { personaOptions } from './choice-evidence.ts';
import type { ColumnSample, ColumnSamples } from './column-samples.ts';
import { fits } from './field-evidence.ts';
import { sameOption } from './synonyms.ts';

/**
 * First who the file is called after, then those who have fields or options for most of what the rows hold. `isOf`: whether the
 * heading of a column is a field of the persona at this place.
 */
export function rankPersonas(
  personas: readonly Persona[],
  file: string,
  columns: readonly string[],
  samples: ColumnSamples,
  isOf: (column: string, at: number) => boolean,
): Persona[] {
  const called = namedIn(file, personas);
  const filled = personas.map((persona, at) => {
    const own = columns.filter((column) => isOf(column, at) || holdsOptions(samples.of(column), persona));
    const cells = own.reduce((sum, column) => sum + samples.of(column).filled, 0);
    return { persona, cells: persona.slug === called ? Number.POSITIVE_INFINITY : cells };
  });
  return filled.sort((one, other) => other.cells - one.cells).map(({ persona }) => persona);
}

/** The one persona that the name of a file has a word for: `Speakers 2027.xlsx`. */
function namedIn(file: string, personas: readonly Persona[]): string | undefined {
  const { choices } = personaOptions(personas);
  const words = /[^/\\]*$/.exec(file)?.[0].match(/\p{L}{3,}/gu) ?? [];
  const named = words.flatMap(
    (word) => sameOption(word, choices) ?? sameOption(word.replace(/e?[ns]$/, ''), choices) ?? [],
  );
  const [only, another] = new Set(named);
  return another === undefined ? only : undefined;
}

/** Whether a column holds options of a choice that the persona has. */
const holdsOptions = (sample: ColumnSample, { fields }: Persona): boolean =>
  fields.some((field) => field.kind === 'choice' && fits(sample, field) === true);
