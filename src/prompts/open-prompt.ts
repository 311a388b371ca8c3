import { ask, DEAF_MS, type Terminal } from './ask.ts';
import { confirmFace, selectFace } from './select-face.ts';
import { tableFace } from './table-face.ts';
import { textFace } from './text-face.ts';
import { createLinePrompt, readLine } from './line-prompt.ts';
import type { Prompt } from './prompt.ts';

/** The questions of a process at its terminal; plain lines where nothing but lines can be written. */
export function openPrompt(
  terminal: Terminal & { input: NodeJS.ReadStream },
  { isPlain }: { isPlain: boolean },
): Prompt {
  if (isPlain) return openLinePrompt(terminal);
  return {
    confirm: async (question, how) => await ask(confirmFace(question), question, terminal, how),
    secret: async (question) => await ask(textFace(question, '', true), question, terminal),
    text: async (question, initial = '') => await ask(textFace(question, initial, false), question, terminal),
    select: (async (question, choices, how = {}) =>
      await ask(selectFace(question, choices, how), question, terminal, how)) as Prompt['select'],
    table: async (table) => await ask(tableFace(table), table.settled ?? table.title, terminal),
  };
}

function openLinePrompt(terminal: Terminal & { input: NodeJS.ReadStream }): Prompt {
  const { input, screen, keyboard, clock, stopping } = terminal;
  return createLinePrompt({
    write: (text) => screen.write(text),
    async read(text, { hidden = false, acts = false }) {
      const begin = async (): Promise<void> => {
        if (acts) await clock.sleep(DEAF_MS, stopping);
        await keyboard.drained();
        screen.write(text);
      };
      const line = await readLine({ input, hidden, stopping, begin });
      // What is not shown has no line break of its own.
      if (hidden) screen.write('\n');
      return line;
    },
  });
}
