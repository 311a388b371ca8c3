import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { type BookRules, bookWriter, findingsOf, readBook } from './private-file.ts';
import { type Env, given } from './env.ts';
import * as z from 'zod';

/** A letter or digit first: it can then be neither a flag, nor `..`, nor `__proto__`. */
const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Path segments of unreserved characters; `.` and `..` are excluded below. */
const PATH = /^(\/[A-Za-z0-9._~:{}-]+)+$/;

/** The name itself. Throws UsageError when it cannot be the name of a profile. */
export function checkProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name;
  throw new UsageError('That is not a name for a profile.', {
    hint: 'Use letters, digits and - _ . (a letter or digit first, 64 characters at most).',
  });
}

const address = z.string().regex(/^[\x21-\x7e]+$/, 'must be a web address');

const path = z
  .string()
  .regex(PATH, 'must be a path such as /event')
  .refine(
    (text) => !text.split('/').some((part) => part === '.' || part === '..'),
    'must not contain . or ..',
  );
const plainPath = path.refine((text) => !/[{}]/.test(text), 'must not contain { or }');
const NEEDS_ID = 'must contain {id} once';
const pathOfOne = path.refine((text) => /^[^{}]*\{id\}[^{}]*$/.test(text), NEEDS_ID);

/** `[METHOD ]PATH[?QUERY][ {"KEY": {id}}]`, with `{event_id}` wherever that of the event belongs. */
const operation = z
  .string()
  .regex(
    /^(?:(?:GET|POST|PUT|PATCH|DELETE) )?(?:\/(?!\.{1,2}(?:[/?]|$))(?:[\w.~:-]|\{(?:event_)?id\})+)+(?:\?(?:[\w.~:=&[\]-]|\{(?:event_)?id\})+)?(?: \{"[\w.-]+": ?(?:\{id\}|"\{id\}")\})?$/,
    'must be like "PATCH /v1/webhooks/{id}?event_id={event_id}" or "DELETE /v1/webhooks" with the body {"id": {id}} behind it',
  );
const operationOnAll = operation.refine((text) => !text.includes('{id}'), 'must not contain {id}');
const operationOnOne = operation.refine((text) => text.split('{id}').length === 2, NEEDS_ID);

/** Where a service is and how it behaves. Its token is kept apart. Unknown keys are errors: they are misspelt ones. */
const profileSchema = z.strictObject({
  baseUrl: address.exactOptional(),
  integUrl: address.exactOptional(),
  /** Time for one request, in seconds. */
  timeout: z.number().positive().max(3600).exactOptional(),
  /** How long to wait before an uncertain row is looked up, in seconds. */
  settleSeconds: z.number().nonnegative().max(86_400).exactOptional(),
  /** The service's 503 with Retry-After means refused, not processed. */
  refuses503: z.boolean().exactOptional(),
  /** What a delete names a registration by; the id that it shows unless given. */
  registrationId: z.literal('barcode').exactOptional(),
  /** How the service wants `fields`: keyed by slug, or as a list of slug and value. Found out unless it is set. */
  fields: z.enum(['object', 'entries']).exactOptional(),
  /** What is shared and where, as in "fair-2027 at db.example.com/eventreg"; address and key are kept with the token. */
  state: z.string().min(1).exactOptional(),
  /** How the service signs deliveries of webhooks: a name or a SPEC of `webhooks verify`. Found out unless it is set. */
  webhookScheme: z.string().min(1).exactOptional(),
  /** Where operations are, where that differs from the usual; those of webhooks may say their method and a query. */
  endpoints: z
    .strictObject({
      event: plainPath.exactOptional(),
      registrations: plainPath.exactOptional(),
      registration: pathOfOne.exactOptional(),
      listWebhooks: operationOnAll.exactOptional(),
      createWebhook: operationOnAll.exactOptional(),
      updateWebhook: operationOnOne.exactOptional(),
      deleteWebhook: operationOnOne.exactOptional(),
    })
    .exactOptional(),
});
export type Profile = z.infer<typeof profileSchema>;
export type EndpointName = keyof NonNullable<Profile['endpoints']>;

/** The whole of profiles.json. */
const profileBookSchema = z.strictObject({
  current: z.string().regex(PROFILE_NAME).exactOptional(),
  profiles: z.record(z.string().regex(PROFILE_NAME, 'is not a name for a profile'), profileSchema),
});
type ProfileBook = z.infer<typeof profileBookSchema>;

const FIRST_PROFILE = 'default';

const RULES: BookRules<ProfileBook> = {
  schema: profileBookSchema,
  whenDamaged: (details) => ({
    hint: 'Mend it by hand, or move it away and run `eventreg login` again.',
    details,
  }),
};

/** What can be asked of the profiles. Every method reads the file anew; UsageError when it is damaged. */
interface ProfileReader {
  /** In alphabetical order. */
  names(): string[];
  get(name: string): Profile | undefined;
  /** The profile in use when none is named; `default` at first, whether it exists or not. */
  current(): string;
  file: string;
}

export interface ProfileStore extends ProfileReader {
  /** Creates or replaces a profile. */
  set(name: string, profile: Profile): void;
  /** False when there was none. The current profile is `default` again when it was this one. */
  remove(name: string): boolean;
  /** Makes an existing profile the current one. Throws UsageError naming the known ones. */
  use(name: string): void;
}

/**
 * The profiles of a config directory, for commands that only read them: conf, which takes longer to
 * load than most commands run, is left out. Throws UsageError when the file is damaged.
 */
export function readProfiles(configDir: string): ProfileReader {
  const file = join(configDir, 'profiles.json');
  const read = (): ProfileBook => readFile(file);
  read();
  return {
    file,
    names: () => [...profilesOf(read()).keys()].sort(),
    get: (name) => profilesOf(read()).get(name),
    current: () => read().current ?? FIRST_PROFILE,
  };
}

/**
 * The profiles of a config directory. Nothing is created before the first change.
 * Throws UsageError when the file is damaged: it is never overwritten then.
 */
export async function openProfiles(configDir: string): Promise<ProfileStore> {
  const reader = readProfiles(configDir);
  const write = await bookWriter(reader.file, RULES);
  const all = (): Map<string, Profile> => profilesOf(readFile(reader.file));
  const save = (profiles: ReadonlyMap<string, Profile>, current: string): void =>
    write({ current, profiles: Object.fromEntries(profiles) });
  return {
    ...reader,
    set: (name, profile) => save(all().set(checkProfileName(name), checkProfile(profile)), reader.current()),
    remove: (name) => {
      const profiles = all();
      if (!profiles.delete(name)) return false;
      save(profiles, reader.current() === name ? FIRST_PROFILE : reader.current());
      return true;
    },
    use: (name) => {
      if (!all().has(name)) throw unknownProfile(checkProfileName(name), reader);
      save(all(), name);
    },
  };
}

export function unknownProfile(name: string, store: ProfileReader): UsageError {
  const names = store.names();
  return new UsageError(`There is no profile ${name}.`, {
    hint:
      names.length === 0
        ? 'There are no profiles yet: `eventreg login` creates one.'
        : `Profiles: ${names.join(', ')}. \`eventreg login --profile ${name}\` creates it.`,
  });
}

function readFile(file: string): ProfileBook {
  return readBook(file, RULES) ?? { profiles: {} };
}

/** A Map: names such as `constructor` must not find what every object inherits. */
function profilesOf(book: ProfileBook): Map<string, Profile> {
  return new Map(Object.entries(book.profiles));
}

function checkProfile(profile: Profile): Profile {
  const parsed = profileSchema.safeParse(profile);
  if (parsed.success) return parsed.data;
  throw new UsageError('The profile has wrong settings.', { details: findingsOf(parsed.error) });
}

/** Name of the profile to use: the flag, EVENTREG_PROFILE, or the current one. It need not exist. */
export function chooseProfile(store: ProfileReader, flag: string | undefined, env: Env): string {
  return checkProfileName(flag ?? given(env, 'EVENTREG_PROFILE') ?? store.current());
}

/** As `chooseProfile`, with its settings. One that is named must exist: UsageError lists the known ones. */
export function existingProfile(
  store: ProfileReader,
  flag: string | undefined,
  env: Env,
): { name: string; profile: Profile } {
  const name = chooseProfile(store, flag, env);
  const profile = store.get(name);
  if (profile === undefined && name !== store.current()) throw unknownProfile(name, store);
  return { name, profile: profile ?? {} };
}
