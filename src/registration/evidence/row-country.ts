import { cellText } from '../repairs/cell-text.ts';
import type { ColumnMapping } from '../model/columns.ts';
import { alpha2Of } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import type { Persona } from '../model/persona.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import type { SourceRow } from '../model/row.ts';

/** The repairs of one row: where it names a country itself, its national numbers are of that one. */
export function repairsOfRow(
  row: SourceRow,
  mapping: ColumnMapping,
  personas: readonly Persona[],
  repairs: RepairOptions,
): RepairOptions {
  if (repairs.phones === undefined && repairs.phonesOf.size === 0) return repairs;
  const country = countryOfRow(row, mapping, personas);
  return country === undefined ? repairs : { ...repairs, rowCountry: country };
}

/** Alpha-2 code of the one country that a row names, whichever of the personas it is of. */
export function countryOfRow(
  row: SourceRow,
  mapping: ColumnMapping,
  personas: readonly Persona[],
): string | undefined {
  const named = new Set(personas.flatMap((persona) => countriesOf(row, mapping, persona)));
  const [country] = named;
  return named.size > 1 ? undefined : country;
}

/** Alpha-2 codes of the countries that a row of a persona names; those of companions are not its own. */
function countriesOf(row: SourceRow, mapping: ColumnMapping, persona: Persona): string[] {
  const slugs = new Set(persona.fields.filter(({ kind }) => kind === 'country').map(({ slug }) => slug));
  return mapping.targetsFor(persona).flatMap((target, index) => {
    if (target.kind !== 'field' || !slugs.has(target.slug)) return [];
    const text = cellText(row.cells[index]);
    if (!text.ok) return [];
    const name = text.value.trim();
    return alpha2Of(name) ?? countryCodeOf(name) ?? [];
  });
}
