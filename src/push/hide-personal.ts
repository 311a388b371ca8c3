import type { FieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration } from '../registration/registration.ts';
import { isPersonal } from '../registration/rules.ts';
import { plainValue } from '../registration/same-value.ts';
import { mask } from '../report/mask.ts';

/** Shorter values are too often part of other words to tell anything, or to be told. */
const MIN_CHARACTERS = 3;
/** Up to this length a value is hidden only as a word: `Ali` is in `invalid`. */
const WORD_CHARACTERS = 5;
/** What a service says is cut when it is longer. */
const CUT_CHARACTERS = 300;
/** Where a service is says nothing of a person, though one may be called like it. */
const HOST = String.raw`https?:\/\/[^\s/?#]+`;

/**
 * A text of the service without what it quotes of a row: values that may identify a person are masked, as
 * they were sent and as JSON writes them, whatever their case.
 */
export function hidePersonal(
  text: string,
  { registration, before }: { registration: Registration; before?: RecordImage | undefined },
  fields: FieldsOf,
): string {
  const values = new Set([
    ...personalValues(registration, fields),
    ...personalValues({ persona: registration.persona, fields: before?.fields }, fields),
  ]);
  const spellings = [...values].flatMap(spellingsOf);
  if (spellings.length === 0) return text;
  // The longest first: what is left of a value that holds another would tell it.
  spellings.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`${spellings.map((one) => `(${patternOf(one)})`).join('|')}|${HOST}`, 'giu');
  const hidden = text.replace(pattern, (found, ...groups: unknown[]) =>
    groups.slice(0, spellings.length).some((group) => group !== undefined) ? mask(unescaped(found)) : found,
  );
  return text.length < CUT_CHARACTERS ? hidden : hideBeginning(hidden, spellings);
}

/** A long text may have been cut within a value. */
function hideBeginning(text: string, spellings: readonly string[]): string {
  const end = text.toLowerCase();
  for (const spelling of spellings) {
    for (let length = spelling.length - 1; length >= MIN_CHARACTERS; length -= 1) {
      const begun = spelling.slice(0, length);
      if (end.endsWith(begun.toLowerCase())) return text.slice(0, -length) + mask(begun);
    }
  }
  return text;
}

function personalValues(
  { persona, fields = {} }: Pick<RecordImage, 'persona' | 'fields'>,
  fieldsOf: FieldsOf,
): string[] {
  const own = persona === undefined ? [] : fieldsOf(persona);
  return Object.entries(fields).flatMap(([slug, value]) => {
    // Of a field that the persona does not have nothing is known.
    const field = own.find((one) => one.slug === slug);
    if (field !== undefined && !isPersonal(field.kind)) return [];
    const plain = plainValue(value) ?? [];
    return (typeof plain === 'string' ? [plain] : plain)
      .map((one) => one.trim())
      .filter((one) => one.length >= MIN_CHARACTERS);
  });
}

/** A value, and as JSON may write it: with or without escapes for slashes and for all but ASCII. */
function spellingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const slashed = json.replaceAll('/', '\\/');
  // White space may have been drawn together on the way.
  return [...new Set([value, value.replace(/\s+/gu, ' '), json, slashed, toAscii(json), toAscii(slashed)])];
}

const toAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Digits of an escape would tell the letter. */
const unescaped = (found: string): string =>
  found.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function patternOf(spelling: string): string {
  const exact = spelling.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (spelling.length > WORD_CHARACTERS) return exact;
  return `(?:(?<![\\p{L}\\p{N}])|(?<=\\\\[bfnrt]))${exact}(?![\\p{L}\\p{N}])`;
}
