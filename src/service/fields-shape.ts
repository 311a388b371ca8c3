import type { Registration } from '../registration/model/registration.ts';
import { registrationBody } from './contracts/registration-body.ts';
import { readError } from './contracts/read-error.ts';

/** How a service wants `fields`: keyed by slug, or, as the prose of the interface has it, a list of slug and value. */
export type FieldsShape = 'object' | 'entries';

/** The body that is sent for a registration. */
export function shapedBody(registration: Registration, shape: FieldsShape): object {
  const body = registrationBody(registration);
  if (shape === 'object') return body;
  return { ...body, fields: Object.entries(body.fields).map(([slug, value]) => ({ slug, value })) };
}

/** `fields` as the key of a finding, or in quotes; "required fields: last_name" names none. */
const KEY = /(?:^|[;.,:!]\s|[/#([{]|\bbody\.)fields:|["'`“‘«]fields["'`”’»]/i;
/** `fields` as what "must be an array"; "all fields must be filled in" speaks of others. */
const SENTENCE =
  /\bfields\s+(?:(?:field|attribute|property|parameter|key)\s+)?(?:must|should|has|is|needs|expects)\b/i;
const SHAPES = /\b(?:array|list|object|collection|sequence|map|dictionary|hash)s?\b/i;
/** A field in it, or another key of the body. */
const OTHERS = /\bfields(?:\.|\[|\/)[\w"']|\b(?:persona|barcode|parent_barcode|enable_comms)["'`]?:/i;
/** Words by which a refusal says what shape it wants; a field may be called so. */
const SHAPE_WORDS: ReadonlySet<string> = new Set(['value', 'slug', 'field', 'array', 'list', 'object']);

/** Whether a refusal names exactly `fields` as what is wrong: no field in it, and no other key of the body. */
export function refusesFields(
  { status, body }: { status: number; body: string },
  { fields }: Pick<Registration, 'fields'>,
): boolean {
  if (status !== 400 && status !== 422) return false;
  const { message, details } = readError(status, body);
  const words = [message, ...details].join('; ');
  const isNamed = KEY.test(words) || (SENTENCE.test(words) && SHAPES.test(words));
  if (!isNamed || OTHERS.test(words)) return false;
  const said = new Set(words.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
  return !Object.keys(fields).some((slug) => !SHAPE_WORDS.has(slug) && said.has(slug.toLowerCase()));
}
