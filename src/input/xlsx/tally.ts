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
