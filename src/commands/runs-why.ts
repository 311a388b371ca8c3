import type { Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { findingsAbout } from '../push/findings.ts';
import { findRows, type FoundBy } from '../push/find-rows.ts';
import type { Journal } from '../push/journal.ts';
import { listRuns } from '../push/runs.ts';
import { readStories, type Stories } from '../push/story.ts';
import { visible } from '../report/escape.ts';
import { plural } from '../report/number.ts';
import { STEP_COLUMNS, stepRows, storyRecord } from '../report/story-record.ts';
import { formatStory } from '../report/story-text.ts';
import type { Runtime } from '../runtime.ts';
import { globalOptions, type Handler, parseOptions, rawOptions } from './options.ts';
import { findRun } from './runs-find.ts';
import { openRecords, say, wantsColor } from './terminal.ts';

export const whyOptions = globalOptions.extend({
  action: z.literal('why'),
  /** Barcode, place, e-mail address or id of a registration. */
  who: z.string().min(1),
  /** Only what this run did. */
  run: z.string().optional(),
});
export type WhyOptions = z.infer<typeof whyOptions>;

/** More registrations than anybody reads at once. */
const STORIES_SHOWN = 20;

const HELP = `
<who> is a barcode, the id of a registration, a place (guests.csv:17, guests.xlsx:Sheet1:17, or 17 alone for
the newest run; 17/2 is the second companion on the line), or an e-mail address as it was sent. The whole story
is told, newest run first: what was compared, mended and sent, every answer with its time and request id, and
what to do next.
Values of persons are masked without --show-values. Output: text for people; json and ndjson are one record a
registration; csv is one row a step.

Examples:
  eventreg runs why EV-1017
  eventreg runs why guests.xlsx:Sheet1:17 --show-values
  eventreg runs why ada@example.com --json
  eventreg runs why 17 --run 20270301-4f9a2c

Exit codes: 0 found · 1 the journal cannot be used · 2 nothing is known of it`;

/** Defines `runs why`. */
export function defineWhy(command: Command, handle: Handler<WhyOptions>): void {
  const sub = command
    .command('why <who>')
    .description('tell all that was done about one registration, and what to do next')
    .option('--run <id>', 'only what this run did')
    .addHelpText('after', HELP);
  sub.action(async () => {
    await handle(parseOptions(whyOptions, { ...rawOptions(sub), action: 'why', who: sub.args[0] }));
  });
}

/** Prints the stories of the registrations that are meant. Throws UsageError when nothing is known of any. */
export async function tellWhy(journal: Journal, options: WhyOptions, runtime: Runtime): Promise<void> {
  const run = options.run === undefined ? undefined : findRun(journal, options.run).id;
  const found = findRows(journal, options.who, run);
  if (found === undefined) throw nothingKnown(journal, options.who, run);
  const told = readStories(journal, found.rows, { run, limit: STORIES_SHOWN });
  noteRefusals(journal, options, found.by, told, runtime);
  await print(told, options, runtime);
  if (told.more === 0) return;
  const text = `${plural(told.more, 'further registration', 'further registrations')} not shown: narrow it with --run or a barcode.`;
  say(options, runtime, text);
}

async function print({ stories }: Stories, options: WhyOptions, runtime: Runtime): Promise<void> {
  const { showValues, output } = options;
  if (output === 'table') {
    const color = runtime.stdout.isTTY === true && wantsColor(options, runtime);
    const texts = stories.map((story) => `${formatStory(story, { showValues, color })}\n`);
    runtime.stdout.write(texts.join('\n'));
    return;
  }
  const writer = openRecords(options, runtime, STEP_COLUMNS);
  for (const story of stories) {
    const records = output === 'csv' ? stepRows(story) : [storyRecord(story, showValues)];
    for (const record of records) await writer.write(record);
  }
  await writer.end();
}

function nothingKnown(journal: Journal, who: string, run: string | undefined): UsageError {
  const quoted = visible(JSON.stringify(who));
  const found = findingsAbout(journal, who, run);
  if (found.length > 0) {
    return new UsageError(`No row of a file stands for ${quoted}.`, {
      hint: 'See it with `eventreg list`, and in the backups of what was deleted.',
      details: found.map((one) => visible(`Run ${one.run}: it ${one.message}.`)),
    });
  }
  const refused = listRuns(journal).flatMap(({ id, state }) => (state === 'refused' ? [id] : []));
  return new UsageError(
    run === undefined ? `No run knows of ${quoted}.` : `Run ${run} does not know of ${quoted}.`,
    {
      hint: 'Give a barcode, a place such as guests.csv:17, an e-mail address as it was sent, or the id of a registration; see the runs with `eventreg runs`.',
      details: refused.length === 0 ? [] : [`Refused runs keep no rows: ${refused.join(', ')}.`],
    },
  );
}

/** A line is told as the newest run has it; a run of the same file that was refused since kept no rows. */
function noteRefusals(
  journal: Journal,
  options: WhyOptions,
  by: FoundBy,
  { stories }: Stories,
  runtime: Runtime,
): void {
  const [chapter] = stories[0]?.chapters ?? [];
  if (by !== 'place' || chapter === undefined || options.run !== undefined) return;
  const since = listRuns(journal).filter(
    ({ state, startedAt, files }) =>
      state === 'refused' &&
      startedAt > chapter.startedAt &&
      files.some((file) => chapter.files.includes(file)),
  );
  for (const { id } of since) {
    say(
      options,
      runtime,
      `Run ${id} of the same file was refused since, and kept no rows: its lines may differ.`,
    );
  }
}
