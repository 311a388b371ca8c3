import type { Place, Reason, Reject } from '../../registration/model/row.ts';

/** A value that is wrong, and where it stands. */
export interface GroupedValue {
  value: string;
  personal: boolean;
  remedy: string | undefined;
  rows: number;
  /** The first of them. */
  places: readonly Place[];
}

/** Rows that are wrong in the same column for the same kind of reason. */
export interface RejectGroup {
  /** Undefined where the row as a whole is wrong. */
  column: string | undefined;
  field: string | undefined;
  /** What is true of every row of it: … stands for values, numbers and places that differ. */
  problem: string;
  remedy: string | undefined;
  rows: number;
  places: readonly Place[];
  /** The most frequent first; empty where there is none to tell. */
  values: readonly GroupedValue[];
}

/** All rows of a push that cannot be sent. */
export interface RejectsView {
  /** Such rows, and all. */
  rejected: number;
  rows: number;
  reasons: number;
  /** Those with most rows first. */
  groups: readonly RejectGroup[];
  /** Row by row, in the order of the files; may be read more than once. */
  each: () => Iterable<Reject>;
}

/** More are counted with others of their column. */
const MOST_GROUPS = 500;
const MOST_VALUES = 200;
const MOST_PLACES = 3;

interface Tally {
  rows: number;
  places: Place[];
}

type Group = Omit<RejectGroup, 'values' | 'places' | 'rows'> & Tally & { values: Map<string, ValueTally> };
type ValueTally = Omit<GroupedValue, 'places' | 'rows'> & Tally;

/** Counts rejected rows by column and kind of reason, in constant memory. */
export class RejectGroups {
  readonly #groups = new Map<string, Group>();
  #rejected = 0;
  #reasons = 0;

  add({ place, reasons }: Reject): void {
    this.#rejected += 1;
    this.#reasons += reasons.length;
    for (const reason of reasons) this.#addReason(reason, place);
  }

  view(rows: number, each: () => Iterable<Reject>): RejectsView {
    const groups = [...this.#groups.values()].map((group) => ({ ...group, values: byRows(group.values) }));
    return {
      rejected: this.#rejected,
      rows,
      reasons: this.#reasons,
      groups: groups.sort((one, other) => other.rows - one.rows),
      each,
    };
  }

  #addReason(reason: Reason, place: Place): void {
    const { column, field, value, problem, remedy, personal } = reason;
    const kind = this.#groups.size < MOST_GROUPS ? problem.replace(VARIES, '…') : '';
    const key = JSON.stringify([column, kind]);
    const group = this.#groups.get(key) ?? {
      column,
      field,
      problem,
      remedy,
      rows: 0,
      places: [],
      values: new Map<string, ValueTally>(),
    };
    this.#groups.set(key, group);
    count(group, place);
    group.problem = withWhatIsCommon(group.problem, problem);
    // What helps against one value need not help against another.
    if (group.remedy !== remedy) group.remedy = undefined;
    if (value === undefined) return;
    const known = group.values.get(value) ?? { value, personal, remedy, rows: 0, places: [] };
    if (known.rows === 0 && group.values.size >= MOST_VALUES) return;
    group.values.set(value, known);
    count(known, place);
  }
}

function count(tally: Tally, place: Place): void {
  tally.rows += 1;
  if (tally.places.length < MOST_PLACES) tally.places.push(place);
}

function byRows(values: ReadonlyMap<string, ValueTally>): GroupedValue[] {
  return [...values.values()].sort((one, other) => other.rows - one.rows);
}

/** What differs from row to row: quoted values, places and numbers, or what stands for those. */
const VARIES = /"[^"]*"|\S+:\d+|\d+|…/g;

/** One of two problems of a kind, with … for what differs: no row is said to have what is of another. */
function withWhatIsCommon(problem: string, other: string): string {
  const others = other.match(VARIES) ?? [];
  let at = 0;
  return problem.replace(VARIES, (part) => (others[at++] === part ? part : '…'));
}
