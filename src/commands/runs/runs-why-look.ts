import { EventregError, EXIT } from '../../errors.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { knownAt, lookUp, tellStory } from '../../sync/tell/advice.ts';
import type { Story } from '../../sync/tell/story.ts';
import { cloneIn, isSandbox, serviceName } from '../../report/words/service-name.ts';
import type { LookView, StoryView } from '../../report/views/story-view.ts';
import { given } from '../../settings/env.ts';
import { existingProfile, readProfiles } from '../../settings/profiles.ts';
import { checkServiceUrl } from '../../settings/service-url.ts';
import { connect } from '../connect/connection.ts';
import type { GlobalOptions } from '../options/options.ts';
import { typedCommand } from '../options/help.ts';
import type { Call } from '../terminal/terminal.ts';

/**
 * Asks the services that some stories are about what they hold now, each once, and tells the stories with that. One
 * that cannot be asked is no error: what is last known is told then, and why it is only that.
 */
export async function lookAtStories(
  journal: Journal,
  stories: readonly Story[],
  call: Call<GlobalOptions & { offline: boolean }>,
): Promise<StoryView[]> {
  const { options, runtime } = call;
  const looks = new Map<Story, LookView>();
  for (const own of byEvent(stories)) {
    const asked = options.offline ? undefined : await askService(journal, own, call);
    if (Array.isArray(asked)) for (const [at, look] of asked.entries()) looks.set(own[at] as Story, look);
    else {
      const at = runtime.clock.now();
      for (const story of own) {
        looks.set(story, { kind: 'not-asked', why: asked, at, knownAt: knownAt(story) });
      }
    }
  }
  return stories.map((story) => {
    const way = wayTo(story[0]?.view.service ?? '', call);
    return tellStory(story, looks.get(story) as LookView, (words) => typedCommand(words, way));
  });
}

/** The stories of one event of one service, of each. */
function byEvent(stories: readonly Story[]): Story[][] {
  const groups = new Map<string, Story[]>();
  for (const story of stories) {
    const [chapter] = story;
    const key = JSON.stringify([chapter?.view.service, chapter?.run.event]);
    groups.set(key, [...(groups.get(key) ?? []), story]);
  }
  return [...groups.values()];
}

const SILENT = { report: () => undefined };

/** What it holds, or, as a clause, why it could not be asked. */
async function askService(
  journal: Journal,
  stories: readonly Story[],
  call: Call,
): Promise<LookView[] | string> {
  const { runtime } = call;
  const [chapter] = stories.flat();
  const { service = '' } = chapter?.view ?? {};
  try {
    const connection = await connect({ options: wayTo(service, call), runtime });
    try {
      const { client } = connection;
      if (connection.service !== service) return otherService(service, connection.label);
      const event = await client.getEvent();
      if (event.eventId !== chapter?.run.event)
        return `the token is for another event: ${event.name || event.slug}`;
      const now = (): number => runtime.clock.now();
      const { registrations } = client;
      const { stopping } = runtime;
      const target = { service, eventId: event.eventId, eventName: event.name };
      const from = { journal, target, registrations, event, stopping, reporter: SILENT, now };
      return await lookUp(stories, from);
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof EventregError) || error.exitCode === EXIT.interrupted) throw error;
    return error.message.replace(/\.$/, '');
  }
}

const otherService = (service: string, label: string): string =>
  isSandbox(service)
    ? 'the embedded sandbox has been reset since'
    : `it is at ${serviceName(service)}, and the profile in use is for ${label}; choose another with --profile`;

/** Address of the service that the settings in use lead to; undefined where they lead to none. */
export function addressInUse({ options, runtime: { env, paths } }: Call): string | undefined {
  try {
    const { profile } = existingProfile(readProfiles(paths.config), options.profile, env);
    return hrefOf(given(env, 'EVENTREG_BASE_URL') ?? profile.baseUrl);
  } catch (error) {
    // What is wrong with them is said when the service is to be asked.
    if (error instanceof EventregError) return undefined;
    throw error;
  }
}

/** A sandbox needs no flag, and a service whose profile is not the one in use is found by its address. */
function wayTo(service: string, call: Call): GlobalOptions {
  const { options, runtime } = call;
  if (isSandbox(service)) return { ...options, sandbox: cloneIn(service) ?? true, quiet: true };
  const plain = { ...options, sandbox: false };
  if (options.profile !== undefined || runtime.env['EVENTREG_BASE_URL']) return plain;
  try {
    const store = readProfiles(runtime.paths.config);
    const current = runtime.env['EVENTREG_PROFILE'] || store.current();
    const fits = [current, ...store.names()].find((name) => hrefOf(store.get(name)?.baseUrl) === service);
    return fits === undefined || fits === current ? plain : { ...plain, profile: fits };
  } catch (error) {
    // What is wrong with them is said when the service is to be asked.
    if (error instanceof EventregError) return plain;
    throw error;
  }
}

const hrefOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : checkServiceUrl(address, 'The address').href;
