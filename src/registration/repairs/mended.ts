/** A value on its way from the cell to what is sent, and what was done to it so far. */
export interface Mended<Value = string> {
  value: Value;
  /** Clauses in order: `spaces at the ends removed`. Empty as long as nothing is changed. */
  done: readonly string[];
}

/** The text as the cell has it. */
export function unchanged(value: string): Mended {
  return { value, done: NOTHING };
}

/** The value after one more repair; the same object when the repair changed nothing. */
export function mend(before: Mended, value: string, repair: string): Mended {
  return value === before.value ? before : { value, done: [...before.done, repair] };
}

const NOTHING: readonly string[] = [];
