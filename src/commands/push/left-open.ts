import { meansNothing } from '../../registration/evidence/nothing-words.ts';
import type { PushCommandOptions } from './push-command-options.ts';

const NONE = 'none';

/** What a word for nothing stays is no question any more. */
const isLeft = ([text, meaning]: readonly [string, string]): boolean =>
  text === meaning && !meansNothing(text);

/** The options as they were before anything was left open on purpose. */
export function reopened(options: PushCommandOptions): PushCommandOptions {
  const values = Object.entries(options.values).map(([column, meanings]) => {
    const said = Object.entries(meanings).filter((one) => !isLeft(one));
    return [column, Object.fromEntries(said)] as const;
  });
  const phones = Object.entries(options.phones).filter(([, country]) => country !== NONE);
  const makeBarcodes = options.makeBarcodes === true ? true : undefined;
  return { ...options, values: Object.fromEntries(values), phones: Object.fromEntries(phones), makeBarcodes };
}

/** Whether something was left open that could be said. */
export function isOpen({ values, phones }: PushCommandOptions): boolean {
  const said = Object.values(values).flatMap((meanings) => Object.entries(meanings));
  return said.some(isLeft) || Object.values(phones).includes(NONE);
}
