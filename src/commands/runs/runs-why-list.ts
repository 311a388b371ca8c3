import { foldLetters, nameWords } from '../../registration/rules/fold-letters.ts';
import { visible } from '../../report/words/escape.ts';
import { mask } from '../../report/words/mask.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { findRows } from '../../sync/journal/find-rows.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Story } from '../../sync/tell/story.ts';
import { readStories, type Stories } from '../../sync/tell/story.ts';
import { typedCommand } from '../options/typed-command.ts';
import { say, type Call } from '../terminal/terminal.ts';
import type { RunsOptionsOf } from './runs-options.ts';

type WhyOptions = RunsOptionsOf<'why'>;

/** Prints who all may be meant, each with what to type for that one. */
export function listStories(journal: Journal, { stories, more }: Stories, call: Call<WhyOptions>): void {
  const { options, runtime } = call;
  const head = `${formatCount(stories.length + more)} registrations fit ${JSON.stringify(options.who)}.`;
  const differ = new Set(stories.map(({ chapters }) => chapters[0]?.view.service)).size > 1;
  const lines = stories.flatMap((story) => [
    `${describe(story, options)}, ${eventOf(story, differ)}`,
    `    ${typedCommand(wordsFor(journal, story), options)}`,
  ]);
  runtime.stdout.write(`${[head, ...lines].map(visible).join('\n')}\n`);
  if (more > 0) {
    say(call, `${plural(more, 'more is', 'more are')} not shown: give more of the name, or --run.`);
  }
}

/** `A•• L•••••••, guests.csv:17, visitor, done` */
function describe({ chapters }: Story, options: WhyOptions): string {
  const [first] = chapters;
  const { place, persona, state } = first?.view ?? {};
  const who = namesIn(first?.row.payload?.fields ?? {}, options);
  return [...(who === '' ? [] : [who]), place, persona, state]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The event, and where it is when that is not the same of all. */
function eventOf({ chapters }: Story, differ: boolean): string {
  const { event = '', service = '' } = chapters[0]?.view ?? {};
  return differ ? `${event} at ${serviceName(service)}` : event;
}

/** The first two values, which most often are the name, and what was asked for. */
function namesIn(fields: Readonly<Record<string, unknown>>, { who, showValues }: WhyOptions): string {
  const words = nameWords(who);
  const values = Object.values(fields).filter((value) => typeof value === 'string');
  const asked = values.slice(2).filter((value) => words.some((word) => foldLetters(value).includes(word)));
  const shown = [...values.slice(0, 2), ...asked.slice(0, 1)];
  return shown.map((value) => (showValues ? value : mask(value))).join(' ');
}

/** Words by which this one is found, and no other. */
function wordsFor(journal: Journal, story: Story): string[] {
  const { chapters } = story;
  const known = <T>(pick: (chapter: Story['chapters'][number]['view']) => T | undefined): T[] =>
    chapters.flatMap(({ view }) => pick(view) ?? []).slice(0, 1);
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
  const rows = new Set(story.chapters.map(keyOf));
  return more === 0 && stories.some(({ chapters }) => chapters.some((one) => rows.has(keyOf(one))));
}

const keyOf = ({ view, row }: Story['chapters'][number]): string => `${view.run}:${row.seq}`;
