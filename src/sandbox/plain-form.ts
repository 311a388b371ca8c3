import * as z from 'zod';
import type { FieldError } from './error-shapes.ts';
import type { Switches } from './store/switches.ts';

const entriesSchema = z.array(z.object({ slug: z.string().min(1), value: z.unknown() }));

interface PlainForm {
  value: unknown;
  /** An empty parent was sent, and that takes the registration out of its group. */
  clearsParent: boolean;
}

/** Turns a body in the form that the switches want into the form of the interface, or tells what is wrong with it. */
export function inPlainForm(
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
