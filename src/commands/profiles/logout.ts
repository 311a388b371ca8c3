import type { Command } from 'commander';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { existingProfile, type Profile, readProfiles } from '../../settings/profiles.ts';
import { type CredentialStore, openCredentials } from '../../settings/credentials.ts';
import { keychainFrom } from '../../settings/keychain.ts';
import { addHelp } from '../options/help.ts';
import {
  type GlobalOptions,
  globalOptions,
  type Handler,
  parseOptions,
  rawOptions,
} from '../options/options.ts';
import { say, tellPrograms } from '../terminal/terminal.ts';

export type LogoutOptions = GlobalOptions;

/** Defines `eventreg logout` on its command. */
export function defineLogout(command: Command, handle: Handler<LogoutOptions>): void {
  addHelp(command, HELP)
    .description('Remove the stored token of a profile; its settings stay.')
    .action(async () => {
      await handle(parseOptions(globalOptions, rawOptions(command)));
    });
}

const HELP = `
The token itself stays valid: the service decides about that. \`eventreg profiles remove\` also removes
the settings.

Examples:
  eventreg logout
  eventreg logout --profile staging

Exit codes: 0 no token is stored any more, 1 the keychain did not let go of it, 2 no such profile`;

/** Removes the token of the profile and says whether there was one. Throws UsageError for an unknown profile. */
export async function runLogout(options: LogoutOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  if (options.sandbox) throw new UsageError('The sandbox needs no login.', { hint: 'Leave --sandbox out.' });
  const store = readProfiles(runtime.paths.config);
  const { name, profile } = existingProfile(store, options.profile, runtime.env);
  const removed = await forgetToken(name, profile, runtime);
  say(call, removed ? `The token of profile ${name} is removed.` : `Profile ${name} had no stored token.`);
  await tellPrograms(call, 'logout@1', { profile: name, removed });
  return EXIT.done;
}

/** The tokens of this machine. */
export const credentialsOf = ({ paths, env }: Runtime): CredentialStore =>
  openCredentials({ configDir: paths.config, keychain: keychainFrom(env) });

/** Removes the stored token of a profile. False when there was none. */
export async function forgetToken(name: string, profile: Profile, runtime: Runtime): Promise<boolean> {
  if (profile.baseUrl === undefined || !URL.canParse(profile.baseUrl)) return false;
  const credentials = credentialsOf(runtime);
  const removed = await credentials.remove(name, new URL(profile.baseUrl).origin);
  if (!removed && credentials.trouble() !== undefined) {
    runtime.stderr.write("The system's keychain could not be asked; a token in it would still be there.\n");
  }
  return removed;
}
