import { displayWidth } from '../report/words/display-width.ts';
import { FRAME_OFF } from './frame-off.ts';

/** What a frame is drawn on. */
export interface Screen {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
  on(event: 'resize', redraw: () => void): unknown;
  off(event: 'resize', redraw: () => void): unknown;
}

const HIDE_CURSOR = '\u001B[?25l';
/** What is pasted comes between marks, so that a line break in it answers nothing. */
const MARK_PASTES = '\u001B[?2004h';
const ERASE_BELOW = '\u001B[J';

/** Lines at the end of the screen that are drawn over and over in their place. */
export class Frame {
  readonly #screen: Screen;
  #widths: readonly number[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Columns that a line may have: in the last one some terminals begin the next line, some do not. */
  get width(): number {
    return Math.max(20, (this.#screen.columns || 80) - 1);
  }

  get height(): number {
    return Math.max(6, (this.#screen.rows || 24) - 1);
  }

  /** Draws lines in place of those before. Of what is higher than the screen the end is seen. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(-this.height);
    const isFirst = this.#widths.length === 0;
    this.#screen.write(
      `${isFirst ? `${HIDE_CURSOR}${MARK_PASTES}` : this.#back()}${ERASE_BELOW}${shown.join('\n')}`,
    );
    this.#widths = shown.map((line) => displayWidth(line));
  }

  /** Takes the frame away, and gives the terminal back with some text in its place. */
  end(text: string): void {
    this.#screen.write(`${this.#back()}${ERASE_BELOW}${FRAME_OFF}${text}`);
    this.#widths = [];
  }

  /** Leaves the frame on the screen as it is; the next is drawn below. */
  leave(): void {
    this.#screen.write(`${FRAME_OFF}\n`);
    this.#widths = [];
  }

  /** To the first column of the first line. A terminal that became narrower has wrapped the lines. */
  #back(): string {
    const columns = this.#screen.columns || 80;
    const rows = this.#widths.map((width) => Math.max(1, Math.ceil(width / columns)));
    const up = rows.reduce((sum, row) => sum + row, 0) - 1;
    return up > 0 ? `\r\u001B[${up}A` : '\r';
  }
}
