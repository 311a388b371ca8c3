import { readFileSync } from 'node:fs';
import { among, THERE } from '../../registration/model/row-states.ts';
import type { DatabaseFile } from '../../sqlite/database-file.ts';
import { ASIDE, type LateWrites } from '../../sqlite/late-writes.ts';
import type { Locks } from '../../sqlite/run-locks.ts';

type Numbered = DatabaseFile & { together(work: (no: number) => void): void; departures: LateWrites };

/** Part of a departure, under its number. */
const numbered = (part: string) => `'{"no":' || departure.no || ',' || substr(one.value -> '${part}', 2)`;
const WITH_ANSWER = `iif(answer IS NULL, sent, substr(sent, 1, length(sent) - 1) || ',"answer":' || answer || '}')`;
/** Of each row its request, the answer, or both: who leaves again has been told of the first. */
const TELL_ROWS = `UPDATE operation ${ASIDE} SET state = coalesce(outcome ->> 'state', 'sending'),
  attempts = attempts + (sent IS NOT NULL),
  sent_at = coalesce(sent ->> 'at', sent_at), sent_no = coalesce(sent ->> 'no', sent_no),
  sends = iif(sent IS NULL, json_set(sends, '$[#-1].answer', json(answer)),
    coalesce(rtrim(sends, ']') || ',', '[') || ${WITH_ANSWER} || ']'),
  status = iif(outcome IS NULL, status, answer ->> 'status'),
  message = iif(outcome IS NULL, message, outcome ->> 'message'),
  remote_id = coalesce(outcome ->> 'remoteId', remote_id), done_at = coalesce(answer ->> 'at', done_at),
  listed_no = iif(outcome ->> 'state' ${among(THERE)}, answer ->> 'no', listed_no),
  proof = iif(proof = 'absent' AND outcome ->> 'isUnlisted' AND NOT EXISTS (SELECT 1 FROM operation AS other
    WHERE other.remote_id = outcome ->> 'remoteId' AND other.run = operation.run AND other.seq <> operation.seq), 'unlisted', proof)
  FROM (SELECT part.key AS run, one.value ->> 'seq' AS seq, max(${numbered('sent')}) AS sent,
      max(one.value -> 'outcome') AS outcome, max(${numbered('answer')}) AS answer
    FROM departure JOIN json_each(departure.list) AS part JOIN json_each(part.value) AS one GROUP BY 1, 2) AS news
  WHERE operation.run = news.run AND operation.seq = news.seq`;

/** Who has left when, and what was answered. */
export const DEPARTURES = {
  list: 'departure',
  tell: [TELL_ROWS, 'UPDATE counter SET no = (SELECT no FROM latest_no)'],
  ofRows: /\b(?:row|operation)\b/,
};

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
    const most = Math.max(1, Math.min(MOST, Math.ceil(perSecond() ?? MOST)));
    this.#covered = this.#journal.transaction(() => {
      const next = this.#journal.all<{ seq: number }>(
        `SELECT seq FROM operation WHERE run = $run AND state = 'pending' AND op = 'send'
         ORDER BY depth, position, seq LIMIT $most`,
        { run, most },
      );
      const seqs = new Set([seq, ...next.map((row) => row.seq)]);
      const block = [run, this.#boot, now, JSON.stringify([...seqs])];
      this.#journal.run('INSERT OR REPLACE INTO block (run, boot, at, seqs) VALUES (?, ?, ?, ?)', block);
      return seqs;
    });
    this.#run = run;
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
    const left = journal.all<{ seq: number }>(
      `SELECT seq FROM operation WHERE run = $run AND state = 'pending' AND op = 'send'
         AND seq IN (SELECT value FROM json_each($seqs))`,
      { run, seqs },
    );
    const sent = { at, detail: 'perhaps: the machine was stopped' };
    journal.together(() => {
      for (const { seq } of left) journal.departures.add(run, { seq, sent }, [`${run} ${seq}`]);
    });
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
