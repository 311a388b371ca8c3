import type { PushCommandOptions } from './push-command-options.ts';

const NONE = 'none';

/** The options as they were before anything was left open on purpose. */
export function reopened(options: PushCommandOptions): PushCommandOptions {
  const values = Object.entries(options.values).map(([column, meanings]) => {
    const said = Object.entries(meanings).filter(([text, meaning]) => text !== meaning);
    return [column, Object.fromEntries(said)] as const;
  });
  const phones = Object.entries(options.phones).filter(([, country]) => country !== NONE);
  const makeBarcodes = options.makeBarcodes === true ? true : undefined;
  return { ...options, values: Object.fromEntries(values), phones: Object.fromEntries(phones), makeBarcodes };
}

/** Whether something was left open that could be said. */
export function isOpen({ values, phones }: PushCommandOptions): boolean {
  const isLeft = (meanings: Readonly<Record<string, string>>): boolean =>
    Object.entries(meanings).some(([text, meaning]) => text === meaning);
  return Object.values(values).some(isLeft) || Object.values(phones).includes(NONE);
}
