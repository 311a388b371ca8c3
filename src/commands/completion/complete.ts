import type { Command, Option } from 'commander';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { readProfiles } from '../../settings/profiles.ts';
import { knownPersonas } from '../../settings/known-events.ts';
import { cloneNames } from '../connect/clone-files.ts';
import { pathOf } from '../options/help.ts';
import { ROW_STATES } from '../../registration/model/row-states.ts';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { OUTPUTS } from '../options/options.ts';
import { SHELLS } from './completion-command.ts';

/** A word that may stand at the cursor. */
interface Candidate {
  value: string;
  /** What it means, in a few words. */
  about: string;
}

type Load = (command: Command) => Promise<void>;

/** A line that lets the shell complete names of files. */
const FILES = ':files';

/**
 * What may stand at the cursor, a line each: the word, a tab, and what it means. All decisions are here; the shells'
 * scripts only ask and show. Nothing is evaluated, and no service is asked.
 */
export async function complete(
  { before, at }: { before: readonly string[]; at: string },
  program: Command,
  load: Load,
  runtime: Runtime,
): Promise<string> {
  const place = await findPlace(before, program, load);
  const equals = at.indexOf('=');
  if (at.startsWith('--') && equals > 0) {
    const flag = findOption(place.command, at.slice(0, equals));
    const found = flag === undefined ? [] : await candidatesOf(sourceOf(flag), runtime);
    const whole = found.map(({ value, about }) => ({ value: `${at.slice(0, equals + 1)}${value}`, about }));
    return print(whole, at);
  }
  if (place.flag !== undefined) return await printSource(sourceOf(place.flag), at, runtime);
  if (at.startsWith('-')) return print(optionsOf(place.command), at);
  const actions = actionsOf(place);
  return print(actions, at) + (await printSource(wordSource(place), at, runtime));
}

/** Where the cursor is: in which command, after how many of its words, at the value of which flag. */
interface Place {
  command: Command;
  words: number;
  flag: Option | undefined;
}

async function findPlace(before: readonly string[], program: Command, load: Load): Promise<Place> {
  let place: Place = { command: program, words: 0, flag: undefined };
  for (const word of before) {
    if (place.flag !== undefined) place = { ...place, flag: undefined };
    else if (word.startsWith('-')) {
      const flag = word.includes('=') ? undefined : findOption(place.command, word);
      place = { ...place, flag: flag?.required === true ? flag : undefined };
    } else {
      const action = place.words > 0 ? undefined : place.command.commands.find((one) => one.name() === word);
      if (action === undefined) place = { ...place, words: place.words + 1 };
      else {
        if (action.parent === program) await load(action);
        place = { command: action, words: 0, flag: undefined };
      }
    }
  }
  return place;
}

function lineage(command: Command): readonly Command[] {
  return command.parent === null ? [command] : [command, ...lineage(command.parent)];
}

function findOption(command: Command, flag: string): Option | undefined {
  const options = lineage(command).flatMap((one) => one.options);
  return options.find(({ short, long }) => flag === short || flag === long);
}

function optionsOf(command: Command): readonly Candidate[] {
  const options = lineage(command).flatMap((one) => one.options.filter(({ hidden }) => !hidden));
  const named = options.flatMap(({ long, description }) =>
    long ? [{ value: long, about: description }] : [],
  );
  return [
    ...named,
    { value: '--help', about: 'how it is used' },
    { value: '--help-all', about: 'all of it' },
  ];
}

function actionsOf({ command, words }: Place): readonly Candidate[] {
  if (words > 0) return [];
  return command.commands.map((one) => ({ value: one.name(), about: one.summary() || one.description() }));
}

function sourceOf({ long }: Option): Source {
  return FLAG_VALUES[long ?? ''] ?? [];
}

function wordSource({ command, words }: Place): Source {
  const [, ...path] = pathOf(command).split(' ');
  const { source, most } = WORD_VALUES[path.join(' ')] ?? { source: [], most: 0 };
  return words < most ? source : [];
}

async function printSource(source: Source, at: string, runtime: Runtime): Promise<string> {
  if (source === 'files') return `${FILES}\n`;
  return print(await candidatesOf(source, runtime), at);
}

async function candidatesOf(source: Source, runtime: Runtime): Promise<readonly Candidate[]> {
  const { config, state } = runtime.paths;
  switch (source) {
    case 'files':
      return [];
    case 'clones':
      return cloneNames(state).map((value) => ({ value, about: 'clone' }));
    case 'deliveries':
      return (await recentDeliveries(state)).map(({ no, about }) => ({ value: String(no), about }));
    case 'personas':
      return knownPersonas(state).map(([value, about]) => ({ value, about }));
    case 'profiles':
      return readProfiles(config)
        .names()
        .map((value) => ({ value, about: 'profile' }));
    case 'runs':
      return (await recentRuns(state)).map(({ id, about }) => ({ value: id, about }));
    default:
      return source.map((value) => ({ value, about: '' }));
  }
}

function print(candidates: readonly Candidate[], at: string): string {
  return candidates
    .filter(({ value }) => value.startsWith(at))
    .map(({ value, about }) => `${visible(value)}\t${visible(about)}\n`)
    .join('');
}

const MOST_RUNS = 20;

/** The newest runs of this machine, newest first. */
async function recentRuns(stateDir: string): Promise<readonly { id: string; about: string }[]> {
  const { peekAtRuns } = await import('../../sync/journal/journal-schema.ts');
  return peekAtRuns(stateDir, MOST_RUNS).map(({ id, kind, state }) => ({ id, about: `${kind}, ${state}` }));
}

const MOST_DELIVERIES = 20;

/** The newest deliveries that came to this machine, newest first. */
async function recentDeliveries(stateDir: string): Promise<readonly { no: number; about: string }[]> {
  const { peekAtDeliveries } = await import('../../webhooks/deliveries/webhook-database.ts');
  return peekAtDeliveries(stateDir, MOST_DELIVERIES);
}

/** Where the words come from that may stand at a place. */
export type Source = 'clones' | 'deliveries' | 'files' | 'personas' | 'profiles' | 'runs' | readonly string[];

/** What may follow a flag; of any other nothing is known. */
const FLAG_VALUES: Readonly<Record<string, Source>> = {
  '--backup': 'files',
  '--body': 'files',
  '--respond': ['200', '500', 'slow'],
  '--blank': ['omit', 'clear'],
  '--data': 'files',
  '--file': 'files',
  '--invalid': ['stop', 'skip'],
  '--mapping': 'files',
  '--match': ['barcode', 'email', 'none'],
  '--output': OUTPUTS,
  '--persona': 'personas',
  '--plan': 'files',
  '--plan-out': 'files',
  '--profile': 'profiles',
  '--progress': ['auto', 'bar', 'text', 'none'],
  '--rejects': 'files',
  '--registrations': ['none', 'masked', 'as-they-are'],
  '--report': ['html=', 'junit='],
  '--run': 'runs',
  '--scheme': ['auto', ...SCHEME_NAMES],
  '--sign': SCHEME_NAMES,
  '--verify': ['auto', ...SCHEME_NAMES, 'off'],
  '--sandbox': 'clones',
  '--state': ROW_STATES,
  '--to': 'files',
  '--write-mapping': 'files',
};

/** What the words of a command may be, and how many of them there are at most. */
const WORD_VALUES: Readonly<Record<string, { source: Source; most: number }>> = {
  completion: { source: SHELLS, most: 1 },
  'event fields': { source: 'personas', most: 1 },
  'event schema': { source: 'personas', most: 1 },
  'event template': { source: 'personas', most: 1 },
  'profiles remove': { source: 'profiles', most: 1 },
  'profiles show': { source: 'profiles', most: 1 },
  'profiles use': { source: 'profiles', most: 1 },
  push: { source: 'files', most: Number.POSITIVE_INFINITY },
  'runs bundle': { source: 'runs', most: 1 },
  'runs decide': { source: 'runs', most: 1 },
  'runs report': { source: 'runs', most: 1 },
  'runs purge': { source: 'runs', most: 1 },
  'runs show': { source: 'runs', most: 1 },
  'runs undo': { source: 'runs', most: 1 },
  'sandbox mask': { source: 'files', most: 1 },
  'sandbox reset': { source: 'clones', most: 1 },
  'sandbox sample': { source: 'files', most: 1 },
  'webhooks deliveries show': { source: 'deliveries', most: 1 },
  'webhooks replay': { source: 'deliveries', most: Number.POSITIVE_INFINITY },
};
