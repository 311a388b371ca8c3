import type { Persona } from '../../registration/model/persona.ts';
import { type Answer, answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import { allFields, listPersonas, nearestProposal, prefixOf, proposals } from './column-proposals.ts';
import { companionColumn } from './companion-columns.ts';
import type { CompanionName } from './companion-pattern.ts';
import { flagWord, showName } from './show-cells.ts';

/** Asks what a column holds. `taken` and the column are of the problems that `mapColumns` returned. */
export function columnQuestion(
  column: string,
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
  file: string,
): ChoiceQuestion {
  const companion = companionColumn(column);
  const free = proposals(personas, taken, companion);
  const near = nearestProposal(column, companion, free)?.target;
  const others = free.map(({ target }) => target).filter((target) => target !== near);
  const labels = labelsOf(personas, companion);
  const toAnswer = (target: string): Answer => {
    const value = `${column}=${target}`;
    return answerOf(labels.get(target) ?? target, 'map', value, flagWord(value));
  };
  return {
    text: `${file}: column "${showName(column)}" matches no field of ${listPersonas(personas)}. What is in it?`,
    details: [],
    answers: [
      ...(near === undefined ? [] : [toAnswer(near)]),
      // Likelier than any field when none is near: whoever just presses Enter sends nothing wrong.
      answerOf('leave it out', 'ignoreColumn', column, flagWord(column)),
      ...[...new Set(others)].map(toAnswer),
    ],
  };
}

/** What people see, by what `--map` takes. */
function labelsOf(
  personas: readonly Persona[],
  companion: CompanionName | undefined,
): ReadonlyMap<string, string> {
  const prefix = prefixOf(companion);
  return new Map(
    allFields(personas)
      .filter(({ label, slug }) => label !== '' && label !== slug)
      .map(({ label, slug }) => [`${prefix}${slug}`, `${prefix}${label}`]),
  );
}
