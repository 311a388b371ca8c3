import xterm from '@xterm/headless';

/** What a person would see: a terminal of some size that understands what is written to it. */
export interface FakeScreen {
  columns: number;
  rows: number;
  write: (text: string) => void;
  resize(columns: number, rows: number): void;
  on(event: 'resize', redraw: () => void): void;
  off(event: 'resize', redraw: () => void): void;
  /** All lines, also those that have scrolled away, without empty ones at the end. */
  lines: () => Promise<readonly string[]>;
  /** Resolves with the lines once the test of their text holds. */
  until: (holds: (text: string) => boolean) => Promise<readonly string[]>;
}

/** Makes a screen. */
export function createScreen(columns = 80, rows = 24): FakeScreen {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const redraws = new Set<() => void>();
  const waiting = new Set<() => void>();
  const read = (): readonly string[] => {
    const { active } = terminal.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString(true).trimEnd() ?? '',
    );
    while (lines.at(-1) === '') lines.pop();
    return lines;
  };
  const screen: FakeScreen = {
    columns,
    rows,
    write: (text) => terminal.write(text, () => waiting.forEach((look) => look())),
    resize(wide, high) {
      terminal.resize(wide, high);
      Object.assign(screen, { columns: wide, rows: high });
      for (const redraw of redraws) redraw();
    },
    on: (_event, redraw) => redraws.add(redraw),
    off: (_event, redraw) => redraws.delete(redraw),
    lines: () => new Promise((resolve) => terminal.write('', () => resolve(read()))),
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          const lines = read();
          if (!holds(lines.join('\n'))) return;
          waiting.delete(look);
          resolve(lines);
        };
        waiting.add(look);
        terminal.write('', look);
      }),
  };
  return screen;
}
