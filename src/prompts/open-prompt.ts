import { StringDecoder } from 'node:string_decoder';
import { InterruptedError } from '../errors.ts';
import { displayWidth } from '../report/words/display-width.ts';
import { ask, DEAF_MS, type Terminal } from './ask.ts';
import { characters, type Face, isEnter, type Look, questionLines } from './face.ts';
import type { Key } from './keyboard.ts';
import { type Choice, choicesWith, type Prompt, type PromptTable } from './prompt.ts';
import { confirmFace, selectFace } from './select-face.ts';
import { tableFace } from './table-face.ts';
import { withResolvers } from './with-resolvers.ts';

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

interface LinePromptParts {
  write: (text: string) => unknown;
  /** Shows the text, with `acts` after a moment only, and reads a line that was begun after it. */
  read: (text: string, how: { hidden?: boolean; acts?: boolean }) => Promise<string>;
}

/** Questions for terminals whose cursor cannot be moved: choices have numbers. */
function createLinePrompt({ write, read }: LinePromptParts): Prompt {
  const select = async (
    question: string,
    choices: readonly Choice[],
    { back = false, acts = false }: { back?: boolean | undefined; acts?: boolean | undefined } = {},
  ): Promise<string | undefined> => {
    const lines = choices.map(({ label, hint }, at) => `  ${at + 1}) ${label}${hint ? ` (${hint})` : ''}\n`);
    write(`? ${question}\n${lines.join('')}${back ? '  0) back\n' : ''}`);
    for (;;) {
      const said = (await read(`  number${acts ? ' (1 if nothing is typed)' : ''}: `, { acts })).trim();
      if (back && said === '0') return undefined;
      const chosen = choices[said === '' && acts ? 0 : Number(said) - 1];
      if (chosen !== undefined && (said !== '' || acts)) return chosen.value;
    }
  };
  return {
    async confirm(question, { acts = false } = {}) {
      write(`? ${question}`);
      const said = await read(' (y/N) ', { acts });
      return /^\s*y(?:es)?\s*$/iu.test(said);
    },
    secret: async (question) => await read(`? ${question} (not shown) `, { hidden: true }),
    text: async (question, initial = '') => {
      const said = await read(`? ${question}${initial === '' ? '' : ` [${initial}]`} `, {});
      return said === '' ? initial : said;
    },
    select: select as Prompt['select'],
    table: async (question) => await askRows(question, select),
  };
}

/** The rows of a table as lines; those that are open are asked for one after the other. */
async function askRows(
  { title, rows, rest, back = true, onDecided }: PromptTable,
  select: (
    question: string,
    choices: readonly Choice[],
    how: { back: boolean },
  ) => Promise<string | undefined>,
): Promise<readonly string[] | undefined> {
  const values = rows.map(({ value }) => value);
  const choicesOf = (at: number): readonly Choice[] => choicesWith(rest, rows[at]?.choices);
  for (;;) {
    const lines = rows.map(({ label, sample }, at) => {
      const value = values[at];
      const shown =
        value === undefined ? '?' : (choicesOf(at).find((choice) => choice.value === value)?.label ?? value);
      return { value: String(at), label: `${label} (${sample}): ${shown}` };
    });
    const isOpen = values.includes(undefined);
    const all = { value: 'all', label: isOpen ? 'decide the open ones' : 'all right' };
    const leave =
      isOpen && rest !== undefined ? [{ value: 'rest', label: `${rest.label}: all that are open` }] : [];
    const chosen = await select(title, [...lines, all, ...leave], { back });
    if (chosen === undefined) return undefined;
    if (chosen === 'all' && !isOpen) return values.map((value) => value ?? '');
    if (chosen === 'rest') values.splice(0, values.length, ...values.map((value) => value ?? rest?.value));
    else if (chosen === 'all') await askOpen();
    else await askOne(Number(chosen));
  }

  async function askOpen(): Promise<void> {
    for (let at = values.indexOf(undefined); at >= 0; at = values.indexOf(undefined)) {
      if (!(await askOne(at))) return;
    }
  }

  async function askOne(at: number): Promise<boolean> {
    const { label = '', sample = '' } = rows[at] ?? {};
    const value = await select(`${label} (${sample})`, choicesOf(at), { back: true });
    if (value !== undefined) {
      values[at] = value;
      onDecided?.(at, value);
    }
    return value !== undefined;
  }
}

interface LineWish {
  input: NodeJS.ReadStream;
  /** Nothing of it is shown while it is typed. */
  hidden: boolean;
  stopping: AbortSignal;
  /** Called when what was typed before has been dropped. */
  begin: () => Promise<void>;
}

/** Reads one line as a terminal without any abilities gives it. Throws InterruptedError. */
async function readLine({ input, hidden, stopping, begin }: LineWish): Promise<string> {
  const wasRaw = input.isRaw;
  const flowed = input.readableFlowing === true;
  const decoder = new StringDecoder('utf8');
  let line: string[] | undefined;
  const { promise: read, resolve, reject } = withResolvers<string>();
  // Whoever is interrupted before the line is waited for, hears of it then.
  read.catch(() => undefined);
  const interrupt = (): void => reject(new InterruptedError());
  const onData = (chunk: Buffer | string): void => {
    for (const character of typeof chunk === 'string' ? chunk : decoder.write(chunk)) {
      if (character === '\u0003') interrupt();
      if (line === undefined) continue;
      if (character === '\r' || character === '\n') resolve(line.join(''));
      else if (character === '\u007F' || character === '\b') line.pop();
      else line.push(character);
    }
  };
  stopping.addEventListener('abort', interrupt, { once: true });
  input.setRawMode(hidden);
  input.on('data', onData);
  input.resume();
  try {
    stopping.throwIfAborted();
    await begin();
    line = [];
    return await read;
  } finally {
    stopping.removeEventListener('abort', interrupt);
    input.off('data', onData);
    input.setRawMode(wasRaw);
    // A terminal that is read keeps the process alive.
    if (!flowed) input.pause();
  }
}
