import type { FieldValue } from '../../registration/model/registration.ts';
import type { EventInfo, Persona, Field } from '../../registration/model/persona.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { createXlsxTemplate } from './event-template-xlsx.ts';
import type { GlobalOptions } from '../options/options.ts';
import { type WrittenFormat, writtenFormat } from '../options/written-file.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { RESERVED_NAMES } from '../../input/columns/column-names.ts';
import { readChoices } from '../../registration/rules/choice-rule.ts';
import { exampleValue } from '../../registration/rules/example.ts';
import type { DocumentBody } from '../../documents/documents.ts';
import { csvLine, jsonText, prettyJson } from '../../report/words/data-text.ts';
import {
  mappingProblems,
  reservedExample,
  sendableFields,
  templateColumns,
} from './event-template-columns.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';

type TemplateOptions = GlobalOptions & { to?: string | undefined };

/** Writes a template of the persona to the file that the options name, or to standard output. */
export async function writeTemplate(
  event: EventInfo,
  persona: Persona,
  call: Call<TemplateOptions>,
): Promise<void> {
  const { options, runtime } = call;
  const { to } = options;
  const place = { flag: '--to', file: to ?? '', inputs: [], content: 'with the template' };
  const path = to && (await settleOutputFile(place, call));
  if (to === undefined && options.output === 'json') {
    const { record, problems } = exampleOf(event, persona);
    const body = { persona: persona.slug, file: null, registrations: [record] };
    await tellPrograms(call, 'event-template@1', body);
    tellProblems(problems, runtime);
    return;
  }
  const typed = options.output === 'table' ? 'csv' : options.output;
  const format = to === undefined ? typed : (writtenFormat(to) ?? 'csv');
  const { content, problems } =
    format === 'xlsx' ? await createXlsxTemplate(event, persona) : createTemplate(event, persona, format);
  if (to === undefined || path === undefined) runtime.stdout.write(content);
  else {
    await replaceFile(path, async (file) => {
      if (format === 'csv') await file.writeFile('\uFEFF');
      await file.writeFile(content);
    });
    const body = { persona: persona.slug, file: to, registrations: null };
    await tellPrograms(call, 'event-template@1', body);
    say(call, `The template is in ${to}: replace the example, then push it.`);
  }
  tellProblems(problems, runtime);
}

function tellProblems(problems: readonly string[], { stderr }: Runtime): void {
  for (const problem of problems) writeMessage(stderr, `push will ask: ${visible(problem)}`);
}

type TemplateRecord = NonNullable<DocumentBody<'event-template@1'>['registrations']>[number];

interface Template {
  /** The whole file, without a byte order mark. */
  content: string;
  /** What keeps it from being pushed as it stands, a sentence each: names that fit several fields. */
  problems: readonly string[];
}

/** A text file with one example registration of the persona, such that `push` takes it without any flag. */
export function createTemplate(
  event: EventInfo,
  persona: Persona,
  format: Exclude<WrittenFormat, 'xlsx'>,
): Template {
  if (format === 'csv') return csvTemplate(event, persona);
  const { record, problems } = exampleOf(event, persona);
  return { content: format === 'json' ? prettyJson([record]) : `${jsonText(record)}\n`, problems };
}

/** The example registration as an object, and what keeps it from being pushed. */
function exampleOf(
  event: EventInfo,
  persona: Persona,
): Pick<Template, 'problems'> & { record: TemplateRecord } {
  const fields = sendableFields(persona);
  const columns = [...RESERVED_NAMES, ...fields.map(({ slug }) => slug)];
  const record = {
    persona: persona.slug,
    barcode: reservedExample('barcode', persona),
    enable_comms: false,
    fields: Object.fromEntries(fields.map((field) => [field.slug, exampleJson(field)])),
  };
  return { record, problems: mappingProblems(columns, event) };
}

function csvTemplate(event: EventInfo, persona: Persona): Template {
  const { columns, problems } = templateColumns(event, persona);
  const lines = [columns.map(({ header }) => header), columns.map(({ example }) => example)];
  return { content: lines.map((values) => csvLine(values, ',', '"')).join(''), problems };
}

/** A list for a field that takes several options, as the JSON Schema of the persona asks for. */
function exampleJson(field: Field): FieldValue {
  const text = exampleValue(field);
  if (!field.multiple) return text;
  const values = readChoices(text, field.choices);
  return values.ok ? values.value : [text];
}
