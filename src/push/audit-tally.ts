import type { AuditResult } from '../report/summary-view.ts';
import type { AuditFinding } from './judge-audit.ts';

/** Ids that are named; the others are counted. */
const IDS_SHOWN = 10;

/** Counts what an audit finds. */
export class AuditTally {
  #checked = 0;
  #missing = 0;
  #doubled = 0;
  #unapplied = 0;
  #unverified = 0;
  readonly #different = new Map<string, number>();
  #unexpected: { count: number; ids: readonly string[] } = { count: 0, ids: [] };

  /** Undefined: nothing could be said of the row. */
  count(finding: AuditFinding | undefined): void {
    if (finding === undefined) {
      this.#unverified += 1;
      return;
    }
    this.#checked += 1;
    if (finding.kind === 'missing') this.#missing += 1;
    else if (finding.kind === 'doubled') this.#doubled += 1;
    else if (finding.kind === 'unapplied') this.#unapplied += 1;
    else
      for (const field of finding.different)
        this.#different.set(field, (this.#different.get(field) ?? 0) + 1);
  }

  /** Registrations that have appeared and that no row stands for. */
  appeared(ids: readonly string[]): void {
    this.#unexpected = { count: ids.length, ids: ids.slice(0, IDS_SHOWN) };
  }

  /** A row is there, and may be there more than once. */
  perhapsDoubled(): void {
    this.#doubled += 1;
  }

  /** `skipped`: why the rest could not be read, as a clause. */
  result(skipped?: string): AuditResult {
    const different = [...this.#different].map(([field, rows]) => ({ field, rows }));
    return {
      checked: this.#checked,
      missing: this.#missing,
      doubled: this.#doubled,
      different: different.sort((one, other) => other.rows - one.rows),
      unapplied: this.#unapplied,
      unexpected: this.#unexpected,
      unverified: this.#unverified,
      skipped,
    };
  }
}
