import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine: that of CHROME_PATH, or one on the PATH. */
export function findChromium(env = process.env): string | undefined {
  const { CHROME_PATH, PATH = '' } = env;
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [CHROME_PATH ?? '', ...places].find((place) => place !== '' && existsSync(place));
}

/** What is said where there is none. */
export const NO_CHROMIUM =
  'There is no Chromium (on the PATH or in CHROME_PATH): reports are not tested in it.';

/** Close it. */
export async function openChromium(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  // Its sandbox does not work as root, and it sees no page but ours.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
