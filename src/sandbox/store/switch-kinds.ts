/** One of several answers. */
export interface WordSwitch<Word extends string> {
  meaning: string;
  allowed: readonly Word[];
  initial: NoInfer<Word>;
}

/** A number of something. */
export interface NumberSwitch {
  meaning: string;
  /** Whole numbers. */
  allowed: { min: number; max: number };
  initial: number;
}

/** What is done by default is the first of the words unless another one is named. */
export const word = <const Word extends string>(
  allowed: readonly [Word, ...Word[]],
  meaning: string,
  initial: NoInfer<Word> = allowed[0],
): WordSwitch<Word> => ({ meaning, allowed, initial });

/** A whole number from `min` to `max`. */
export const number = (meaning: string, min: number, max: number, initial: number): NumberSwitch => ({
  meaning,
  allowed: { min, max },
  initial,
});
