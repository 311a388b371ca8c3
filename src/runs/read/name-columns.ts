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
    const nobody = `no column gives the ${label}`;
    const splits = beside && `--map ${flagWord(`${beside.column}=${beside.as}`)}`;
    const hint =
      splits === undefined ? '' : ` If "${showName(beside?.column ?? '')}" has full names: ${splits}.`;
    warnings.push(`${nobody[0]?.toUpperCase()}${nobody.slice(1)}, so people are registered without.${hint}`);
    if (beside === undefined || mappings.isSaid(beside.column)) continue;
    const sample = samples.of(beside.column);
    // Such as "Nombre", which is as often one as the other.
    const isEither = conceptsOf(looseName(beside.column)).includes('full_name');
    if (!isEither || !areFullNames(sample, false)) continue;
    const { column, target, as, asLabel } = beside;
    const answer = (told: string, to: string) =>
      answerOf(told, 'map', `${column}=${to}`, flagWord(`${column}=${to}`));
    const [example = ''] = splitExamples(sample);
    questions.push({
      text: `"${showName(column)}" is taken for the ${asLabel}, and ${nobody}. What does it hold?`,
      details: [],
      answers: [answer(`full names: ${example}`, as), answer(`the ${asLabel} only`, target)],
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
