import { extname } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { createTemplate, TEMPLATE_FORMATS, type TemplateFormat } from './event-template.ts';
import { createXlsxTemplate } from './event-template-xlsx.ts';
import type { GlobalOptions } from '../options/options.ts';
import { say } from '../terminal/terminal.ts';
import { writeNewFile } from './write-new-file.ts';

type TemplateOptions = GlobalOptions & {
  format?: TemplateFormat | undefined;
  file?: string | undefined;
};

/** Writes a template of the persona to the file that the options name, or to standard output. */
export async function writeTemplate(
  event: EventInfo,
  persona: Persona,
  options: TemplateOptions,
  runtime: Runtime,
): Promise<void> {
  const format = templateFormat(options);
  if (format === 'xlsx' && options.file === undefined && runtime.stdout.isTTY === true) {
    throw new UsageError('A workbook is no text that a terminal could show.', {
      hint: `Name a file: --file ${persona.slug}.xlsx`,
    });
  }
  const { content, problems } = await contentOf(event, persona, format, options.file !== undefined);
  if (options.file === undefined) {
    runtime.stdout.write(content);
  } else {
    await writeNewFile(options.file, content, options, runtime);
    say(options, runtime, `The template is in ${visible(options.file)}: replace the example, then push it.`);
  }
  for (const problem of problems) runtime.stderr.write(`push will ask: ${visible(problem)}\n`);
}

function templateFormat({ format, output, file = '' }: TemplateOptions): TemplateFormat {
  if (format !== undefined) return format;
  if (output !== 'table') return output;
  const extension = extname(file).slice(1).toLowerCase();
  return TEMPLATE_FORMATS.find((known) => known === extension) ?? 'csv';
}

async function contentOf(
  event: EventInfo,
  persona: Persona,
  format: TemplateFormat,
  toFile: boolean,
): Promise<{ content: string | Buffer; problems: readonly string[] }> {
  if (format === 'xlsx') {
    const { bytes, problems } = await createXlsxTemplate(event, persona);
    return { content: bytes, problems };
  }
  const { text, problems } = createTemplate(event, persona, format);
  return { content: format === 'csv' && toFile ? `\uFEFF${text}` : text, problems };
}
