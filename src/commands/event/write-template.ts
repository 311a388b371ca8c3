import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { createTemplate, exampleOf } from './event-template.ts';
import { createXlsxTemplate } from './event-template-xlsx.ts';
import type { GlobalOptions } from '../options/options.ts';
import { type WrittenFormat, writtenFormat } from '../options/written-file.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { say, tellPrograms, type Call } from '../terminal/terminal.ts';

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
  const format = templateFormat(options);
  const { content, problems } = await contentOf(event, persona, format, to !== undefined);
  if (to === undefined || path === undefined) {
    runtime.stdout.write(content);
  } else {
    await replaceFile(path, async (file) => file.writeFile(content));
    const body = { persona: persona.slug, file: to, registrations: null };
    await tellPrograms(call, 'event-template@1', body);
    say(call, `The template is in ${visible(to)}: replace the example, then push it.`);
  }
  tellProblems(problems, runtime);
}

function tellProblems(problems: readonly string[], { stderr }: Runtime): void {
  for (const problem of problems) stderr.write(`push will ask: ${visible(problem)}\n`);
}

function templateFormat({ to, output }: TemplateOptions): WrittenFormat {
  if (to !== undefined) return writtenFormat(to) ?? 'csv';
  return output === 'table' ? 'csv' : output;
}

async function contentOf(
  event: EventInfo,
  persona: Persona,
  format: WrittenFormat,
  toFile: boolean,
): Promise<{ content: string | Buffer; problems: readonly string[] }> {
  if (format === 'xlsx') {
    const { bytes, problems } = await createXlsxTemplate(event, persona);
    return { content: bytes, problems };
  }
  const { text, problems } = createTemplate(event, persona, format);
  return { content: format === 'csv' && toFile ? `\uFEFF${text}` : text, problems };
}
