import { createHmac, randomBytes } from 'node:crypto';

/** 48 bits: a million values have a token each. */
const CHARACTERS = 12;

/**
 * Puts a token in the place of a value: the same for equal values. Nobody can tell the value from it, or try values out,
 * without the key, which is kept nowhere.
 */
export class Tokens {
  readonly #key: Buffer;

  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
  }

  of(value: string): string {
    return `t-${createHmac('sha256', this.#key).update(value).digest('hex').slice(0, CHARACTERS)}`;
  }

  /** Null for nothing. */
  orNull(value: string | undefined): string | null {
    return value === undefined ? null : this.of(value);
  }
}
