import { fitWidth } from '../report/words/display-width.ts';
import type { Choice } from './prompt.ts';
import { characters, type Face, hanging, isEnter, keyLines, type Look, questionLines } from './face.ts';

/** Lists that are longer scroll. */
const SHORT = 9;
/** Of fewer choices nobody needs to be told that typing searches them. */
const FEW = 4;

interface SelectHow {
  back?: boolean;
  /** The choice that is marked first. */
  at?: number;
  /** The choices act: keys that are struck by chance must not choose one, so letters do nothing. */
  acts?: boolean;
  /** The choice to which no letter leads. */
  unsought?: string | undefined;
}

/** One of several, searched by typing; undefined is back. */
export function selectFace(
  question: string,
  choices: readonly Choice[],
  { back = false, at = 0, acts = false, unsought }: SelectHow = {},
): Face<string | undefined> {
  const isLong = choices.length > SHORT;
  let marked = Math.max(0, at);
  let sought = '';

  const found = (): readonly Choice[] => {
    const wanted = fold(sought);
    const matching = choices.filter(
      (one) => sought === '' || (one.value !== unsought && textOf(one).includes(wanted)),
    );
    return matching.sort((one, other) => rankOf(one, wanted) - rankOf(other, wanted));
  };
  const move = (by: number): void => {
    const { length } = found();
    if (length === 0) return;
    // A step goes round; a page ends at the end.
    marked = Math.abs(by) === 1 ? (marked + by + length) % length : clamp(marked + by, length);
  };
  const seek = (text: string): void => {
    sought = text;
    marked = text === '' ? Math.max(0, at) : 0;
  };
  const list = (look: Look, room: number): string[] => {
    const shown = found();
    const first = clamp(marked - Math.floor(room / 2), Math.max(1, shown.length - room + 1));
    return shown.slice(first, first + room).flatMap((choice, index) => {
      return choiceLines(choice, first + index === marked, isLong, look);
    });
  };
  return {
    draw(look) {
      const { width, height, paint } = look;
      const head = questionLines(question, look);
      const keys = [
        '↑↓ and Enter',
        ...(choices.length > FEW && !acts ? ['type to search'] : []),
        ...(back ? ['← back'] : []),
      ];
      const search = sought === '' ? [] : [`  ${paint('asked', 'search:')} ${fitWidth(sought, width - 12)}`];
      const room = Math.max(3, Math.min(isLong ? SHORT : choices.length, height - head.length - 2));
      const { length } = found();
      const count = length > room ? ` · ${marked + 1} of ${length}` : '';
      const none = length === 0 ? ['  nothing has this: Backspace'] : [];
      return [
        ...head,
        ...search,
        ...list(look, room),
        ...none,
        ...keyLines(`${keys.join(' · ')}${count}`, look),
      ];
    },
    press(key) {
      if (isEnter(key)) {
        const chosen = found()[marked];
        return chosen && { answer: chosen.value, said: chosen.label };
      }
      if (key.name === 'escape' && sought !== '') {
        seek('');
        return undefined;
      }
      if (back && (key.name === 'left' || key.name === 'escape')) return { answer: undefined, said: 'back' };
      const step = STEPS.get(key.name);
      if (step !== undefined) move(step);
      else if (key.name === 'backspace') seek(characters(sought).slice(0, -1).join(''));
      else if (!acts && key.text !== '') seek(sought + key.text);
      return undefined;
    },
  };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['up', -1],
  ['down', 1],
  ['pageup', -SHORT],
  ['pagedown', SHORT],
  ['home', Number.NEGATIVE_INFINITY],
  ['end', Number.POSITIVE_INFINITY],
]);

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const textOf = ({ label, hint = '' }: Choice): string => fold(`${label} ${hint}`);

/** What begins with the text that is sought comes first, then where a word does. */
function rankOf(choice: Choice, wanted: string): number {
  const text = textOf(choice);
  if (text.startsWith(wanted)) return 0;
  return text.includes(` ${wanted}`) ? 1 : 2;
}

/** The index nearest to `at` in a list of some length. */
const clamp = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1));

/** In a list that scrolls each choice has one line, so that it keeps its height. */
function choiceLines(
  { label, hint }: Choice,
  isMarked: boolean,
  isLong: boolean,
  { width, paint }: Look,
): string[] {
  const text = isMarked && hint !== undefined ? `${label} (${hint})` : label;
  const lines = isLong ? [fitWidth(`  ● ${text}`, width)] : hanging('  ● ', text, width);
  return lines.map((line, at) => {
    if (isMarked) return at === 0 ? line.replace('●', paint('asked', '●')) : line;
    return at === 0 ? line.replace('●', paint('faint', '○')) : line;
  });
}

/** Yes or no, on No until somebody says otherwise. */
export function confirmFace(question: string): Face<boolean> {
  let yes = false;
  const answered = (answer: boolean) => ({ answer, said: answer ? 'Yes' : 'No' });
  return {
    draw(look) {
      const { paint } = look;
      const option = (label: string, on: boolean): string =>
        on ? `${paint('asked', '●')} ${label}` : paint('faint', `○ ${label}`);
      return [
        ...questionLines(question, look),
        `  ${option('Yes', yes)}  ${option('No', !yes)}`,
        ...keyLines('y: yes · n: no · ←→ and Enter', look),
      ];
    },
    press(key) {
      if (key.name === 'y' || key.name === 'n') return answered(key.name === 'y');
      if (isEnter(key)) return answered(yes);
      if (key.name === 'left' || key.name === 'up') yes = true;
      if (key.name === 'right' || key.name === 'down') yes = false;
      if (key.name === 'tab') yes = !yes;
      return undefined;
    },
  };
}
