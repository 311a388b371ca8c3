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
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  return {
    asked: style(36, 39),
    done: style(32, 39),
    chosen: style(36, 39),
    bold: style(1, 22),
    faint: style(2, 22),
    cursor: (text) => `\u001B[7m${text}\u001B[27m`,
  };
}
