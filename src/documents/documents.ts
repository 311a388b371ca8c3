import * as z from 'zod';
import { ending, failure, type Told } from './document-parts.ts';
import { PUSH_DOCUMENTS } from './push-documents.ts';
import { RUNS_DOCUMENTS } from './runs-documents.ts';
import { SET_UP_DOCUMENTS } from './set-up-documents.ts';
import { WEBHOOK_DOCUMENTS } from './webhook-documents.ts';

/**
 * What each document has beside `schema` and its ending, by the name that stands in `schema` after `eventreg/`. A
 * change that a reader may stumble over raises the number; commands take types and columns from here.
 */
const SHAPES = {
  ...PUSH_DOCUMENTS,
  ...RUNS_DOCUMENTS,
  ...SET_UP_DOCUMENTS,
  ...WEBHOOK_DOCUMENTS,
};

export type DocumentName = keyof typeof SHAPES;

/** What a command says in its document. */
export type DocumentBody<Name extends DocumentName> = Told<z.infer<z.ZodObject<(typeof SHAPES)[Name]>>>;

/** A key of a document under which there is a list. */
export type ListOf<Name extends DocumentName> = {
  [Key in keyof DocumentBody<Name>]-?: NonNullable<DocumentBody<Name>[Key]> extends readonly unknown[]
    ? Key
    : never;
}[keyof DocumentBody<Name>] &
  string;

/** The schema of each document, by its name. Where a command has failed in the middle, there is less in it. */
export function documentSchemas(): Record<string, z.ZodType> {
  const names = Object.keys(SHAPES) as DocumentName[];
  return {
    ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    'error@1': z.strictObject({ schema: z.literal('eventreg/error@1'), ...ending, error: failure }),
  };
}

/** Those that are printed in parts; all others are whole, or the error alone. */
const IN_PARTS: readonly DocumentName[] = ['delete@1', 'push@1', 'runs-show@1', 'runs-undo@1', 'runs-why@1'];

function schemaOf(name: DocumentName): z.ZodType {
  const schema = z.literal(`eventreg/${name}`);
  const body: z.ZodRawShape = SHAPES[name];
  const whole = z.strictObject({ schema, ...body, ...ending });
  if (!IN_PARTS.includes(name)) return whole;
  const broken = z
    .strictObject(body)
    .partial()
    .extend({ schema, ...ending, error: failure });
  return z.union([whole, broken]);
}
