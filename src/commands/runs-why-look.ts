import { EventregError, EXIT } from '../errors.ts';
import { knownAt, lookUp } from '../push/story-look.ts';
import type { Story } from '../push/story.ts';
import { isSandbox, serviceName } from '../report/service-name.ts';
import type { LookView } from '../report/story-view.ts';
import type { Runtime } from '../runtime.ts';
import { readProfiles } from '../settings/profiles.ts';
import { checkServiceUrl } from '../settings/service-url.ts';
import { connect } from './connection.ts';
import type { GlobalOptions } from './options.ts';

/**
 * Asks the services that some stories are about what they hold now, each once. One that cannot be asked is no
 * error: what is last known is told then, and why it is only that.
 */
export async function lookAtStories(
  stories: readonly Story[],
  options: GlobalOptions & { offline: boolean },
  runtime: Runtime,
): Promise<LookView[]> {
  const looks: LookView[] = stories.map(({ chapters }) => {
    return { kind: 'not-asked', why: undefined, at: runtime.clock.now(), knownAt: knownAt(chapters) };
  });
  if (options.offline) return looks;
  for (const places of byEvent(stories)) {
    const own = places.flatMap((at) => stories[at] ?? []);
    const asked = await askService(own, options, runtime);
    for (const [index, at] of places.entries()) {
      const [look, before] = [typeof asked === 'string' ? undefined : asked[index], looks[at]];
      if (look !== undefined) looks[at] = look;
      else if (before?.kind === 'not-asked') looks[at] = { ...before, why: String(asked) };
    }
  }
  return looks;
}

/** Where the stories of one event of one service stand. */
function byEvent(stories: readonly Story[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [at, { chapters }] of stories.entries()) {
    const [chapter] = chapters;
    const key = JSON.stringify([chapter?.view.service, chapter?.event]);
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  return [...groups.values()];
}

/** What it holds, or, as a clause, why it could not be asked. */
async function askService(
  stories: readonly Story[],
  options: GlobalOptions,
  runtime: Runtime,
): Promise<LookView[] | string> {
  const [chapter] = stories.flatMap(({ chapters }) => chapters);
  const { service = '' } = chapter?.view ?? {};
  try {
    const connection = await connect(optionsFor(service, options, runtime), runtime);
    try {
      const { client } = connection;
      if (connection.service !== service) return otherService(service, connection.label);
      const event = await client.getEvent();
      if (event.eventId !== chapter?.event)
        return `the token is for another event: ${event.name || event.slug}`;
      const now = (): number => runtime.clock.now();
      return await lookUp(stories, { registrations: client.registrations, event, now });
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

/** A sandbox needs no flag, and a service whose profile is not the one in use is found by its address. */
function optionsFor(service: string, options: GlobalOptions, runtime: Runtime): GlobalOptions {
  if (isSandbox(service)) return { ...options, sandbox: true, quiet: true };
  const plain = { ...options, sandbox: false };
  if (options.profile !== undefined || runtime.env['EVENTREG_BASE_URL']) return plain;
  const store = readProfiles(runtime.paths.config);
  const isFor = (name: string): boolean => {
    const baseUrl = store.get(name)?.baseUrl;
    return (
      baseUrl !== undefined && checkServiceUrl(baseUrl, `The address in profile ${name}`).href === service
    );
  };
  const fits = [runtime.env['EVENTREG_PROFILE'] || store.current(), ...store.names()].find(isFor);
  return fits === undefined ? plain : { ...plain, profile: fits };
}
