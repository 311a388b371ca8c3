import { textOf } from '../repairs/cell-text.ts';
import type { NationalPhones } from '../repairs/repair-phone.ts';
import { type ColumnMapping, columnsWhere, type ColumnTarget } from '../model/columns.ts';
import { madeOnce } from '../model/maps.ts';
import { alpha2Of } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import type { Field, Persona } from '../model/persona.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import type { SourceRow } from '../model/row.ts';

/** The repairs of one row, or of one companion in it: where it names a country, its national numbers are of that one. */
export function repairsOfRow(
  row: SourceRow,
  mapping: ColumnMapping,
  personas: readonly Persona[],
  repairs: RepairOptions,
  companion?: number,
): RepairOptions {
  if (repairs.phones === undefined && repairs.phonesOf.size === 0) return repairs;
  const named = countriesOfRow(row, mapping, personas, companion);
  if (named.length === 0) return repairs;
  const known = madeOnce(KNOWN_REPAIRS, repairs, () => new Map<string, RepairOptions>());
  return madeOnce(known, named.join(), () => ({ ...repairs, rowCountries: named }));
}

/** Rows are many, and of few countries. */
const KNOWN_REPAIRS = new WeakMap<RepairOptions, Map<string, RepairOptions>>();

/**
 * Alpha-2 codes of the countries that a row names, whichever of the personas it is of; a companion's own, or the row's
 * where the companion has none.
 */
export function countriesOfRow(
  row: SourceRow,
  mapping: ColumnMapping,
  personas: readonly Persona[],
  companion?: number,
): readonly string[] {
  const named = new Set<string>();
  for (const persona of personas)
    for (const index of countryColumns(mapping, persona, companion)) {
      const name = textOf(row.cells[index]);
      const code = alpha2Of(name) ?? countryCodeOf(name);
      if (code !== undefined) named.add(code);
    }
  const isOpen = named.size === 0 && companion !== undefined;
  return isOpen ? countriesOfRow(row, mapping, personas) : [...named];
}

/** What stands at the end of an address of a country; some are used by anybody. */
const ADDRESS = /(?:@|\/\/|^www\.)[^\s/@]+\.([a-z]{2})(?=$|[\s/>,;:)])/i;
const ANYBODYS = ['AI', 'CC', 'CO', 'FM', 'GG', 'IO', 'LI', 'LY', 'ME', 'SH', 'TO', 'TV', 'WS'];

const STATE =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]';
/** How only one country writes its places and numbers, some of them only under its own word for them. */
const FORMS: readonly (readonly [country: string, cell: RegExp, heading?: RegExp])[] = [
  ['US', /^\d{5}(?:-\d{4})?$/, /\bzip/i],
  ['US', new RegExp(`^(?:${STATE})$`), /\bstate\b/i],
  ['US', new RegExp(`\\b(?:${STATE}),? \\d{5}(?:-\\d{4})?$`)],
  ['US', /^\(?[2-9]\d\d(?:\) ?|[.-])[2-9]\d\d[.-]\d{4}$/],
  ['GB', /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/],
];

/** Alpha-2 codes of the countries that a row shows without naming them: by addresses, numbers with a country code, and forms. */
export function countriesShown(
  { columns, cells }: SourceRow,
  phones: NationalPhones | undefined,
): ReadonlySet<string> {
  const shown = cells.flatMap((cell, at) => {
    const text = textOf(cell);
    const end = ADDRESS.exec(text)?.[1]?.toUpperCase().replace('UK', 'GB') ?? '';
    const address = ANYBODYS.includes(end) ? undefined : alpha2Of(end);
    const called = text.startsWith('+') ? phones?.countryOf(text) : undefined;
    const forms = FORMS.filter(
      ([, form, heading]) => form.test(text) && heading?.test(columns[at] ?? '') !== false,
    );
    return [address ?? [], called ?? [], ...forms.map(([country]) => country)].flat();
  });
  return new Set(shown);
}

/** By mapping, and by persona and companion: rows are many, and alike. */
const KNOWN = new WeakMap<ColumnMapping, Map<string, readonly number[]>>();

/** Indexes of the columns that name the country of a row's person, or of a companion. */
function countryColumns(
  mapping: ColumnMapping,
  persona: Persona,
  companion: number | undefined,
): readonly number[] {
  const columns = madeOnce(KNOWN, mapping, () => new Map<string, readonly number[]>());
  return madeOnce(columns, `${companion ?? ''} ${persona.slug}`, () => {
    const slugs = new Set(persona.fields.filter(isOwnCountry).map(({ slug }) => slug));
    return columnsWhere(mapping, [persona], (target) => slugs.has(slugOf(target, companion) ?? ''));
  });
}

/** The field that a column fills for the row's person, or for a companion. */
function slugOf(target: ColumnTarget, companion: number | undefined): string | undefined {
  const isTheirs = target.kind === 'companion' && target.number === companion;
  const own = companion === undefined ? target : isTheirs ? target.target : undefined;
  return own?.kind === 'field' ? own.slug : undefined;
}

/** A country says nothing of a phone where it is that of a passport, a birth or an invoice. */
const OTHER_ROLE =
  /na[ct]ional|nazional|citizen|ciudadan|cittadin|cidadan|citoyen|staatsang|staatsb|pass?[ae]?port|reisepass|birth|born|geburt|nacimiento|naissance|nascita|nascimento|billing|invoice|rechnung|factur|fattur|fatur/i;
/** Some events have it as a text or a choice. */
const COUNTRY = /(?:^|[\s_-])(?:country|pa[ií]s|pays|land|paese)(?:$|[\s_-])/i;

function isOwnCountry({ kind, slug, label }: Field): boolean {
  const names = `${slug} ${label}`;
  if (OTHER_ROLE.test(names)) return false;
  return kind === 'country' || ((kind === 'text' || kind === 'choice') && COUNTRY.test(names));
}
