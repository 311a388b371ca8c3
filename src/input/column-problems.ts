import type { ColumnTarget } from '../registration/columns.ts';
import type { Field, Persona } from '../registration/persona.ts';
import { RESERVED_NAMES, shellWord } from './column-names.ts';
import { nearest } from './nearest.ts';

/** Two columns for one target, each a sentence. `persona` is undefined for targets that all share. */
export function findClashes(
  columns: readonly string[],
  targets: readonly ColumnTarget[],
  persona: Persona | undefined,
): string[] {
  const seen = new Map<string, number>();
  const problems: string[] = [];
  for (const [at, target] of targets.entries()) {
    const name = describe(target, persona);
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, at);
    else {
      problems.push(
        `columns "${columns[first]}" and "${columns[at]}" both map to ${name}; drop one with --ignore-column ${shellWord(columns[at] ?? '')}.`,
      );
    }
  }
  return problems;
}

function describe(target: ColumnTarget, persona: Persona | undefined): string | undefined {
  if (target.kind === 'foreign' || target.kind === 'ignored') return undefined;
  if (target.kind !== 'field') return target.kind;
  return persona === undefined ? undefined : `${target.slug} of persona ${persona.slug}`;
}

/** The sentence for a column that may be any of several fields of a persona. */
export function ambiguous(column: string, slugs: readonly string[], persona: Persona): string {
  const choice = shellWord(`${column}=${slugs[0]}`);
  return `column "${column}" matches more than one field of persona ${persona.slug} (${slugs.join(', ')}); choose one with --map ${choice}.`;
}

/**
 * The sentences for columns that match nothing. Targets in `taken`, slugs and reserved names, already
 * have a column and are not proposed. All known columns are listed once, when a column is near none.
 */
export function explainUnmatched(
  unmatched: readonly string[],
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
): string[] {
  const targets = proposals(personas, taken);
  let listed = false;
  return unmatched.map((column) => {
    const start = `column "${column}" matches no field of ${listPersonas(personas)}; `;
    const drop = `rop it with --ignore-column ${shellWord(column)}.`;
    const near = nearest(column, [...targets.keys()]);
    if (near !== undefined) {
      const flag = `--map ${shellWord(`${column}=${targets.get(near)}`)}`;
      return `${start}did you mean "${near}" (${flag})? Or d${drop}`;
    }
    const known = listed ? '' : ` Known columns: ${listKnown(personas)}.`;
    listed = true;
    return `${start}choose one with --map ${shellWord(`${column}=…`)}, or d${drop}${known}`;
  });
}

/** Names that may be proposed, labels first, with what `--map` takes for them. */
function proposals(personas: readonly Persona[], taken: ReadonlySet<string>): Map<string, string> {
  const free = allFields(personas).filter((field) => !taken.has(field.slug));
  return new Map([
    ...free.map((field) => [field.label, field.slug] as const),
    ...free.map((field) => [field.slug, field.slug] as const),
    ...RESERVED_NAMES.filter((name) => !taken.has(name)).map((name) => [name, name] as const),
  ]);
}

function listKnown(personas: readonly Persona[]): string {
  const names = allFields(personas).map((field) =>
    field.label === field.slug ? field.slug : `${field.slug} ("${field.label}")`,
  );
  return [...new Set([...names, ...RESERVED_NAMES])].join(', ');
}

function allFields(personas: readonly Persona[]): Field[] {
  return personas.flatMap((persona) => persona.fields);
}

function listPersonas(personas: readonly Persona[]): string {
  const slugs = personas.map((persona) => persona.slug);
  if (slugs.length === 0) return 'any persona';
  const last = slugs.at(-1) ?? '';
  return slugs.length === 1 ? `persona ${last}` : `personas ${slugs.slice(0, -1).join(', ')} and ${last}`;
}
