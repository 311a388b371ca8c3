import type { Field, FieldKind } from '../../registration/model/persona.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { checkValue } from '../../registration/rules/rules.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';

/**
 * What to send so that a field holds again what a registration lists in it: empty text for no value. Undefined
 * when that cannot be sent: an object in which nothing stands for a value, a label that is not one option's, a
 * link that the service has signed, a time in a zone, and what the list shows in another form than it is stored:
 * what the field's own rule refuses, masked, cut or HTML-escaped texts.
 */
export function sendBack(shown: unknown, field: Field | undefined): FieldValue | undefined {
  const plain = plainValue(shown);
  if (plain === undefined) return '';
  const texts = typeof plain === 'string' ? [plain] : plain;
  // An object of which nothing stands for a value comes as its JSON.
  if (texts.some((text) => text.startsWith('{') && !isText(shown))) return undefined;
  if (field?.kind === 'choice') return chosen(field, shown);
  if (texts.some(isDisplayForm)) return undefined;
  if (field === undefined) return plain;
  if (typeof plain === 'string') return textBack(plain, shown, field);
  return isSendable(plain, field) && !plain.some((text) => isSigned(text, field)) ? plain : undefined;
}

/** Whether a listed text may be less than what is stored: cut, masked, or with HTML entities for signs. */
function isDisplayForm(text: string): boolean {
  return CUT.test(text) || ENTITY.test(text) || MASK.test(text);
}

const CUT = /(?:…|\.\.\.)\s*$/u;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
const MASK = /[*•●]{3}|^\s*[•●]+\s*$/u;

/** Whether the rule of a field has nothing against a value that is to be sent back. */
export function isSendable(value: FieldValue, field: Field): boolean {
  const texts = typeof value === 'string' ? [value] : value;
  return texts.every((text) => checkValue(text.trim(), field) === undefined);
}

/** As it is listed, unless it may only be sent in another form: a country by its code, a day without a time. */
function textBack(plain: string, shown: unknown, field: Field): string | undefined {
  const mayDiffer = FORMED.has(field.kind) || typeof shown !== 'string';
  // Digits that were a text may have had zeros in front.
  if (typeof shown === 'number' && !FORMED.has(field.kind)) return undefined;
  const forms = mayDiffer ? [plain, canonicalValue(field, shown)] : [plain];
  const text = forms.find((form) => isSendable(form, field));
  if (text === undefined || isSigned(text, field)) return undefined;
  return field.kind === 'date' && ZONED_TIME.test(plain.replace(/\s+/gu, ' ').trim()) ? undefined : text;
}

/** Kinds of which every form but one means the same to the service. */
const FORMED: ReadonlySet<FieldKind> = new Set(['country', 'date', 'numeric']);

/** A time that is not midnight, and a zone: what is sent has none, so it would be another time. */
const ZONED_TIME = /[T ](?!00:00(?::00(?:\.0+)?)?(?!:\d))\d{2}:\S* ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/i;

/** Names by which storage services sign their links. */
const SIGNATURES = /signature|^sig$|token|expires|credential|policy|hmac/i;

/** A link that may hold for this reader and this hour alone. A guest's own web site may have a query of its own. */
function isSigned(text: string, { kind }: Field): boolean {
  const [, ...query] = text.split('?');
  if (kind === 'upload') return query.length > 0;
  const names = [...new URLSearchParams(query.join('?')).keys()];
  return kind === 'website' && names.some((name) => SIGNATURES.test(name));
}

const isText = (shown: unknown): boolean =>
  typeof shown === 'string' || (Array.isArray(shown) && shown.every((entry) => typeof entry === 'string'));

/** The options of a value, by what is sent for them; undefined where one is none, or is more than one. */
function chosen(field: Field, shown: unknown): FieldValue | undefined {
  const entries = Array.isArray(shown) ? (shown as unknown[]) : [shown];
  const values = entries.flatMap((entry) => choicesIn(field, entry));
  if (values.some((one) => field.choices.every(({ value }) => value !== one))) return undefined;
  if (field.multiple) return values;
  return values.length > 1 ? undefined : (values[0] ?? '');
}

function choicesIn(field: Field, entry: unknown): string[] {
  const text = canonicalValue(field, entry);
  if (field.choices.some(({ value }) => value === text) || !text.startsWith('[')) {
    return text === '' ? [] : [text];
  }
  return JSON.parse(text) as string[];
}
