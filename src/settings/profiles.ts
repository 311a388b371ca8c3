import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { errorCode, makePrivateDirectory } from './private-file.ts';
import {
  checkProfileName,
  type Profile,
  type ProfileBook,
  profileBookSchema,
  profileSchema,
} from './profile.ts';

const FIRST_PROFILE = 'default';

/** What can be asked of the profiles. Every method reads the file anew; UsageError when it is damaged. */
export interface ProfileReader {
  /** In alphabetical order. */
  names(): string[];
  get(name: string): Profile | undefined;
  /** The profile in use when none is named; `default` at first, whether it exists or not. */
  current(): string;
  file: string;
}

/** The profiles, to be changed. */
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
  const read = (): ProfileBook => readBook(file);
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
  const { default: Conf } = await import('conf');
  const save = (profiles: ReadonlyMap<string, Profile>, current: string): void => {
    // Before conf, which would create it open to others.
    makePrivateDirectory(configDir);
    attempt(reader.file, 'written', () => {
      const conf = new Conf<ProfileBook>({
        cwd: configDir,
        configName: 'profiles',
        projectSuffix: '',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        deserialize: (text) => parseBook(text, reader.file),
      });
      conf.store = { current, profiles: Object.fromEntries(profiles) };
    });
  };
  return { ...reader, ...changes(reader, save) };
}

/** What to say when a named profile does not exist. */
export function unknownProfile(name: string, store: ProfileReader): UsageError {
  const names = store.names();
  return new UsageError(`There is no profile ${name}.`, {
    hint:
      names.length === 0
        ? 'There are no profiles yet: `eventreg login` creates one.'
        : `Profiles: ${names.join(', ')}. \`eventreg login --profile ${name}\` creates it.`,
  });
}

function changes(
  reader: ProfileReader,
  save: (profiles: ReadonlyMap<string, Profile>, current: string) => void,
): Pick<ProfileStore, 'set' | 'remove' | 'use'> {
  const all = (): Map<string, Profile> => profilesOf(readBook(reader.file));
  return {
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

/** A Map: names such as `constructor` must not find what every object inherits. */
function profilesOf(book: ProfileBook): Map<string, Profile> {
  return new Map(Object.entries(book.profiles));
}

function readBook(file: string): ProfileBook {
  return attempt(file, 'read', () =>
    existsSync(file) ? parseBook(readFileSync(file, 'utf8'), file) : { profiles: {} },
  );
}

function checkProfile(profile: Profile): Profile {
  const parsed = profileSchema.safeParse(profile);
  if (parsed.success) return parsed.data;
  throw new UsageError('The profile has wrong settings.', { details: findings(parsed.error.issues) });
}

function parseBook(text: string, file: string): ProfileBook {
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own message quotes the file: left out, somebody may have put a token there.
    throw damaged(file, ['It is not valid JSON.']);
  }
  const parsed = profileBookSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw damaged(file, findings(parsed.error.issues));
}

function damaged(file: string, details: readonly string[]): UsageError {
  return new UsageError(`${file} is damaged and is left as it is.`, {
    hint: 'Mend it by hand, or move it away and run `eventreg login` again.',
    details,
  });
}

function findings(issues: readonly { path: PropertyKey[]; message: string }[]): string[] {
  return issues.map((issue) => `${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`);
}

function attempt<Result>(file: string, what: 'read' | 'written', action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be ${what} (${errorCode(error) || 'unknown reason'}).`, {
      cause: error,
    });
  }
}
