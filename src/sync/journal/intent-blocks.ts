import { readFileSync } from 'node:fs';
import type { DatabaseFile } from '../../sqlite/database-file.ts';
import { INTENDED } from './row-tables.ts';
import type { Locks } from '../../sqlite/run-locks.ts';

type Numbered = DatabaseFile & { nextNo(): number };

/** So many rows may leave on one durable write. */
const MOST = 256;

/**
 * Writes durably, before rows leave, that they may: a block of them at once, so that what is written of each when it
 * leaves and when it is answered need not wait for the disk. Whoever kills the process takes nothing of that away; a
 * machine that stops may, and then every row of the block counts as sent, perhaps.
 */
export class IntentBlocks {
  readonly #journal: Numbered;
  readonly #locks: Locks;
  readonly #boot: string | undefined;
  #run: string | undefined;
  #covered: ReadonlySet<number> = new Set();

  constructor(journal: Numbered, locks: Locks, boot: string | undefined) {
    this.#journal = journal;
    this.#locks = locks;
    this.#boot = boot;
  }

  /** Returns when it is on the disk that a row may leave. `perSecond`: how many the service lets go, if that is known. */
  cover(run: string, seq: number, now: number, perSecond: () => number | undefined): void {
    // Where it is shared no row leaves before its own intent is there.
    if (this.#journal.sharing !== undefined || (this.#run === run && this.#covered.has(seq))) return;
    const next = this.#journal.all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND state = 'pending' AND op = 'send' ORDER BY depth, position, seq LIMIT $most`,
      { run, most: Math.max(1, Math.min(MOST, Math.ceil(perSecond() ?? MOST))) },
    );
    const seqs = new Set([seq, ...next.map((row) => row.seq)]);
    const block = [run, this.#boot, now, JSON.stringify([...seqs])];
    this.#journal.run('INSERT OR REPLACE INTO block (run, boot, at, seqs) VALUES (?, ?, ?, ?)', block);
    this.#run = run;
    this.#covered = seqs;
  }

  /** Rows of runs that nobody works on any more have left, perhaps, where the machine has been stopped since. */
  settle(): void {
    const journal = this.#journal;
    if (!journal.has('FROM block')) return;
    journal.transaction(() => {
      for (const block of journal.all<Block>('SELECT * FROM block')) {
        if (this.#locks.isOwn(block.run) || this.#locks.isHeld(block.run)) continue;
        if (this.#boot === undefined || this.#boot !== block.boot) this.#doubt(block);
        endBlock(journal, block.run);
      }
    });
  }

  #doubt({ run, at, seqs }: Block): void {
    const journal = this.#journal;
    const no = journal.nextNo();
    const send = JSON.stringify({ no, at, detail: 'perhaps: the machine was stopped' });
    journal.run(
      `UPDATE operation SET ${INTENDED}
       WHERE run = ? AND state = 'pending' AND op = 'send' AND seq IN (SELECT value FROM json_each(?))`,
      [at, no, send, run, seqs],
    );
  }
}

interface Block {
  run: string;
  boot?: string;
  at: number;
  seqs: string;
}

/** All that was written of a run is on the disk when this is. */
export function endBlock(journal: DatabaseFile, run: string): void {
  journal.run('DELETE FROM block WHERE run = $run', { run });
}

/** What tells one start of this machine from all others; undefined where the system does not. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
