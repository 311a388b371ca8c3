import { UsageError } from '../../errors.ts';
import { type Finding, readFindings } from '../../sync/journal/steps.ts';
import { findRows, type RowRef } from '../../sync/journal/find-rows.ts';
import { listRuns } from '../../sync/journal/runs.ts';
import { utcMinute } from '../../report/words/time-words.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { namesIn } from '../../report/words/who.ts';
import { readStories, type Story, type Stories } from '../../sync/tell/story.ts';
import { visible } from '../../report/words/escape.ts';
import { plural, formatCount } from '../../report/words/number.ts';
import { cloneIn, isSandbox, serviceName } from '../../report/words/service-name.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import { STEP_COLUMNS, stepRows, storyRecord } from '../../report/story/story-record.ts';
import { formatStory } from '../../report/story/story-text.ts';
import type { StoryView } from '../../report/views/story-view.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { tellIdsOf } from '../connect/tell-ids.ts';
import { findRun } from './runs-list.ts';
import { addressInUse, lookAtStories } from './runs-why-look.ts';
import { typedCommand } from '../options/help.ts';
import { hasColor, printRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { foldLetters, nameWords } from '../../registration/rules/fold-letters.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';

/** More registrations than anybody reads at once. */
const STORIES_SHOWN = 20;

/** Prints the stories of the registrations that are meant. Throws UsageError when nothing is known of any. */
export async function tellWhy(journal: Journal, call: Call<RunsOptionsOf<'why'>>): Promise<void> {
  const { options, runtime } = call;
  const run = options.run === undefined ? undefined : findRun(journal, options.run).id;
  const all = findRows(journal, options.who, { run });
  if (all.length === 0) throw nothingKnown(journal, options.who, run);
  const services = run === undefined ? servicesInUse(journal, call) : [];
  // The one list may have gone to several services: who has chosen one means that.
  const own = services.length === 0 ? [] : findRows(journal, options.who, { services });
  if (own.length > 0) tellElsewhere(journal, all, services, call);
  const told = readStories(journal, own.length > 0 ? own : all, { run, limit: STORIES_SHOWN });
  // Whoever asks for one reads one: programs get all.
  if (options.output === 'table' && told.stories.length + told.more > 1) {
    listStories(journal, told, call);
    return;
  }
  const views = await lookAtStories(journal, told.stories, call);
  for (const { chapters } of views) for (const { service } of chapters) tellIdsOf(runtime, service);
  tellUnasked(views, call);
  await print(views, call);
  await tellPrograms(call, 'runs-why@1', { not_shown: told.more });
  if (told.more === 0) return;
  const text = `${plural(told.more, 'further registration', 'further registrations')} not shown: narrow it with --run or a barcode.`;
  say(call, text);
}

/** Services that runs were at, and that the settings in use lead to; none where there are no settings. */
function servicesInUse(journal: Journal, call: Call<RunsOptionsOf<'why'>>): string[] {
  const known = [...new Set(listRuns(journal).map(({ service }) => service))];
  const { sandbox } = call.options;
  if (sandbox) {
    const clone = typeof sandbox === 'string' ? sandbox : undefined;
    return known.filter((service) => isSandbox(service) && cloneIn(service) === clone);
  }
  const address = addressInUse(call);
  return known.filter((service) => service === address);
}

/** Says where else somebody who fits was sent to, with what to type for that. A clone has the people of its event anyway. */
function tellElsewhere(
  journal: Journal,
  rows: readonly RowRef[],
  services: readonly string[],
  call: Call<RunsOptionsOf<'why'>>,
): void {
  const { options } = call;
  const ids = new Set(rows.map(({ run }) => run));
  const runs = listRuns(journal).filter(
    ({ id, service }) => ids.has(id) && !services.includes(service) && cloneIn(service) === undefined,
  );
  const newest = new Map(runs.toReversed().map((run) => [JSON.stringify([run.service, run.event]), run]));
  for (const { id, eventName, service } of newest.values()) {
    const command = typedCommand(['runs', 'why', options.who, '--run', id], options);
    say(call, `It also fits in ${eventName} at ${serviceName(service)}: ${command}`);
  }
}

/** Where the story itself says so, that is enough. */
function tellUnasked(stories: readonly StoryView[], call: Call<RunsOptionsOf<'why'>>): void {
  if (call.options.output === 'table') return;
  const whys = stories.map(({ look }) => (look.kind === 'not-asked' ? look.why : undefined));
  for (const why of new Set(whys)) {
    if (why !== undefined) say(call, `The service was not asked: ${why}.`);
  }
}

async function print(stories: readonly StoryView[], call: Call<RunsOptionsOf<'why'>>): Promise<void> {
  const { options, runtime } = call;
  const { showValues, output } = options;
  if (output === 'table') {
    const color = hasColor(call, 'stdout');
    const texts = stories.map((story) => formatStory(story, { showValues, color }));
    writeMessage(runtime.stdout, texts.join('\n\n'));
    if (!showValues) say(call, 'Values of persons are masked; --show-values shows them.');
    return;
  }
  const records = stories.flatMap((story) =>
    output === 'csv' ? stepRows(story) : [storyRecord(story, showValues)],
  );
  await printRecords(records, call, STEP_COLUMNS, ['runs-why@1', 'stories']);
}

function nothingKnown(journal: Journal, who: string, run: string | undefined): UsageError {
  const quoted = visible(JSON.stringify(who));
  const runs = listRuns(journal).filter(({ state }) => state !== 'reading');
  const found = runs.flatMap(({ id }) =>
    id === (run ?? id)
      ? readFindings(journal, id)
          .filter((one) => isAbout(one, who))
          .map(({ message }) => ({ run: id, message }))
      : [],
  );
  if (found.length > 0) {
    return new UsageError(`No row of a file stands for ${quoted}.`, {
      hint: 'See it with `eventreg list`, and in the backups of what was deleted.',
      details: found.map((one) => visible(`Run ${one.run}: it ${one.message}.`)),
    });
  }
  const oldest = runs.at(-1);
  const all = oldest && `${plural(runs.length, 'run', 'runs')} since ${utcMinute(oldest.startedAt)}`;
  const where = run === undefined ? (all ?? 'no run: this machine has none') : `run ${run}`;
  return new UsageError(
    run === undefined ? `No run knows of ${quoted}.` : `Run ${run} does not know of ${quoted}.`,
    {
      hint: 'Give a barcode, a place such as guests.csv:17, an e-mail address as it was sent, parts of a name, or the id of a registration. What the service holds: `eventreg list --name`.',
      details: [
        `Looked for among barcodes, ids, places, e-mail addresses and names that were sent, in ${where}. Of rejected rows only barcodes, places and the refused values are kept.`,
      ],
    },
  );
}

/** Of a registration that no row stands for. */
const isAbout = ({ seq, id, barcode }: Finding, who: string): boolean =>
  seq === undefined && (id === who || barcode === who);

type WhyOptions = RunsOptionsOf<'why'>;

/** Prints who all may be meant, each with what to type for that one. */
function listStories(journal: Journal, { stories, more }: Stories, call: Call<WhyOptions>): void {
  const { options, runtime } = call;
  const head = `${formatCount(stories.length + more)} registrations fit ${JSON.stringify(options.who)}.`;
  const differ = new Set(stories.map(([first]) => first?.view.service)).size > 1;
  const lines = stories.flatMap((story) => [
    `${describe(story, options)}, ${eventOf(story, differ)}`,
    `    ${typedCommand(wordsFor(journal, story), options)}`,
  ]);
  writeMessage(runtime.stdout, [head, ...lines].map(visible).join('\n'));
  if (more > 0) {
    say(call, `${plural(more, 'more is', 'more are')} not shown: give more of the name, or --run.`);
  }
}

/** `A•• L•••••••, guests.csv:17, visitor, done` */
function describe([first]: Story, options: WhyOptions): string {
  const { place, persona, state } = first?.view ?? {};
  const who = namesAndAsked(first?.row.payload?.fields ?? {}, options);
  return [...(who === '' ? [] : [who]), place, persona, state]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The event, and where it is when that is not the same of all. */
function eventOf([first]: Story, differ: boolean): string {
  const { event = '', service = '' } = first?.view ?? {};
  return differ ? `${event} at ${serviceName(service)}` : event;
}

/** The name, and what was asked for. */
function namesAndAsked(fields: Readonly<Record<string, unknown>>, { who, showValues }: WhyOptions): string {
  const words = nameWords(who);
  const values = Object.values(fields).filter((value) => typeof value === 'string');
  const names = namesIn(fields);
  const asked = values.filter(
    (value) => !names.includes(value) && words.some((word) => foldLetters(value).includes(word)),
  );
  const shown = [...names, ...asked.slice(0, 1)];
  return shown.map((value) => maskUnless(showValues, value)).join(' ');
}

/** Words by which this one is found, and no other. */
function wordsFor(journal: Journal, story: Story): string[] {
  const known = <T>(pick: (chapter: Story[number]['view']) => T | undefined): T[] =>
    story.flatMap(({ view }) => pick(view) ?? []).slice(0, 1);
  const [run = ''] = known((view) => view.run);
  const places = known((view) => view.place).flatMap((place) => [place, `${place}/0`]);
  const names = [...known((view) => view.barcode), ...known((view) => view.registrationId)];
  // A line means another one as soon as the file is pushed again.
  const ways = [names, places].flatMap((some) => [
    ...some.map((name) => [name]),
    ...some.map((name) => [name, '--run', run]),
  ]);
  const fitting = ways.find(([name = '', , of]) => isAlone(journal, story, name, of));
  return fitting === undefined ? ['runs', 'show', run] : ['runs', 'why', ...fitting];
}

/** Whether these words lead to this story, and to no other. */
function isAlone(journal: Journal, story: Story, name: string, run: string | undefined): boolean {
  const { stories, more } = readStories(journal, findRows(journal, name, { run }), { run, limit: 1 });
  const rows = new Set(story.map(keyOf));
  return more === 0 && stories.some((other) => other.some((one) => rows.has(keyOf(one))));
}

const keyOf = ({ view, row }: Story[number]): string => `${view.run}:${row.seq}`;
