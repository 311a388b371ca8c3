import * as z from 'zod';
import { registrationBodySchema } from '../service/contracts/registration-body.ts';
import { type WebhookBody, webhookBodySchema } from '../service/contracts/webhook.ts';
import type { DemoEvent, DemoField, DemoPersona } from './demo-event.ts';
import type { FieldError } from './answer.ts';
import { checkText } from './field-rules.ts';
import { optionValue, isSigned } from './shapes.ts';
import type { FieldValue, RegistrationInput } from './store/stored-row.ts';
import type { Switches } from './store/switches.ts';

/** The value that was read, or everything that is wrong. */
export type Checked<Value> = { value: Value } | { errors: FieldError[] };

/** What a registration is checked against. */
interface RegistrationRules {
  event: DemoEvent;
  switches: Pick<Switches, 'valuesShape' | 'uploads' | 'fieldsForm' | 'emptyParent'>;
  /** Whether a registration with this barcode is there. */
  hasBarcode(barcode: string): boolean;
}

/** Checks the body of POST /registration: its form, then the persona, its fields and the parent. */
export function checkRegistration(body: unknown, rules: RegistrationRules): Checked<RegistrationInput> {
  const formed = inPlainForm(body, rules.switches);
  if ('errors' in formed) return formed;
  const parsed = registrationBodySchema.safeParse(formed.value);
  if (!parsed.success) return { errors: issuesOf(parsed.error) };
  const { persona: slug, barcode, enable_comms: enableComms } = parsed.data;
  const parentBarcode = formed.clearsParent ? '' : parsed.data.parent_barcode;
  const persona = rules.event.personas.find((candidate) => candidate.slug === slug);
  // The fields as they came: the schema drops a key named __proto__ without a word.
  const given = Object.entries((formed.value as { fields: object }).fields);
  const { fields, errors } =
    persona === undefined
      ? { fields: {}, errors: [{ field: 'persona', message: 'is not a persona of this event.' }] }
      : checkFields(given, persona, rules.switches);
  errors.push(...checkParent(barcode, parentBarcode, rules));
  return errors.length > 0
    ? { errors }
    : { value: { persona: slug, fields, barcode, parentBarcode, enableComms } };
}

function checkParent(
  barcode: string | undefined,
  parentBarcode: string | undefined,
  rules: RegistrationRules,
): FieldError[] {
  if (parentBarcode === undefined || parentBarcode === '') return [];
  if (parentBarcode === barcode)
    return [{ field: 'parent_barcode', message: 'must not be the own barcode.' }];
  if (rules.hasBarcode(parentBarcode)) return [];
  return [{ field: 'parent_barcode', message: 'does not belong to a registration of this event.' }];
}

function checkFields(
  given: [string, unknown][],
  persona: DemoPersona,
  switches: Pick<Switches, 'valuesShape' | 'uploads'>,
): { fields: Record<string, FieldValue>; errors: FieldError[] } {
  const fields: Record<string, FieldValue> = {};
  const errors: FieldError[] = [];
  for (const [slug, value] of given) {
    const field = persona.fields.find((candidate) => candidate.slug === slug);
    const result =
      field === undefined ? 'is not a field of this persona.' : checkValue(field, value, switches);
    if (typeof result === 'string') errors.push({ field: `fields.${slug}`, message: result });
    else fields[slug] = result.value;
  }
  return { fields, errors };
}

/** The value as it is kept, or what is wrong with it. Empty clears the field and is always accepted. */
function checkValue(
  field: DemoField,
  value: unknown,
  { valuesShape, uploads }: Pick<Switches, 'valuesShape' | 'uploads'>,
): { value: FieldValue } | string {
  if (value === '') return { value };
  const allowed = field.options.map((option) => optionValue(option, valuesShape));
  if (field.kind === 'multiple' && Array.isArray(value)) {
    const texts = value.map(plainText);
    const chosen = texts.filter((text) => text !== undefined && allowed.includes(text));
    return chosen.length === texts.length ? { value: chosen as string[] } : 'has a value that is no option.';
  }
  // Numbers are told from text only where digits are what is asked for.
  const digits = field.kind === 'numeric' || allowed.length > 0;
  const text = digits ? plainText(value) : value;
  if (typeof text !== 'string') return 'must be text.';
  if (field.kind === 'choice' || field.kind === 'multiple') {
    if (!allowed.includes(text)) return 'must be one of the options.';
    return { value: field.kind === 'multiple' ? [text] : text };
  }
  if (uploads === 'signed' && isSigned(field, text)) return 'must not be a signed link.';
  return checkText(field.kind, text) ?? { value: text };
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' ? value : undefined;
}

export function checkWebhook(body: unknown, eventId: number): Checked<WebhookBody> {
  return checkWebhookFacts(webhookBodySchema.safeParse(body), eventId);
}

/** Checks a change of a webhook: any of its keys. */
export function checkWebhookChange(body: unknown, eventId: number): Checked<Partial<WebhookBody>> {
  const checked = checkWebhookFacts(webhookBodySchema.partial().safeParse(body), eventId);
  if ('errors' in checked) return checked;
  const given = Object.entries(checked.value).filter(([, value]) => value !== undefined);
  return { value: Object.fromEntries(given) };
}

function checkWebhookFacts<
  Webhook extends { event_id?: number | undefined; webhook_url?: string | undefined },
>(parsed: z.ZodSafeParseResult<Webhook>, eventId: number): Checked<Webhook> {
  if (!parsed.success) return { errors: issuesOf(parsed.error) };
  const { event_id: event, webhook_url: url } = parsed.data;
  const errors: FieldError[] = [];
  if (event !== undefined && event !== eventId) {
    errors.push({ field: 'event_id', message: 'is not the permitted event.' });
  }
  if (url !== undefined && !/^https?:\/\//i.test(url)) {
    errors.push({ field: 'webhook_url', message: 'must be an http or https URL.' });
  }
  return errors.length > 0 ? { errors } : { value: parsed.data };
}

/** Zod's findings; its messages never repeat a value. */
function issuesOf(error: { issues: { path: PropertyKey[]; message: string }[] }): FieldError[] {
  return error.issues.map((issue) => ({
    field: issue.path.map(String).join('.') || 'body',
    message: `${issue.message}.`,
  }));
}

const entriesSchema = z.array(z.object({ slug: z.string().min(1), value: z.unknown() }));

interface PlainForm {
  value: unknown;
  /** An empty parent was sent, and that takes the registration out of its group. */
  clearsParent: boolean;
}

/** Turns a body in the form that the switches want into the form of the interface, or tells what is wrong with it. */
function inPlainForm(
  body: unknown,
  { fieldsForm, emptyParent }: Pick<Switches, 'fieldsForm' | 'emptyParent'>,
): PlainForm | { errors: FieldError[] } {
  if (typeof body !== 'object' || body === null) return { value: body, clearsParent: false };
  const { parent_barcode: parent, ...others } = body as Record<string, unknown>;
  const isEmpty = parent === '' || parent === null;
  const plain = isEmpty && emptyParent !== 'refused' ? others : body;
  const clearsParent = isEmpty && emptyParent === 'cleared';
  if (fieldsForm === 'object') return { value: plain, clearsParent };
  const entries = entriesSchema.safeParse((body as Record<string, unknown>)['fields']);
  if (!entries.success) {
    return { errors: [{ field: 'fields', message: 'must be an array of entries with slug and value.' }] };
  }
  const fields = Object.fromEntries(entries.data.map(({ slug, value }) => [slug, value]));
  return { value: { ...plain, fields }, clearsParent };
}

/** The query of GET /registration once it is read. */
interface ListQuery {
  page: number;
  perPage: number;
  persona: string | undefined;
  barcode: string | undefined;
}

const PER_PAGE_MAXIMUM = 100;

/** Reads the query of GET /registration as the switches want it. */
export function checkListQuery(query: ReadonlyMap<string, string>, switches: Switches): Checked<ListQuery> {
  const page = readCount(query.get('page'), 1);
  const perPage = readCount(query.get('per_page'), 5);
  const errors: FieldError[] = [];
  if (page === undefined) errors.push({ field: 'page', message: 'must be a number from 1.' });
  if (perPage === undefined || perPage > PER_PAGE_MAXIMUM) {
    errors.push({ field: 'per_page', message: `must be a number from 1 to ${PER_PAGE_MAXIMUM}.` });
  }
  const persona = readPersonaFilter(query, switches.filterSpelling);
  if ('errors' in persona) errors.push(...persona.errors);
  if (page === undefined || perPage === undefined || 'errors' in persona || errors.length > 0) {
    return { errors };
  }
  return {
    value: {
      page,
      perPage: Math.min(perPage, switches.perPageCap),
      persona: persona.value,
      barcode: switches.barcodeFilter === 'honoured' ? query.get('barcode') : undefined,
    },
  };
}

function readCount(text: string | undefined, initial: number): number | undefined {
  if (text === undefined) return initial;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return count >= 1 ? count : undefined;
}

function readPersonaFilter(
  query: ReadonlyMap<string, string>,
  spelling: Switches['filterSpelling'],
): Checked<string | undefined> {
  if (spelling === 'none') return { value: undefined };
  const either = query.get('persona') ?? query.get('pesona');
  if (spelling === 'both') return { value: either };
  if (spelling === 'nobody') return { value: either === undefined ? undefined : '' };
  if (spelling === 'strict-persona') return strictFilter(query, 'persona', 'pesona');
  if (spelling === 'strict-pesona') return strictFilter(query, 'pesona', 'persona');
  return { value: query.get(spelling) };
}

function strictFilter(
  query: ReadonlyMap<string, string>,
  right: string,
  wrong: string,
): Checked<string | undefined> {
  if (query.has(wrong)) return { errors: [{ field: wrong, message: 'is not a parameter of this list.' }] };
  return { value: query.get(right) };
}
