/** Columns say the same again and again, or else nearly nothing twice. */
const MOST = 200;

/** What is made of texts, once of each that comes again: the first so many are kept, unless hardly any of them does. */
export class Repeats<Made> {
  readonly #made = new Map<string, Made>();
  #hits = 0;
  #isOfUse = true;

  /** `make` goes by the text alone. */
  of(text: string, make: (text: string) => Made): Made {
    if (!this.#isOfUse) return make(text);
    const known = this.#made.get(text);
    if (known !== undefined) {
      this.#hits += 1;
      return known;
    }
    const made = make(text);
    if (this.#made.size < MOST) this.#made.set(text, made);
    else this.#isOfUse = 2 * this.#hits > MOST;
    return made;
  }
}
