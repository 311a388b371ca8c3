import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { seededRandom } from '../support/seeded-random.ts';

const JOURNAL = 'journal.sqlite';
/** The journal, and the log of what was written last. */
const FILES = [JOURNAL, `${JOURNAL}-wal`];
/** What a log begins with tells it from the one before. */
const LOG_HEAD = 32;

/** The power of a machine: when it is cut, all is gone that was not on the disk for certain. */
export class Power {
  readonly #state: string;
  readonly #kept: string;
  #processes = 0;

  constructor(directory: string, state: string) {
    this.#state = state;
    this.#kept = join(directory, 'on-the-disk');
  }

  get #keep(): string {
    return join(this.#kept, String(this.#processes));
  }

  /** The environment of the next process, which keeps what is on the disk each time that it changes. */
  nextProcess(): Record<string, string> {
    rmSync(this.#keep, { recursive: true, force: true });
    this.#processes += 1;
    const asItBegan = join(this.#keep, '0');
    mkdirSync(asItBegan, { recursive: true });
    copy(this.#state, asItBegan);
    return { CRASH_KEEP: this.#keep };
  }

  /** Cuts it, of a process that has ended, and starts the machine anew. Every second time some of what was written last is left. */
  cut(): void {
    const kept = readdirSync(this.#keep).flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
    const durable = join(this.#keep, String(Math.max(...kept)));
    const left = this.#processes % 2 === 0 ? this.#leftOf(durable) : undefined;
    if (left !== undefined) {
      copy(this.#state, durable);
      truncateSync(join(durable, `${JOURNAL}-wal`), left);
    }
    // New files: what is open somewhere stays with the old ones.
    for (const name of [...FILES, `${JOURNAL}-shm`]) rmSync(join(this.#state, name), { force: true });
    copy(durable, this.#state);
    if (existsSync(join(this.#state, JOURNAL))) startAnew(join(this.#state, JOURNAL), this.#processes);
  }

  /** How long the log is where the disk has some of what was written since; undefined where it cannot be told what that was. */
  #leftOf(durable: string): number | undefined {
    const [db, log] = FILES.map((name) => [read(durable, name), read(this.#state, name)] as const);
    if (db?.[0] === undefined || !db[0].equals(db[1] ?? Buffer.of())) return undefined;
    const [before, now] = log ?? [];
    if (before === undefined || now === undefined || before.length > now.length) return undefined;
    if (!before.subarray(0, LOG_HEAD).equals(now.subarray(0, LOG_HEAD))) return undefined;
    return before.length + Math.floor(seededRandom(this.#processes)() * (now.length - before.length + 1));
  }
}

const read = (folder: string, name: string): Buffer | undefined =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;

function copy(from: string, to: string): void {
  for (const name of FILES) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

/** As far as the journal can tell. */
function startAnew(file: string, times: number): void {
  const journal = new DatabaseSync(file);
  const hasBlocks = journal.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'block'`).get() !== undefined;
  if (hasBlocks) journal.prepare('UPDATE block SET boot = ?').run(`start ${times}`);
  journal.close();
}
