/**
 * Makes the pictures of the documentation: plays each scene in a real terminal and draws its last screen.
 * Run by `npm run pictures`; an argument names the one scene to play.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { drawScreen } from './draw-screen.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

/**
 * What is typed, with the files that lie beside it, and for each key what has to stand on the screen before. A last step
 * without keys ends the scene there, in the middle of the run.
 */
const scenes = JSON.parse(readFileSync(join(here, 'scenes.json'), 'utf8'));

/** How long the screen may take to show what a step waits for. */
const PATIENCE_MS = 60_000;

for (const scene of scenes) {
  if (process.argv[2] !== undefined && process.argv[2] !== scene.name) continue;
  const screen = await play(scene);
  for (const theme of ['light', 'dark']) {
    writeFileSync(join(here, `${scene.name}-${theme}.svg`), drawScreen(screen, scene.title, theme));
  }
}

/** Plays a scene on a fresh machine's state; resolves to the terminal as it stands at the end. */
async function play({ columns, rows, typed, files, steps }) {
  const home = mkdtempSync(join(tmpdir(), 'eventreg-picture-'));
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  const screen = watchScreen(terminal);
  try {
    await write(terminal, `\x1b[1m$\x1b[0m ${typed}\r\n`);
    const [, ...words] = typed.split(' ');
    const run = pty.spawn(process.execPath, [join(root, 'bin', 'eventreg.js'), ...words], {
      cols: columns,
      rows,
      cwd: folderWith(files, home),
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm-256color',
        EVENTREG_STATE_DIR: join(home, 'state'),
        EVENTREG_CONFIG_DIR: join(home, 'config'),
      },
    });
    const ended = new Promise((resolve) => run.onExit(resolve));
    run.onData((data) => terminal.write(data, () => screen.changed()));
    for (const { until, keys } of steps) {
      await screen.shows(until);
      if (keys !== undefined) run.write(keys);
    }
    if (steps.length > 0 && steps.at(-1).keys === undefined) run.kill('SIGKILL');
    await ended;
    await write(terminal, '');
    return terminal;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A folder in which the run begins; the files are copies of those of the repository. */
function folderWith(files, home) {
  const folder = join(home, 'work');
  mkdirSync(folder);
  for (const [name, from] of Object.entries(files)) copyFileSync(join(root, from), join(folder, name));
  return folder;
}

function write(terminal, text) {
  return new Promise((resolve) => terminal.write(text, resolve));
}

/** Tells when the screen shows a text. */
function watchScreen(terminal) {
  let waiting = [];
  const text = () => {
    const lines = [];
    for (let row = 0; row < terminal.rows; row += 1) {
      lines.push(terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
    }
    return lines.join('\n');
  };
  return {
    changed() {
      const shown = text();
      waiting = waiting.filter(({ wanted, resolve }) => !shown.includes(wanted) || resolve());
    },
    async shows(wanted) {
      if (text().includes(wanted)) return;
      await new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`The screen never showed "${wanted}":\n${text()}`));
        const timer = setTimeout(fail, PATIENCE_MS);
        waiting.push({ wanted, resolve: () => (clearTimeout(timer), resolve(), false) });
      });
    },
  };
}
