import { conceptsOf } from '../../input/columns/alias-index.ts';
import { partsOf, targetName } from '../../input/columns/column-names.ts';
import { fullNames } from '../../input/columns/column-proposals.ts';
import { flagWord, showName } from '../../input/columns/show-cells.ts';
import { looseName } from '../../input/columns/loose-name.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { areFullNames, splitExamples } from '../../registration/evidence/name-evidence.ts';
import type { Persona } from '../../registration/model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import type { MappingCache } from './mapping-cache.ts';

/** A field of names that no column fills. */
interface MissingName {
  label: string;
  /** The column that fills the other one, and what it would be as one of full names. */
  beside: { column: string; target: string; as: string; asLabel: string } | undefined;
}

/** What there is to say of files that leave people without a first or a last name. */
export function tellOfNames(
  mappings: MappingCache,
  samples: ColumnSamples,
): { warnings: readonly string[]; questions: readonly ChoiceQuestion[] } {
  const missing = new Map(findMissing(mappings).map((one) => [one.label, one]));
  const questions: ChoiceQuestion[] = [];
  const warnings: string[] = [];
  for (const { label, beside } of missing.values()) {
    const nobody = `o column gives the ${label}`;
    const sample = samples.of(beside?.column ?? '');
    if (beside === undefined || !areFullNames(sample, false)) {
      warnings.push(`N${nobody}, so people are registered without it.`);
      continue;
    }
    const { column, target, as, asLabel } = beside;
    const answer = (told: string, to: string) =>
      answerOf(told, 'map', `${column}=${to}`, flagWord(`${column}=${to}`));
    const [example = ''] = splitExamples(sample);
    const split = answer(`full names: ${example}`, as);
    const hint = `If "${showName(column)}" has full names: ${split.flag}.`;
    warnings.push(`N${nobody}, so people are registered without it. ${hint}`);
    // Such as "Nombre", which is as often one as the other.
    if (mappings.isSaid(column) || !conceptsOf(looseName(column)).includes('full_name')) continue;
    questions.push({
      text: `"${showName(column)}" is taken for the ${asLabel}, and n${nobody}. What does it hold?`,
      details: [],
      answers: [split, answer(`the ${asLabel} only`, target)],
    });
  }
  return { warnings, questions };
}

/** Of files that name people by a barcode alone nothing is missing: they change what is there. */
function findMissing(mappings: MappingCache): MissingName[] {
  const filled = new Map<string, string>();
  const personas = new Set<Persona>();
  let hasBarcodes = false;
  for (const mapping of mappings.findings.columnMappings() ?? []) {
    for (const persona of mappings.personasOf(mapping)) {
      personas.add(persona);
      for (const [at, target] of mapping.targetsFor(persona).entries()) {
        hasBarcodes ||= target.kind === 'barcode';
        if (target.kind !== 'field') continue;
        const parts = partsOf(targetName(target));
        for (const part of parts) filled.set(`${persona.slug} ${part}`, mapping.columns[at] ?? '');
      }
    }
  }
  return [...personas].flatMap((persona) => {
    const [as] = fullNames([persona], undefined).keys();
    if (as === undefined) return [];
    const both = partsOf(as);
    const open = both.filter((slug) => !filled.has(`${persona.slug} ${slug}`));
    if (open.length === both.length && hasBarcodes) return [];
    const labelOf = (slug: string): string =>
      persona.fields.find((field) => field.slug === slug)?.label || slug;
    return open.map((slug): MissingName => {
      const target = both.find((other) => other !== slug) ?? '';
      const column = filled.get(`${persona.slug} ${target}`);
      const beside = column === undefined ? undefined : { column, target, as, asLabel: labelOf(target) };
      return { label: labelOf(slug), beside };
    });
  });
}
