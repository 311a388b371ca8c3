/** A change of one row: what it was before, undefined when it was not there. */
interface Change<Row> {
  atMs: number;
  seq: number;
  before: Row | undefined;
}

/** Remembers what changed lately, so that lists can show what was there before. In memory: it is young. */
export class RecentChanges<Row extends { seq: number }> {
  #changes: Change<Row>[] = [];

  /** Notes a change, and forgets those that no list of `keepMs` ago can need. */
  note(change: Change<Row>, keepMs: number): void {
    this.#changes = this.#changes.filter(({ atMs }) => atMs > change.atMs - keepMs);
    this.#changes.push(change);
  }

  /** The rows as they were before every change later than `sinceMs`, in the order of their numbers. */
  rewind(rows: readonly Row[], sinceMs: number): Row[] {
    const then = new Map(rows.map((row) => [row.seq, row]));
    for (const { atMs, seq, before } of this.#changes.toReversed()) {
      if (atMs <= sinceMs) continue;
      if (before === undefined) then.delete(seq);
      else then.set(seq, before);
    }
    return [...then.values()].sort((a, b) => a.seq - b.seq);
  }
}
