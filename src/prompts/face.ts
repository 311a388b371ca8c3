import type { Key } from './keyboard.ts';
import type { Styles } from './styles.ts';

/** How a face may look. */
export interface Look {
  /** Columns of a line, and lines of the whole. */
  width: number;
  height: number;
  paint: Styles;
  /** False while keys are not yet heard. */
  listens: boolean;
}

/** A question as it stands on the screen, with what has been typed so far. */
export interface Face<Answer> {
  draw(look: Look): string[];
  /** The answer, and how the line that stays says it; undefined while there is none. */
  press(key: Key): Answered<Answer> | undefined;
}

/** What the person said. */
export interface Answered<Answer> {
  answer: Answer;
  said: string;
}

/** Enter comes as one of two characters. */
export const isEnter = ({ name }: Key): boolean => name === 'return' || name === 'enter';
