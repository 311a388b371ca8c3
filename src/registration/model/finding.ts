/** What a rule has against a value. Holds nothing of the value when the kind is personal (see `isPersonal`). */
export interface Finding {
  /** What is wrong, as a clause without a full stop. */
  problem: string;
  /** How to mend it, as a clause. */
  remedy: string | undefined;
}

/** A value as it is to be sent, or what is wrong with it. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; finding: Finding };

/** The finding as a negative result. */
export function refuse(problem: string, remedy?: string): { ok: false; finding: Finding } {
  return { ok: false, finding: { problem, remedy } };
}
