import { type Choice, choicesWith, type Prompt, type PromptTable } from './prompt.ts';

/** What a prompt of plain lines is made of. */
interface LinePromptParts {
  write: (text: string) => unknown;
  /** Shows the text, with `acts` after a moment only, and reads a line that was begun after it. */
  read: (text: string, how: { hidden?: boolean; acts?: boolean }) => Promise<string>;
}

/** Questions for terminals whose cursor cannot be moved: choices have numbers. */
export function createLinePrompt({ write, read }: LinePromptParts): Prompt {
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
  { title, rows, rest }: PromptTable,
  select: (question: string, choices: readonly Choice[], how: { back: true }) => Promise<string | undefined>,
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
    const chosen = await select(title, [...lines, all, ...leave], { back: true });
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
    if (value !== undefined) values[at] = value;
    return value !== undefined;
  }
}
