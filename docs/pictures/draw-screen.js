/** Width and height of a cell, and the space around the screen, in pixels. */
const CELL = { width: 8.4, height: 19 };
const EDGE = 16;
const BAR = 30;

/** The sixteen colours of a terminal, as people usually see them. */
const THEMES = {
  light: {
    paper: '#ffffff',
    frame: '#d0d7de',
    ink: '#1f2328',
    faint: '#656d76',
    palette:
      '#24292f #cf222e #116329 #7d4e00 #0969da #8250df #1b7c83 #6e7781 #57606a #a40e26 #1a7f37 #633c01 #218bff #a475f9 #3192aa #8c959f',
  },
  dark: {
    paper: '#0d1117',
    frame: '#30363d',
    ink: '#e6edf3',
    faint: '#8b949e',
    palette:
      '#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4 #6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #ffffff',
  },
};

/** A terminal's screen as an SVG: every run of cells that look alike is a text at its own place. */
export function drawScreen(terminal, title, theme) {
  const colours = { ...THEMES[theme], palette: THEMES[theme].palette.split(' ') };
  const lines = readLines(terminal);
  const width = Math.ceil(terminal.cols * CELL.width + 2 * EDGE);
  const height = Math.ceil(lines.length * CELL.height + 2 * EDGE + BAR);
  const texts = lines.flatMap((runs, row) => runs.map((run) => drawRun(run, row, colours)));
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `<circle cx="${EDGE + 6 + at * 20}" cy="${BAR / 2 + 4}" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${colours.paper}" stroke="${colours.frame}"/>
${dots.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${texts.join('\n')}
</g>
</svg>
`;
}

/** The screen down to its last line that shows something, as runs of cells that look alike. */
function readLines(terminal) {
  const lines = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    const runs = readRuns(terminal.buffer.active.getLine(row), terminal.cols);
    lines.push(runs.map(withoutEdges).filter(({ text }) => text !== ''));
  }
  while (lines.length > 0 && lines.at(-1).length === 0) lines.pop();
  return lines;
}

function readRuns(line, columns) {
  const runs = [];
  for (let at = 0; at < columns; at += 1) {
    const cell = line?.getCell(at);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    // Wide characters keep the columns after them in place.
    if (last === undefined || last.key !== look.key || cell.getWidth() !== 1) {
      runs.push({ at, text, width: cell.getWidth(), ...look });
      continue;
    }
    last.text += text;
    last.width += 1;
  }
  return runs;
}

/** Spaces at the ends of a text are not drawn by every viewer; the place of the rest says as much. */
function withoutEdges(run) {
  if (run.inverse) return run;
  const start = run.text.length - run.text.trimStart().length;
  const end = run.text.length - run.text.trimEnd().length;
  return { ...run, at: run.at + start, width: run.width - start - end, text: run.text.trim() };
}

function lookOf(cell) {
  const colour = cell.isFgPalette() ? cell.getFgColor() : undefined;
  const bold = cell.isBold() !== 0;
  const faint = cell.isDim() !== 0;
  const inverse = cell.isInverse() !== 0;
  const underlined = cell.isUnderline() !== 0;
  return {
    colour,
    bold,
    faint,
    inverse,
    underlined,
    key: `${colour} ${bold} ${faint} ${inverse} ${underlined}`,
  };
}

function drawRun(
  { at, text, width, colour, bold, faint, inverse, underlined },
  row,
  { palette, ink, faint: pale, paper },
) {
  const x = (EDGE + at * CELL.width).toFixed(1);
  const y = (EDGE + BAR + row * CELL.height + 14).toFixed(1);
  const length = (width * CELL.width).toFixed(1);
  const fill = colour === undefined ? (faint ? pale : ink) : (palette[colour] ?? ink);
  const marks = [bold && 'font-weight="bold"', underlined && 'text-decoration="underline"'].filter(Boolean);
  const place = [`x="${x}"`, `y="${y}"`, `textLength="${length}"`, 'lengthAdjust="spacingAndGlyphs"'];
  const attributes = [...place, `fill="${inverse ? paper : fill}"`, ...marks].join(' ');
  const letters = `<text ${attributes}>${escapeXml(text)}</text>`;
  if (!inverse) return letters;
  const box = `x="${x}" y="${(Number(y) - 14).toFixed(1)}" width="${length}"`;
  return `<rect ${box} height="${CELL.height}" fill="${fill}"/>${letters}`;
}

/** Several spaces in a row become one in most viewers, unless they are no-break spaces. */
function escapeXml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', '\u00a0');
}
