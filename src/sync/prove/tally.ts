import type { AuditResult, FieldCount } from '../../report/views/summary-view.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../decide/judge-audit.ts';

/** Ids that are named; the others are counted. */
const IDS_SHOWN = 10;

/** Counts what an audit finds. */
export class Tally {
  #checked = 0;
  #missing = 0;
  #doubled = 0;
  #unapplied = 0;
  #unverified = 0;
  #refused = 0;
  #gone = 0;
  #orphaned = 0;
  readonly #different = new Map<string, number>();
  readonly #changed = new Map<string, number>();
  readonly #spelling = new Map<string, number>();
  readonly #hidden = new Map<string, number>();
  #unexpected: readonly string[] = [];

  /** Undefined: nothing could be said of the row. */
  count(finding: AuditFinding | undefined): void {
    if (finding === undefined || (finding.kind === 'there' && finding.isUnseen && isAsSent(finding))) {
      this.#unverified += 1;
      return;
    }
    this.#checked += 1;
    if (finding.kind === 'missing') this.#missing += 1;
    else if (finding.kind === 'doubled') this.#doubled += 1;
    else if (isUnapplied(finding)) this.#unapplied += 1;
    if (finding.kind !== 'there') return;
    for (const { field, kind } of finding.differences) {
      if (kind === 'refused') this.#refused += 1;
      if (kind === 'changed') addOne(this.#changed, field);
      else if (!isUnapplied(finding)) addOne(this.#different, field);
    }
    for (const field of finding.spelling) {
      addOne(finding.hidden.includes(field) ? this.#hidden : this.#spelling, field);
    }
  }

  /** Registrations that have appeared and that no row stands for. */
  appeared(ids: readonly string[]): void {
    this.#unexpected = ids;
  }

  /** Registrations that are gone, or have lost their parent, and that nobody asked for. */
  lost({ gone, orphaned }: { gone: number; orphaned: number }): void {
    this.#gone = gone;
    this.#orphaned = orphaned;
  }

  /** Rows that are there, and may be there more than once, under these names: those are nobody else. */
  perhapsDoubled(rows: number, names: ReadonlySet<string>): void {
    this.#doubled += rows;
    this.#unexpected = this.#unexpected.filter((id) => !names.has(id));
  }

  /** `skipped`: why the rest could not be read, as a clause. */
  result(skipped?: string): AuditResult {
    return {
      checked: this.#checked,
      missing: this.#missing,
      doubled: this.#doubled,
      different: mostFirst(this.#different),
      refused: this.#refused,
      changed: mostFirst(this.#changed),
      spelling: mostFirst(this.#spelling),
      hidden: mostFirst(this.#hidden),
      unapplied: this.#unapplied,
      gone: this.#gone,
      orphaned: this.#orphaned,
      unexpected: { count: this.#unexpected.length, ids: this.#unexpected.slice(0, IDS_SHOWN) },
      unverified: this.#unverified,
      skipped,
    };
  }
}

const isAsSent = ({ differences }: AuditThere): boolean => differences.length === 0;

export function addOne(counts: Map<string, number>, field: string): void {
  counts.set(field, (counts.get(field) ?? 0) + 1);
}

export function mostFirst(counts: ReadonlyMap<string, number>): FieldCount[] {
  return [...counts].map(([field, rows]) => ({ field, rows })).sort((one, other) => other.rows - one.rows);
}
