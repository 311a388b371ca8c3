import type { Command } from 'commander';
import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { findingsAbout } from '../push/findings.ts';
import { findRows } from '../push/find-rows.ts';
import type { Journal } from '../push/journal.ts';
import { readStories } from '../push/story.ts';
import { visible } from '../report/escape.ts';
import { plural } from '../report/number.ts';
import { STEP_COLUMNS, stepRows, storyRecord } from '../report/story-record.ts';
import { formatStory } from '../report/story-text.ts';
import type { StoryView } from '../report/story-view.ts';
import type { Runtime } from '../runtime.ts';
import { globalOptions, type Handler, parseOptions, rawOptions } from './options.ts';
import { findRun } from './runs-find.ts';
import { lookAtStories } from './runs-why-look.ts';
import { openRecords, say, wantsColor } from './terminal.ts';

export const whyOptions = globalOptions.extend({
  action: z.literal('why'),
  /** Barcode, place, e-mail address or id of a registration. */
  who: z.string().min(1),
  /** Only what this run did. */
  run: z.string().optional(),
  /** Tell what is last known, without asking the service. */
  offline: z.boolean().default(false),
});
export type WhyOptions = z.infer<typeof whyOptions>;

/** More registrations than anybody reads at once. */
const STORIES_SHOWN = 20;

const HELP = `
<who> is a barcode, the id of a registration, a place (guests.csv:17, guests.xlsx:Sheet1:17, or 17 alone for
the newest run; 17/2 is the second companion on the line), or an e-mail address as it was sent. The whole story
is told: what the service holds now, value by value, and then run by run, what was done last first, what was
compared, mended and sent, every answer with its time and request id, and what to do next. Where the service
cannot be reached, and with --offline, it is what was last known, and when.
Values of persons are masked without --show-values. Output: text for people; json and ndjson are one record a
registration; csv is one row a step.

Examples:
  eventreg runs why EV-1017
  eventreg runs why guests.xlsx:Sheet1:17 --show-values
  eventreg runs why ada@example.com --json
  eventreg runs why 17 --run 20270301-4f9a2c --offline

Exit codes: 0 found · 1 the journal cannot be used · 2 nothing is known of it`;

/** Defines `runs why`. */
export function defineWhy(command: Command, handle: Handler<WhyOptions>): void {
  const sub = command
    .command('why <who>')
    .description(
      'tell what the service holds of one registration, all that was done about it, and what to do next',
    )
    .option('--run <id>', 'only what this run did')
    .option('--offline', 'do not ask the service: tell what is last known')
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
  const views = await lookAtStories(told.stories, options, runtime);
  tellUnasked(views, options, runtime);
  await print(views, options, runtime);
  if (told.more === 0) return;
  const text = `${plural(told.more, 'further registration', 'further registrations')} not shown: narrow it with --run or a barcode.`;
  say(options, runtime, text);
}

/** Where the story itself says so, that is enough. */
function tellUnasked(stories: readonly StoryView[], options: WhyOptions, runtime: Runtime): void {
  if (options.output === 'table') return;
  const whys = stories.map(({ look }) => (look.kind === 'not-asked' ? look.why : undefined));
  for (const why of new Set(whys)) {
    if (why !== undefined) say(options, runtime, visible(`The service was not asked: ${why}.`));
  }
}

async function print(stories: readonly StoryView[], options: WhyOptions, runtime: Runtime): Promise<void> {
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
  return new UsageError(
    run === undefined ? `No run knows of ${quoted}.` : `Run ${run} does not know of ${quoted}.`,
    {
      hint: 'Give a barcode, a place such as guests.csv:17, an e-mail address as it was sent, or the id of a registration; see the runs with `eventreg runs`.',
    },
  );
}
