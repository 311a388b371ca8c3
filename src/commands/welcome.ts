import { readdirSync } from 'node:fs';
import { visible } from '../report/words/escape.ts';
import type { Runtime } from '../runtime.ts';
import { readProfiles } from '../settings/profiles.ts';
import { typedCommand } from './options/help.ts';

const SPREADSHEET = /^[^.~].*\.(?:xlsx|ods|csv|tsv)$/i;

/**
 * What somebody reads who has just come: no service is known yet, and a guest list lies in the folder. Undefined for
 * everybody else.
 */
export function welcome({ cwd, env, paths }: Runtime): string | undefined {
  if (env['EVENTREG_BASE_URL'] || readProfiles(paths.config).names().length > 0) return undefined;
  const list = readdirSync(cwd)
    .sort()
    .find((name) => SPREADSHEET.test(name));
  if (list === undefined) return undefined;
  const rows: readonly (readonly [string, string])[] = [
    [
      // A name that begins as flags do is none.
      visible(typedCommand(['push', list.replace(/^-/, './-')], { sandbox: true })),
      'try it on a practice service: nothing leaves this machine',
    ],
    ['eventreg login', 'say where your event is; then the same without --sandbox'],
    ['eventreg --help', 'everything else'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`);
  return `Welcome. eventreg brings guest lists into the registration service of your event.\n\n${lines.join('\n')}\n`;
}
