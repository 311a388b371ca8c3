import { cellSource, cellText, isBlank } from '../repairs/cell-text.ts';
import { type Cell, type Checked, type Reason, refuse } from '../model/row.ts';
import { looksPersonal } from '../rules/contacts.ts';
import { nearest } from '../rules/closest.ts';
import type { EventInfo, Persona } from '../model/persona.ts';

const MOST_LISTED = 10;

/** The persona of a row: the one that its cell in a column names, else the fallback, from `--persona`. */
export function readPersona(
  cell: Cell | undefined,
  event: EventInfo,
  column?: string,
  fallback?: string,
): { ok: true; persona: Persona } | { ok: false; reason: Reason } {
  const own = !isBlank(cell);
  const text = own ? cellText(cell) : { ok: true as const, value: fallback?.trim() ?? '' };
  const found = text.ok ? findPersona(text.value, event) : text;
  if (found.ok) return { ok: true, persona: found.value };
  const value = own ? cellSource(cell) : fallback;
  const about = { column: own || value === undefined ? column : undefined, field: undefined, value };
  return { ok: false, reason: { ...about, ...found.finding, personal: looksPersonal(value ?? '') } };
}

/** A persona of the event by slug, by slug ignoring case, or by name ignoring case. */
function findPersona(word: string, event: EventInfo): Checked<Persona> {
  const { personas } = event;
  if (word === '')
    return refuse('persona-unknown', 'names no persona', 'fill in the persona of the row, or give --persona');
  const exact = personas.find((persona) => persona.slug === word);
  if (exact !== undefined) return { ok: true, value: exact };
  const folded = word.toLowerCase();
  const bySlug = personas.filter((persona) => persona.slug.toLowerCase() === folded);
  const fits = bySlug.length > 0 ? bySlug : personas.filter(({ name }) => name.toLowerCase() === folded);
  const [only, another] = fits;
  if (only === undefined) return unknownPersona(word, personas);
  if (another === undefined) return { ok: true, value: only };
  return refuse(
    'persona-several',
    `fits several personas: ${listSlugs(fits)}`,
    'write the slug of one of them',
  );
}

function unknownPersona(word: string, personas: readonly Persona[]): Checked<Persona> {
  const close = nearest(word, [...personas.map(({ slug }) => slug), ...personas.map(({ name }) => name)]);
  const meant = personas.find(({ slug, name }) => slug === close || name === close);
  if (personas.length === 0)
    return refuse('persona-unknown', 'is not a persona of the event, which has none');
  const ordered = meant === undefined ? personas : [meant, ...personas.filter((one) => one !== meant)];
  return refuse(
    'persona-unknown',
    `is not a persona of the event, which has ${listSlugs(ordered)}`,
    meant === undefined ? 'write one of these' : `write ${meant.slug}`,
  );
}

function listSlugs(personas: readonly Persona[]): string {
  const shown = personas.slice(0, MOST_LISTED).map(({ slug }) => slug);
  const rest = personas.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
