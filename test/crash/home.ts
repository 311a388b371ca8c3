import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { SEARCH_PATH } from '../support/program.ts';

/**
 * Makes a home for the program below a directory; returns its environment. The sandbox answers or does
 * not: nothing lands late, so uncertain rows need not be waited for, unless waiting is to be killed as well.
 */
export function makeHome(
  directory: string,
  { baseUrl, token }: Sandbox,
  settleSeconds: number,
  timeout = 5,
): Record<string, string> {
  const config = join(directory, 'config');
  mkdirSync(config);
  // What is in doubt is waited for twice as long as for an answer.
  const profiles = { default: { baseUrl, settleSeconds, timeout } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
  return {
    PATH: SEARCH_PATH,
    HOME: directory,
    EVENTREG_CONFIG_DIR: config,
    EVENTREG_STATE_DIR: join(directory, 'state'),
    EVENTREG_KEYCHAIN: 'off',
    EVENTREG_BASE_URL: baseUrl,
    EVENTREG_TOKEN: token,
  };
}
