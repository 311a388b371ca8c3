import { documentSchemas } from '../../src/documents/documents.ts';

const SCHEMAS = documentSchemas();

/** A document as a command prints it with `--json`. */
export interface JsonDocument extends Record<string, unknown> {
  schema: string;
  exit: number | null;
  stopped_by: string | null;
  error: {
    code: string;
    message: string;
    hint: string | null;
    details: string[];
    exit: number;
    questions?: { text: string; answers: { flag: string | null; label: string }[] }[];
  } | null;
}

/** The one document that a text is, held against its schema. Behind lines of a `listen` it is the last line. */
export function readDocument(text: string): JsonDocument {
  const own = text.startsWith('{"type":') ? text.trimEnd().split('\n').at(-1) : text;
  const document = JSON.parse(own ?? '') as JsonDocument;
  const name = document.schema.replace(/^eventreg\//, '');
  const parsed = SCHEMAS[name]?.safeParse(document);
  if (parsed?.success === true) return document;
  const why = parsed?.error?.message ?? 'There is no such schema.';
  throw new Error(`This is no ${document.schema}: ${why}\n${text.slice(0, 2000)}`);
}

/** Whether a command line asks for the document; help and versions are texts all the same. */
export function asksForDocument(argv: readonly string[]): boolean {
  if (argv.some((word) => /^(?:--help|--help-all|--version|-V|-h|help)$/.test(word))) return false;
  return argv.includes('--json') || argv.some((word, at) => word === 'json' && argv[at - 1] === '--output');
}

const LISTS =
  /^(?:checks|deliveries|fields|personas|profiles|registrations|reports|results|rows|runs|stories|webhooks)$/;

/** What the one list of a document has; nothing where it is one of an error. */
export function listIn<Item>(text: string): Item[] {
  const found = Object.entries(readDocument(text)).find(([key]) => LISTS.test(key))?.[1];
  return (found ?? []) as Item[];
}
