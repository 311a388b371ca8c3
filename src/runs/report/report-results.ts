import type { ResultCount, Tone } from '../../report/views/run-report.ts';
import { COUNT_WORDS, readShares, type Share, shareOf } from '../../sync/journal/count-run.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RunCounts } from '../../sync/journal/run.ts';
import type { ToldRow } from '../../sync/journal/told-rows.ts';

/** Rows of a run by what they came to, or would, in words. */
export class ReportResults {
  readonly counts: readonly ResultCount[];
  readonly #dry: boolean;
  readonly #undo: number;
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(journal: Journal, run: string, dry: boolean) {
    this.#dry = dry;
    const rows = new Map<string, ResultCount>();
    const shares = readShares(journal, run);
    this.#undo = shares[0]?.undo ?? 0;
    for (const { n, ...share } of shares) {
      const { name, tone } = this.#resultOf(share);
      rows.set(name, { name, tone, rows: n + (rows.get(name)?.rows ?? 0) });
    }
    this.counts = ORDER.flatMap((name) => rows.get(name) ?? []);
    this.#indexes = new Map(this.counts.map(({ name }, at) => [name, at]));
  }

  /** Index of what a row came to. */
  indexOf({ op, state, firstPlan: plan }: Pick<ToldRow, 'op' | 'state' | 'firstPlan'>): number {
    return this.#indexes.get(this.#resultOf({ op, state, plan, undo: this.#undo }).name) ?? 0;
  }

  #resultOf(share: Share): { name: string; tone: Tone } {
    const key = shareOf(share);
    if (key === 'open' && this.#dry) return { name: plannedAs(share), tone: 'good' };
    return { name: NAMES.get(key) ?? key, tone: TONES[key] };
  }
}

function plannedAs({ undo, op, plan }: Share): string {
  if (op === 'delete') return 'to delete';
  if (undo === 1) return 'to bring back';
  return plan === 'create' || plan === 'update' ? `to ${plan}` : 'to send without comparing';
}

const PLANNED = ['to create', 'to update', 'to send without comparing', 'to delete', 'to bring back'];

const NAMES: ReadonlyMap<keyof RunCounts, string> = new Map(COUNT_WORDS);

const ORDER = [...PLANNED, ...COUNT_WORDS.map(([, words]) => words)];

const TONES: Readonly<Record<ReturnType<typeof shareOf>, Tone>> = {
  new: 'good',
  changed: 'good',
  sent: 'good',
  deleted: 'good',
  restored: 'good',
  unchanged: 'same',
  kept: 'same',
  left: 'open',
  rejected: 'bad',
  failed: 'bad',
  conflict: 'bad',
  blocked: 'open',
  postponed: 'open',
  uncertain: 'doubt',
  open: 'open',
};
