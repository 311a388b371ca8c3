import { displayWidth, fitWidth } from '../report/words/display-width.ts';
import type { Key } from './keyboard.ts';
import { choicesWith, type PromptTable } from './prompt.ts';
import { type Answered, type Face, hanging, isEnter, keyLines, type Look, questionLines } from './face.ts';
import { selectFace } from './select-face.ts';

type Values = readonly string[] | undefined;

/** How the marks of rows are painted: open, proposed, left out, certain. */
const MEANINGS = { '?': 'asked', '~': 'asked', '·': 'faint', '✓': 'done' } as const;
type Mark = keyof typeof MEANINGS;

/** A table of rows with their values; the choices of one row are shown in its place when it is opened. */
export function tableFace(table: PromptTable): Face<Values> {
  const { title, settled = title, headings, rows, rest, back = true } = table;
  const values = rows.map(({ value }) => value);
  /** The marked row; after the last one stand what takes all, and what leaves all that are open to `rest`. */
  let marked = rows.length;
  let opened: Face<string | undefined> | undefined;
  /** Whether one open row after the other is asked for. */
  let goesOn = false;

  const firstOpen = (): number => values.indexOf(undefined);
  const choicesOf = (at: number) => choicesWith(rest, rows[at]?.choices);
  const labelOf = (at: number): string => {
    const value = values[at];
    if (value === undefined) return '';
    return choicesOf(at).find((choice) => choice.value === value)?.label ?? value;
  };
  const open = (at: number): void => {
    marked = at;
    const row = rows[at];
    if (row === undefined) return;
    const choices = choicesOf(at);
    const question = row.sample === '' ? row.label : `${row.label} · ${row.sample}`;
    opened = selectFace(question, choices, {
      back: true,
      at: choices.findIndex(({ value }) => value === values[at]),
      unsought: rest?.value,
    });
  };
  const pick = (answer: string | undefined): void => {
    opened = undefined;
    if (answer === undefined) return;
    values[marked] = answer;
    table.onDecided?.(marked, answer);
    const next = firstOpen();
    marked = next < 0 ? rows.length : next;
    if (next >= 0 && goesOn) open(next);
  };
  const mayLeave = (): boolean => rest !== undefined && firstOpen() >= 0;
  const leaveOpen = (): undefined => {
    for (const [at, value] of values.entries()) values[at] = value ?? rest?.value;
    marked = rows.length;
  };
  const takeAll = (): Answered<Values> | undefined => {
    const next = firstOpen();
    if (next >= 0) {
      goesOn = true;
      open(next);
      return undefined;
    }
    const labelOf = (at: number) => choicesOf(at).find(({ value }) => value === values[at])?.label;
    const left = [...values.keys()].filter((at) => labelOf(at) === rest?.label).length;
    const said = left === 0 ? 'all right' : `all right, ${left} ${rest?.label ?? ''}`;
    return { answer: values.map((value) => value ?? ''), said };
  };
  const press = (key: Key): Answered<Values> | undefined => {
    if (isEnter(key) && marked === rows.length) return takeAll();
    if (isEnter(key) && marked > rows.length) return leaveOpen();
    if (isEnter(key) || key.name === 'right') {
      goesOn = false;
      open(marked);
    }
    if (back && (key.name === 'left' || key.name === 'escape')) return { answer: undefined, said: 'back' };
    const length = rows.length + (mayLeave() ? 2 : 1);
    if (key.name === 'up') marked = (marked - 1 + length) % length;
    if (key.name === 'down') marked = (marked + 1) % length;
    return undefined;
  };

  const rowLine = (at: number, look: Look, columns: Columns): string => {
    const { paint } = look;
    const row = rows[at];
    const value = values[at];
    // As it was proposed, for a reason that may be wrong.
    const isProposed = row?.why !== undefined && value !== undefined && value === row.value;
    const why = isProposed ? ` (${row.why})` : '';
    const mark: Mark = value === undefined ? '?' : value === rest?.value ? '·' : isProposed ? '~' : '✓';
    const target = value === undefined ? '?' : `${labelOf(at)}${why}`;
    const cells = cellsOf([row?.label ?? '', row?.sample ?? '', target], columns);
    const painted = paint(MEANINGS[mark], mark);
    const isMarked = at === marked;
    const line = mark === '·' && !isMarked ? paint('faint', cells) : cells;
    return `${isMarked ? paint('asked', '❯') : ' '} ${painted} ${isMarked ? paint('strong', line) : line}`;
  };
  return {
    draw(look) {
      if (opened !== undefined) return opened.draw(look);
      const { width, height, paint } = look;
      const openRows = values.filter((value) => value === undefined).length;
      const head = questionLines(openRows === 0 ? settled : title, look);
      const columns = columnsFor(rows, headings, width);
      const { label = '' } = rows[marked] ?? {};
      const isCut = displayWidth(label) > columns[0];
      const whole = isCut ? hanging('    ', label, width).map((line) => paint('faint', line)) : [];
      const room = Math.max(3, height - head.length - whole.length - 6);
      const first = Math.max(0, Math.min(marked - Math.floor(room / 2), rows.length - room));
      const shown = rows.slice(first, first + room).map((_, at) => rowLine(first + at, look, columns));
      const open = openRows === 1 ? 'the open one' : `the ${openRows} open ones`;
      const ends = [openRows === 0 ? 'all right' : `decide ${open}`];
      if (mayLeave()) ends.push(`${open}: ${rest?.label}`);
      const endLine = (text: string, at: number): string =>
        marked === rows.length + at
          ? `${paint('asked', '❯')} ${paint('strong', `[${text}]`)}`
          : `  [${fitWidth(text, width - 4)}]`;
      const more = rows.length > room ? ` · ${first + 1}-${first + shown.length} of ${rows.length}` : '';
      const keys = ['Enter', '↑↓ change one', ...(back ? ['← back'] : [])];
      return [
        ...head,
        paint('faint', `    ${cellsOf(headings, columns)}`),
        ...shown,
        ...ends.map(endLine),
        ...whole,
        ...keyLines(`${keys.join(' · ')}${more}`, look),
      ];
    },
    press(key) {
      if (opened === undefined) return press(key);
      const chosen = opened.press(key);
      if (chosen !== undefined) pick(chosen.answer);
      return undefined;
    },
  };
}

type Columns = readonly [number, number, number];

/** As wide as the widest cell, but labels and samples leave room for where things go; labels take what samples do not. */
function columnsFor(rows: PromptTable['rows'], headings: PromptTable['headings'], width: number): Columns {
  const room = width - 4 - 4;
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(displayWidth));
  const sample = Math.min(widest([headings[1], ...rows.map((row) => row.sample)]), Math.floor(room * 0.3));
  const most = Math.floor(Math.max(room * 0.38, room * 0.6 - sample));
  const label = Math.min(widest([headings[0], ...rows.map((row) => row.label)]), most);
  return [label, sample, room - label - sample];
}

function cellsOf(texts: readonly [string, string, string], columns: Columns): string {
  const cell = (at: 0 | 1): string => {
    const text = fitWidth(texts[at], columns[at]);
    return text + ' '.repeat(columns[at] - displayWidth(text));
  };
  return `${cell(0)}  ${cell(1)}  ${fitWidth(texts[2], columns[2])}`;
}
