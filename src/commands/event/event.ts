import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode } from '../../errors.ts';
import type { DocumentBody } from '../../documents/documents.ts';
import { valuesOf } from '../../registration/rules/choice-rule.ts';
import { personaJsonSchema } from './json-schema.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import { prettyJson } from '../../report/words/data-text.ts';
import type { Runtime } from '../../runtime.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { findPersona } from '../connect/find-persona.ts';
import { actionsOf, type Handler, optionsOf } from '../options/options.ts';
import { addHelp } from '../options/help.ts';
import { WRITTEN_FORMATS, writtenFile } from '../options/written-file.ts';
import { isDrawn, printRecords, tellPrograms, type Call } from '../terminal/terminal.ts';
import { writeTemplate } from './write-template.ts';
import { visible } from '../../report/words/escape.ts';
import { alignCells } from '../../report/words/measure.ts';
import { plural } from '../../report/words/number.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';

const persona = z.string();
const eventOptions = z.discriminatedUnion('action', [
  optionsOf('show', {}),
  optionsOf('personas', {}),
  optionsOf('fields', { persona: persona.optional() }),
  optionsOf('schema', { persona }),
  optionsOf('template', {
    persona,
    /** Where it is written instead of to standard output; its name says how. */
    to: writtenFile.optional(),
  }),
]);
export type EventOptions = z.infer<typeof eventOptions>;

const EXIT_CODES = 'Exit codes: 0 done · 1 the service failed · 2 wrong usage or settings · 4 not authorised';

const HELP = `
Reads the event anew each time, so it always shows what the service would check against.
<persona> is its slug; its name, or another case, does as well.

Output of show: lines for people at a terminal; json is one object with all personas and fields; all else is
one record a persona. personas and fields print one record each in every format.

Examples:
  eventreg event
  eventreg event fields visitor
  eventreg event template visitor --to visitors.xlsx
  eventreg event schema visitor > visitor.schema.json

${EXIT_CODES},
  7 a file is there already`;

const TEMPLATE_HELP = `
The example row shows a valid value of every field. Replace it (left in among guests it is refused), then
push the file as it is: no flag is needed. Headers are the labels of the fields; the slug where a label is not clear.
xlsx is a workbook in which barcodes and phone numbers keep their zeros and signs, values are chosen from
lists, and the sheet _fields explains every column; push leaves out that sheet.
The name of the file says its format. On standard output it is what --output says, else csv. A CSV file
begins with a byte order mark, which spreadsheet programs need to read it as UTF-8.
A file that is there already is overwritten only with --yes (at a terminal you are asked).

Examples:
  eventreg event template visitor --to visitors.xlsx
  eventreg event template visitor --to visitors.csv
  eventreg event template visitor --json
  eventreg event template visitor --sandbox > visitors.csv

${EXIT_CODES},
  7 the file is there already`;

const helpOf = (example: string): string => `\nExamples:\n  eventreg event ${example}\n\n${EXIT_CODES}`;

export function defineEvent(command: Command, handle: Handler<EventOptions>): void {
  command.description('Show the event, its personas and their fields; make templates.');
  addHelp(command, HELP);
  const define = actionsOf(command, eventOptions, handle, 'show');
  addHelp(define('show', 'the event and its personas'), helpOf('show --json'));
  addHelp(define('personas', 'the personas, one record each'), helpOf('personas'));
  addHelp(
    define('fields [persona]', 'the fields of a persona, and what each takes'),
    `\nchecked is false for a field whose type is not known: its values pass as text.\n${helpOf('fields visitor')}`,
  );
  const template = define(
    'template <persona>',
    'a file with one example registration, to be filled and pushed',
  );
  addHelp(template, TEMPLATE_HELP).option(
    '--to <file>',
    `write it there; the name ends in ${WRITTEN_FORMATS.join(', ')}`,
  );
  addHelp(
    define('schema <persona>', 'JSON Schema of a registration of a persona'),
    `\nThe schema is JSON whatever --output says; with --json it is a part of a document. It describes what is sent:
what \`list --json\` shows has its registration_id besides, and is as the service holds it.\n${helpOf('schema visitor > visitor.schema.json')}`,
  );
}

/** Runs one action. Throws UsageError for an unknown persona, naming the known ones. */
export async function runEvent(options: EventOptions, runtime: Runtime): Promise<ExitCode> {
  const event = await withConnection({ options, runtime }, ({ client }) => client.getEvent());
  switch (options.action) {
    case 'show':
      await showEvent(event, { options, runtime });
      break;
    case 'personas':
      await printRecords(event.personas.map(personaRecord), { options, runtime }, PERSONA_COLUMNS, PERSONAS);
      break;
    case 'fields':
      await showFields(findPersona(options.persona, event), { options, runtime });
      break;
    case 'template':
      await writeTemplate(event, findPersona(options.persona, event), { options, runtime });
      break;
    case 'schema':
      await showSchema(findPersona(options.persona, event), { options, runtime });
  }
  return EXIT.done;
}

const PERSONAS = ['event-personas@1', 'personas'] as const;
const PERSONA_COLUMNS = ['persona', 'name', 'id', 'fields'];
const FIELD_COLUMNS = ['slug', 'label', 'kind', 'type', 'choices', 'multiple', 'checked'];

async function showEvent(event: EventInfo, call: Call<EventOptions>): Promise<void> {
  const { options, runtime } = call;
  if (isDrawn(options, runtime)) {
    writeMessage(runtime.stdout, describeEvent(event).join('\n'));
  } else if (options.output === 'json') {
    await tellPrograms(call, 'event@1', eventJson(event));
  } else {
    const { eventNumber, eventId, name } = event;
    const head = { event_id: eventNumber ?? eventId, event: name };
    const records = event.personas.map((one) => ({ ...head, ...personaRecord(one) }));
    const columns = ['event_id', 'event', ...PERSONA_COLUMNS];
    await printRecords(records, call, columns, PERSONAS);
  }
}

/** A JSON Schema for other programs, or as a part of a document for those that read these. */
async function showSchema(persona: Persona, call: Call<EventOptions>): Promise<void> {
  const { options, runtime } = call;
  const json_schema = { ...personaJsonSchema(persona) };
  if (options.output === 'json') {
    await tellPrograms(call, 'event-schema@1', { persona: persona.slug, json_schema });
  } else runtime.stdout.write(prettyJson(json_schema));
}

async function showFields({ fields }: Persona, call: Call<EventOptions>): Promise<void> {
  if (isDrawn(call.options, call.runtime)) {
    writeMessage(call.runtime.stdout, (await alignCells(describeFields(fields))).join('\n'));
    return;
  }
  const list = ['event-fields@1', 'fields'] as const;
  await printRecords(fields.map(fieldRecord), call, FIELD_COLUMNS, list);
}

/** A line a field, as people call it, with all that may be chosen. */
function describeFields(fields: readonly Field[]): [name: string, takes: string][] {
  const nameOf = ({ label, slug }: Field): string =>
    fields.filter((one) => one.label === label).length > 1 ? `${label} (${slug})` : label || slug;
  return fields.map((field) => {
    const { choices, type, multiple, known } = field;
    const labels = choices.map(({ label, value }) => label || value).join(' · ');
    const takes = labels === '' ? type : `${multiple ? 'any' : 'one'} of ${labels}`;
    return [visible(nameOf(field)), visible(`${takes}${known ? '' : ', sent as text, unchecked'}`)];
  });
}

function fieldRecord(field: Field): DocumentBody<'event-fields@1'>['fields'][number] {
  const { slug, label, kind, type, choices, multiple, known } = field;
  return { slug, label, kind, type, choices: valuesOf(choices), multiple, checked: known };
}

type EventBody = DocumentBody<'event@1'>;

function personaRecord(persona: Persona): DocumentBody<'event-personas@1'>['personas'][number] {
  const { slug, name, id = null, fields } = persona;
  return { persona: slug, name, id, fields: fields.length };
}

/** The event as one JSON value, its personas and their fields inside, named as the interface names them. */
function eventJson(event: EventInfo): EventBody {
  return {
    event_id: event.eventNumber ?? event.eventId,
    slug: event.slug,
    name: event.name,
    timezone: event.timezone ?? null,
    start_date: event.startDate ?? null,
    end_date: event.endDate ?? null,
    personas: event.personas.map(({ id, slug, name, fields }) => ({
      id: id ?? null,
      slug,
      name,
      fields: fields.map(fieldJson),
    })),
  };
}

function fieldJson(field: Field): EventBody['personas'][number]['fields'][number] {
  const { id, slug, label, type, kind, choices, multiple, known } = field;
  const shown = choices.map((choice) => ({ value: choice.value, label: choice.label }));
  return { id: id ?? null, slug, label, type, kind, choices: shown, multiple, checked: known };
}

/** The event as lines for people; facts that the service does not give are left out. */
export function describeEvent(event: EventInfo): string[] {
  const facts: [string, string | undefined][] = [
    ['name', event.name],
    ['event_id', event.eventId],
    ['slug', event.slug],
    ['timezone', event.timezone],
    ['starts', event.startDate],
    ['ends', event.endDate],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [line(name, value)] : []));
  return [...lines, ...describePersonas(event.personas)];
}

function describePersonas(personas: readonly Persona[]): string[] {
  if (personas.length === 0) return [line('personas', 'none: nothing can be pushed to this event')];
  return personas.map(({ slug, name, fields }, at) =>
    line(at === 0 ? 'personas' : '', `${slug} (${name}): ${plural(fields.length, 'field', 'fields')}`),
  );
}

function line(name: string, value: string): string {
  return `${name.padEnd(10)}${visible(value)}`;
}
