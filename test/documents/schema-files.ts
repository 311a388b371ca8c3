import * as z from 'zod';
import { documentSchemas } from '../../src/documents/documents.ts';
import { listenLineSchema } from '../../src/documents/webhook-documents.ts';
import { eventLineSchema } from '../../src/documents/event-lines.ts';
import { EVENTS_VERSION } from '../../src/report/progress/event-record.ts';

/** The files of docs/schema by their names: a JSON Schema for each document, and one for a line of `--events`. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const documents = Object.entries(documentSchemas()).map(
    ([name, schema]) => [name, `eventreg/${name}`, schema] as const,
  );
  const all = [
    ...documents,
    ['listen@1.0', 'eventreg/listen@1.0', listenLineSchema()] as const,
    [`events@${EVENTS_VERSION}`, `eventreg/events@${EVENTS_VERSION}`, eventLineSchema()] as const,
  ];
  return new Map(all.map(([name, title, schema]) => [`${name}.json`, textOf(title, schema)]));
}

function textOf(title: string, schema: z.ZodType): string {
  // Readers let pass what they do not know, so that additions break nobody.
  const made = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Said of every integer, and of no use.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return `${JSON.stringify({ title, ...made }, undefined, 1)}\n`;
}
