/** Columns say the same again and again, or else nearly nothing twice. */
const MOST = 200;

/** What is made of texts, once of each that comes again: the first so many are kept. */
export class Repeats<Made> {
  readonly #made = new Map<string, Made>();

  /** `make` goes by the text alone. */
  of(text: string, make: (text: string) => Made): Made {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (this.#made.size < MOST) this.#made.set(text, made);
    return made;
  }
}
