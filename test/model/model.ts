import type { FieldValue, SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import { isSame } from './values.ts';
import { type Attribute, attributeOf } from './world.ts';

/**
 * What a value was, for both sides, when they were last seen to agree. `sure`: the program has said that all
 * is well; else it may have seen it or not.
 */
export interface Base {
  file: string;
  seen: FieldValue | undefined;
  sure: boolean;
}

/** What is known of the past without asking the program: which row stands for which registration, and the bases. */
export class Model {
  /** Registration by guest, once a file had it. */
  readonly links = new Map<number, string>();
  /** Registrations that somebody else has deleted. */
  readonly deletedByOthers = new Set<string>();
  /** Registrations whose person somebody else has replaced, and whether a push has told it. */
  readonly substituted = new Map<string, 'untold' | 'told'>();
  /** What somebody else has ever changed: `id attribute`. */
  readonly touched = new Set<string>();
  /** Rows of guests as they were sent last, of those that no list shows. */
  readonly hiddenSent = new Map<number, string>();
  /** A file had two rows with one e-mail: the program may know by what the service recognises people. */
  mayKnowRecognition = false;
  readonly #bases = new Map<string, Base>();
  /** Values that the program has said were not accepted, by registration, field and value. */
  readonly #notAccepted = new Set<string>();

  /** Registrations as they were at the end of the last push that went well. */
  readonly #seen = new Map<string, SandboxRegistration>();

  lastSeen(id: string): SandboxRegistration | undefined {
    return this.#seen.get(id);
  }

  /** The barcode that a registration had when it was last seen. */
  barcodeOf(id: string): string | undefined {
    return this.#seen.get(id)?.barcode;
  }

  /** What a field that no file had yet was when it was last seen. */
  seenBefore(id: string, attribute: Attribute): FieldValue | undefined {
    const one = this.#seen.get(id);
    return one === undefined ? undefined : attributeOf(one, attribute);
  }

  base(id: string, attribute: Attribute): Base | undefined {
    return this.#bases.get(`${id} ${attribute}`);
  }

  wasNotAccepted(id: string, attribute: Attribute, value: string): boolean {
    return this.#notAccepted.has(`${id} ${attribute} ${value}`);
  }

  noteNotAccepted(id: string, attribute: Attribute, value: string): void {
    this.#notAccepted.add(`${id} ${attribute} ${value}`);
  }

  /** After a push: what agrees now is a base; the rest stays as it was, less certain where not all went well. */
  noteSeen(registration: SandboxRegistration, wanted: ReadonlyMap<Attribute, string>, sure: boolean): void {
    this.#seen.set(registration.id, registration);
    for (const [attribute, cell] of wanted) {
      const seen = attributeOf(registration, attribute);
      const key = `${registration.id} ${attribute}`;
      const base = this.#bases.get(key);
      if (isSame(seen, cell)) this.#bases.set(key, { file: cell, seen, sure });
      else if (base !== undefined && !sure) this.#bases.set(key, { ...base, sure: false });
    }
  }

  /** Something else than a push has written: what was seen before may count or not. */
  doubtAll(): void {
    for (const [key, base] of this.#bases) this.#bases.set(key, { ...base, sure: false });
  }
}
