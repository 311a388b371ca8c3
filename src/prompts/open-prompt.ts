import { ask, DEAF_MS, type Terminal } from './ask.ts';
import { confirmFace, selectFace } from './select-face.ts';
import { tableFace } from './table-face.ts';
import { createLinePrompt, readLine } from './line-prompt.ts';
import type { Prompt } from './prompt.ts';
import { displayWidth } from '../report/words/display-width.ts';
import type { Key } from './keyboard.ts';
import { characters, type Face, isEnter, type Look, questionLines } from './face.ts';

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

/** Other keys for the same. */
const SAME: Readonly<Record<string, string>> = { 'ctrl-a': 'home', 'ctrl-e': 'end' };

/** A line of text, or a secret of which dots are shown. */
function textFace(question: string, initial: string, isSecret: boolean): Face<string> {
  let before = characters(initial);
  let after: string[] = [];
  const edits: Readonly<Record<string, () => unknown>> = {
    left: () => (after = [...before.splice(-1), ...after]),
    right: () => before.push(...after.splice(0, 1)),
    home: () => (after = [...before.splice(0), ...after]),
    end: () => before.push(...after.splice(0)),
    backspace: () => before.pop(),
    delete: () => after.shift(),
    'ctrl-u': () => (before = []),
    'ctrl-w': () => (before = characters(before.join('').replace(/\S*\s*$/u, ''))),
  };
  const edit = ({ name, text }: Key): void => {
    const known = edits[SAME[name] ?? name];
    // What is typed may join what stands before it, as the second half of a flag does.
    if (known === undefined) before = characters(before.join('') + text);
    else known();
  };
  return {
    draw(look) {
      const shown = (typed: readonly string[]): string[] => (isSecret ? typed.map(() => '•') : [...typed]);
      return [...questionLines(question, look), ...fieldLines(shown(before), shown(after), look)];
    },
    press(key) {
      if (!isEnter(key)) {
        edit(key);
        return undefined;
      }
      const answer = [...before, ...after].join('');
      return { answer, said: isSecret ? '••••••••' : answer };
    },
  };
}

/** What is typed, with the place where it goes on, in as many lines as it takes. */
function fieldLines(before: readonly string[], after: readonly string[], { width }: Look): string[] {
  const [under = ' ', ...rest] = after;
  const lines = ['  '];
  let used = 2;
  for (const [at, character] of [...before, under, ...rest].entries()) {
    const columns = displayWidth(character);
    if (used + columns > width) {
      lines.push('  ');
      used = 2;
    }
    used += columns;
    lines[lines.length - 1] += at === before.length ? `\u001B[7m${character}\u001B[27m` : character;
  }
  return lines;
}
