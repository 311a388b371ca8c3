import { BARCODE } from '../../registration/changes/aspect.ts';
import type { AuditResult, FieldCount } from '../../report/views/summary-view.ts';
import { type AuditFinding, isUnapplied } from '../decide/judge-audit.ts';
import type { Lost } from './strangers.ts';

/** Ids that are named; the others are counted. */
const IDS_SHOWN = 10;

/** Counts what an audit finds. */
export class Tally {
  readonly #counts = {
    checked: 0,
    missing: 0,
    doubled: 0,
    refused: 0,
    unapplied: 0,
    gone: 0,
    orphaned: 0,
    unverified: 0,
  };
  readonly #fields = {
    different: new Map<string, number>(),
    changed: new Map<string, number>(),
    spelling: new Map<string, number>(),
    hidden: new Map<string, number>(),
  };
  /** Ids of registrations that have appeared and that no row stands for. */
  unexpected: readonly string[] = [];

  /** Undefined: nothing could be said of the row. */
  count(finding: AuditFinding | undefined): void {
    const isThere = finding?.kind === 'there';
    if (finding === undefined || (isThere && finding.isUnseen && finding.differences.length === 0)) {
      this.#counts.unverified += 1;
      for (const field of isThere ? finding.hidden : []) addOne(this.#fields.hidden, field);
      return;
    }
    this.#counts.checked += 1;
    if (!isThere) {
      this.#counts[finding.kind] += 1;
      return;
    }
    const { different, changed, spelling, hidden } = this.#fields;
    const isOld = isUnapplied(finding);
    if (isOld) this.#counts.unapplied += 1;
    for (const { field, kind } of finding.differences) {
      if (kind === 'refused') this.#counts.refused += 1;
      if (kind === 'changed') addOne(changed, field);
      else if (!isOld) addOne(different, field);
    }
    for (const field of finding.spelling) addOne(finding.hidden.includes(field) ? hidden : spelling, field);
  }

  /** An update has changed somebody else. */
  takenOver(): void {
    this.#counts.checked += 1;
    addOne(this.#fields.different, BARCODE.field);
  }

  /** Registrations that are gone, or have lost their parent, and that nobody asked for. */
  lost(counts: Record<Lost['kind'], number>): void {
    Object.assign(this.#counts, counts);
  }

  /** Rows that are there, and may be there more than once, under these names: those are nobody else. */
  perhapsDoubled(rows: number, names: ReadonlySet<string>): void {
    this.#counts.doubled += rows;
    this.unexpected = this.unexpected.filter((id) => !names.has(id));
  }

  /** `skipped`: why the rest could not be read, as a clause. */
  result(skipped?: string): AuditResult {
    const { different, changed, spelling, hidden } = this.#fields;
    return {
      ...this.#counts,
      different: mostFirst(different),
      changed: mostFirst(changed),
      spelling: mostFirst(spelling),
      hidden: mostFirst(hidden),
      unexpected: { count: this.unexpected.length, ids: this.unexpected.slice(0, IDS_SHOWN) },
      skipped,
    };
  }
}

export function addOne(counts: Map<string, number>, field: string): void {
  counts.set(field, (counts.get(field) ?? 0) + 1);
}

export const mostFirst = (counts: ReadonlyMap<string, number>): FieldCount[] =>
  [...counts].map(([field, rows]) => ({ field, rows })).sort((one, other) => other.rows - one.rows);
