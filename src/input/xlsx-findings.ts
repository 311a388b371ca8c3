/** Examples kept of a finding; more would not be read. */
const MOST_EXAMPLES = 3;

/** Some places of a finding, and how many there are. */
export class Tally {
  count = 0;
  readonly examples: string[] = [];

  add(example: string): void {
    this.count += 1;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(example);
  }

  /** `2, 5, 9 and more`. */
  describe(): string {
    return this.examples.join(', ') + (this.count > this.examples.length ? ' and more' : '');
  }
}

/** What reading the rows of a sheet has shown about it. */
export class SheetFindings {
  /** Rows that hold something though they are hidden. */
  readonly hiddenRows = new Tally();
  /** Columns that hold something though they are hidden, by number. */
  readonly hiddenColumns = new Set<number>();
  /** Whether rows are hidden by a filter. */
  filtered = false;
  /** Ranges of merged cells whose value may be meant for several rows or columns of people. */
  readonly merged = new Tally();
  /** Empty rows between others. */
  emptyBetween = 0;
  /** Number of the last row that holds something; 0 before any. */
  lastFilled = 0;
  /** Number of the last row there is, styled blanks included. */
  lastRow = 0;
  /** As the sheet itself says, `A1:L120`; read before the rows. */
  dimension: string | undefined;
}
