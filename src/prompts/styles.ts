import { type Meaning, painter } from '../report/words/paint.ts';

type Style = (text: string) => string;

/** Styles of questions; each returns its text as it is where there are no colours. */
export interface Styles {
  asked: Style;
  done: Style;
  chosen: Style;
  bold: Style;
  faint: Style;
  /** Where typing goes on: no colour, so always there. */
  cursor: Style;
}

/** Styles by meaning, or none. */
export function createStyles(color: boolean): Styles {
  const paint = painter(color);
  const style =
    (meaning: Meaning): Style =>
    (text) =>
      paint(meaning, text);
  return {
    asked: style('asked'),
    done: style('done'),
    chosen: style('asked'),
    bold: style('strong'),
    faint: style('faint'),
    cursor: (text) => `\u001B[7m${text}\u001B[27m`,
  };
}
