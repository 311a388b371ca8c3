import { parseArgs } from 'node:util';
import { type Feature, FEATURES, readFeatures } from './with-features.ts';

export const USAGE = `Usage: npm run test:model -- [flags]

Plays random scenarios (a service, files, edits, kills, days) through the whole program, and judges each
command by what the service then holds. Ends with 1 when a promise was broken.

  --scenarios <n>  how many; default 200
  --seed <n>       chooses them; default: another one each time, printed
  --pairs          instead: services in which every two words of the switches meet, with every command
  --with <list>    what scenarios may have besides, and are judged by then; all, or some of:
                   ${FEATURES.join(',')}
  --only <n>       that scenario alone, told step by step and made as small as it still fails
  --whole          with --only: do not make it smaller
  --failures <n>   how many failures to tell; default 20
`;

export interface ModelOptions {
  scenarios: number;
  seed: number;
  pairs: boolean;
  features: readonly Feature[];
  only: number | undefined;
  whole: boolean;
  failures: number;
}

/** Undefined when help was asked for. Throws an Error with a sentence. */
export function readOptions(argv: readonly string[], now: number): ModelOptions | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      scenarios: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(now % 1_000_000) },
      pairs: { type: 'boolean', default: false },
      with: { type: 'string' },
      only: { type: 'string' },
      failures: { type: 'string', default: '20' },
      whole: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    scenarios: wholeNumber('--scenarios', values.scenarios),
    seed: wholeNumber('--seed', values.seed),
    pairs: values.pairs,
    features: values.with === undefined ? [] : readFeatures(values.with),
    only: values.only === undefined ? undefined : wholeNumber('--only', values.only),
    whole: values.whole,
    failures: wholeNumber('--failures', values.failures),
  };
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} takes a whole number.`);
  return Number(text);
}
