/**
 * Makes the pictures of the documentation: plays each scene in a real terminal and draws its last screen.
 * Run by `npm run pictures`; an argument names the one scene to play.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { drawScreen } from './draw-screen.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

/** What is typed, and what has to stand on the screen before; `until` alone waits. */
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
async function play({ columns, rows, typed, command, steps }) {
  const state = mkdtempSync(join(tmpdir(), 'eventreg-picture-'));
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  const screen = watchScreen(terminal);
  try {
    await write(terminal, `\x1b[1m$\x1b[0m ${typed}\r\n`);
    const run = pty.spawn(process.execPath, [join(root, 'bin', 'eventreg.js'), ...command], {
      cols: columns,
      rows,
      cwd: root,
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm-256color',
        EVENTREG_STATE_DIR: join(state, 'state'),
        EVENTREG_CONFIG_DIR: join(state, 'config'),
      },
    });
    const ended = new Promise((resolve) => run.onExit(resolve));
    run.onData((data) => terminal.write(data, () => screen.changed()));
    for (const { until, keys } of steps) {
      await screen.shows(until);
      if (keys !== undefined) run.write(keys);
    }
    await ended;
    await write(terminal, '');
    return terminal;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
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
