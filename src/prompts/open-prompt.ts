import { InterruptedError } from '../errors.ts';
import type { Prompt } from './prompt.ts';
import { selectRows } from './select-rows.ts';

/** The value of the choice that goes back. */
const BACK = '\u0000back';

/** The questions of this process. */
export async function openPrompt(terminal: {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}): Promise<Prompt> {
  const clack = await import('@clack/prompts');
  /** Ctrl-C at a question comes as a symbol. */
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (clack.isCancel(answer)) throw new InterruptedError();
    return answer as Exclude<T, symbol>;
  };
  const select = async (message: string, choices: Parameters<Prompt['select']>[1], how: object = {}) => {
    const options = [
      ...choices,
      ...('back' in how && how.back === true ? [{ value: BACK, label: 'back' }] : []),
    ];
    const chosen = answered(await clack.select({ message, options, maxItems: 12, ...terminal }));
    return chosen === BACK ? undefined : chosen;
  };
  return {
    confirm: async (message) => answered(await clack.confirm({ message, initialValue: false, ...terminal })),
    secret: async (message) => answered(await clack.password({ message, ...terminal })),
    text: async (message, initialValue = '') =>
      answered(await clack.text({ message, initialValue, ...terminal })) ?? '',
    select: select as Prompt['select'],
    table: async (question) => await selectRows(question, select as Prompt['select']),
  };
}
