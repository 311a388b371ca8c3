import { onTestFailed } from 'vitest';
import { PRESS, type TerminalRun } from './pseudo-terminal.ts';

/** What somebody knows of their list, and goes by at each question. */
export interface Knowledge {
  /**
   * What the rows of tables are, by how their labels begin: a heading, or a value in quotes. What nobody knows of is
   * left as it is proposed, and left out where nothing is.
   */
  rows?: Readonly<Record<string, string>>;
  /** What is chosen, by what a question says. Else what is marked is right. */
  choices?: readonly (readonly [question: RegExp, choice: RegExp])[];
}

/** How it went. */
export interface Visit {
  code: number;
  /** All that was on the screen. */
  shown: string;
  /** What was asked, in the order in which it was answered, a question for each time that one was decided. */
  asked: readonly string[];
  /** Questions that do not offer what is right. */
  stuck: readonly string[];
  keys: number;
}

/** Answers each question of a program as a person does: reads it, moves to what is right, and presses Enter. */
export async function answerAll(run: TerminalRun, knows: Knowledge): Promise<Visit> {
  onTestFailed(async () => {
    process.stderr.write(`${(await run.lines()).join('\n')}\n`);
    run.hangUp();
  });
  const asked: string[] = [];
  const stuck: string[] = [];
  let keys = 0;
  let before = '';
  for (;;) {
    const lines = await nextScreen(run, before);
    const screen = lines && readScreen(lines);
    if (screen === undefined) {
      const { code } = await run.ended;
      return { code, shown: (await run.lines()).join('\n'), asked, stuck, keys };
    }
    before = lines!.join('\n');
    const key = keyFor(screen, without(knows, stuck));
    if (key.startsWith(PRESS.backspace)) stuck.push(screen.question);
    if (decides(screen, key)) asked.push(screen.question);
    keys += key === '' ? 0 : 1;
    if (keys > MOST_KEYS) throw new Error(`No way out of: ${screen.question}`);

    run.send(key);
  }
}

/** Who presses more has got lost. */
const MOST_KEYS = 250;

/** What is still gone by once some questions had no answer that is right. */
const without = (knows: Knowledge, stuck: readonly string[]): Knowledge => ({
  ...knows,
  rows: Object.fromEntries(
    Object.entries(knows.rows ?? {}).filter(([known]) => !stuck.some((asked) => isNamed(asked, known))),
  ),
});

/** Opening a row of a table, and leaving out what is open in it, belong to the answer that takes it. */
const decides = ({ rows }: AskedScreen, key: string): boolean =>
  [PRESS.enter, 'y', 'n'].includes(key) &&
  (rows.length === 0 || rows.some(({ label, isMarked }) => isMarked && label === '[all right]'));

/** What is on the screen once a question listens, otherwise than before; undefined at the end. */
const nextScreen = (run: TerminalRun, before: string): Promise<readonly string[] | undefined> =>
  // The keys that may be pressed stand below a question once it listens.
  run
    .until((shown) => shown !== before && /\n {2}(?=\S)[^\n]*Enter[^\n]*$/.test(shown))
    .catch(() => undefined);

interface TableRow {
  label: string;
  target: string;
  isMarked: boolean;
}

interface AskedScreen {
  question: string;
  choices: readonly { label: string; isMarked: boolean }[];
  rows: readonly TableRow[];
  /** What has been typed to search a list. */
  sought: string;
  /** The line of keys. */
  keys: string;
}

/** The question at the end of the screen. */
function readScreen(lines: readonly string[]): AskedScreen {
  const start = lines.findLastIndex((line) => line.startsWith('? '));
  const frame = lines.slice(start);
  const isPart = (line: string): boolean => /^[ ❯] [●○] |^[ ❯] (?:\S {1,2}\S|\[)|^ {4}/.test(line);
  const head = frame.findIndex((line, at) => at > 0 && (!line.startsWith('  ') || isPart(line)));
  const question = frame.slice(0, head).map((line) => line.trim());
  return {
    question: question.join(' ').replace(/^\? /, ''),
    choices: frame.flatMap((line) => {
      const [, mark, label = ''] = /^ {2}([●○]) (.*)$/.exec(line) ?? [];
      return mark === undefined ? [] : [{ label, isMarked: mark === '●' }];
    }),
    rows: frame.flatMap((line) => tableRow(line)),
    sought: /^ {2}search: (.*)$/m.exec(frame.join('\n'))?.[1] ?? '',
    keys: frame.at(-1) ?? '',
  };
}

function tableRow(line: string): TableRow[] {
  const [, mark, text = ''] = /^([ ❯]) (?:(?=\[)|[^\s●○] )(.*)$/.exec(line) ?? [];
  if (mark === undefined) return [];
  const cells = text.split(/ {2,}/);
  return [{ label: cells[0] ?? '', target: cells.at(-1) ?? '', isMarked: mark === '❯' }];
}

function keyFor(screen: AskedScreen, knows: Knowledge): string {
  if (screen.rows.length > 0) return keyInTable(screen, knows);
  const { question, choices, sought, keys } = screen;
  const chosen = knows.choices?.find(([asked]) => asked.test(question))?.[1];
  const wanted = rowWanted(question, knows) ?? '';
  if (keys.includes('y: yes')) return chosen?.test('No') === true ? 'n' : 'y';
  // What is typed comes to the screen letter by letter.
  if (sought !== '' && sought !== wanted) return '';
  const right = choices.filter(({ label }) => chosen?.test(label) ?? label.startsWith(wanted));
  if (right.some(({ isMarked }) => isMarked)) return PRESS.enter;
  if (right.length > 0 || !keys.includes('type to search')) return PRESS.down;
  return sought === '' ? wanted : PRESS.backspace.repeat(sought.length);
}

const LEFT_OUT = 'left out';

/** Goes to the first row that is not what it is to be, then to the end; what is still open there is left out. */
function keyInTable({ rows }: AskedScreen, knows: Knowledge): string {
  const wrong = rows.findIndex(({ label, target }) => {
    const wanted = rowWanted(label, knows);
    if (target === '?' && wanted === LEFT_OUT) return false;
    return wanted !== undefined && !isCut(target, wanted);
  });
  const leaves = rows.findIndex(({ label }) => /^\[the (?:\d+ )?open ones?: /.test(label));
  const goal = [wrong, leaves].find((at) => at >= 0) ?? rows.length - 1;
  const marked = rows.findIndex(({ isMarked }) => isMarked);
  if (marked === goal) return PRESS.enter;
  return marked < goal ? PRESS.down : PRESS.up;
}

/** Whether a text of a cell, which may be cut, begins with another. */
const isCut = (shown: string, text: string): boolean =>
  shown.startsWith(text) || (shown.endsWith('…') && text.startsWith(shown.slice(0, -1)));

/** What a row is to be. Long labels are cut, and a row that is opened says its label before a sample. */
function rowWanted(label: string, { rows = {} }: Knowledge): string | undefined {
  return Object.entries(rows).find(([known]) => isNamed(label, known))?.[1];
}

function isNamed(label: string, known: string): boolean {
  const name = label.split(' · ', 1)[0] ?? '';
  // A value in quotes may be followed by its heading.
  return isCut(name, known) && (name.endsWith('…') || name === known || name.startsWith(`${known} in `));
}
