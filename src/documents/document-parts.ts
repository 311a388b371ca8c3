import * as z from 'zod';

// Objects are strict, so that tests find what was added without being said; in docs/schema they are open.

export const text = z.string();
export const maybeText = z.string().nullable();
export const count = z.int().nonnegative();
export const maybeCount = count.nullable();
export const flag = z.boolean();
/** An ISO 8601 time in UTC. */
export const time = z.iso.datetime();
export const maybeTime = time.nullable();
/** As the service writes it; the journal keeps texts. */
export const id = z.union([z.string(), z.int()]);
export const maybeId = id.nullable();
/** A value of a field; of persons masked unless `--show-values`. */
export const value = z.union([z.string(), z.array(z.string())]);
export const maybeValue = value.nullable();

/** The file as it was given, `-` for standard input; all null where no row of a file stands for it. */
export const place = { file: maybeText, sheet: maybeText, line: z.int().nullable() };
/** Whose a row is. */
export const whose = { barcode: maybeText, persona: maybeText, registration_id: maybeId };

/** A value that is not as it was to be left. */
export const difference = z.strictObject({
  field: text,
  kind: z.enum(['stored', 'refused', 'changed', 'disputed']),
  expected: maybeValue,
  found: maybeValue,
});

/** A cell that is sent otherwise than the file has it; masked where it may tell of a person, unless `--show-values`. */
export const mendedCell = z.strictObject({
  column: text,
  field: text,
  repair: text,
  before: text,
  after: text,
});

const problemParts = {
  column: maybeText,
  field: maybeText,
  /** One of the codes of problems in docs/json.md. */
  code: text,
  /** As it stands in the file; masked where it may tell of a person, unless `--show-values`. */
  value: maybeText,
  message: text,
  remedy: maybeText,
};

/** Why a row was rejected, of one of its cells. */
export const reason = z.strictObject(problemParts);

/** One reason why a row, or a registration, is not as it was to be. */
export const problem = z.strictObject({
  ...place,
  /** The three in one: `guests.csv:17`, or `registration ID` where no row stands for it. */
  place: text,
  ...problemParts,
  state: text,
  barcode: maybeText,
  registration_id: maybeId,
  /** Who would be deleted, where a guard has stopped that: the name, masked unless `--show-values`. */
  who: text.optional(),
  differences: z.array(difference).optional(),
});

/** A question that a file leaves open, with the flags that answer it. */
const question = z.strictObject({
  text,
  answers: z.array(z.strictObject({ flag: maybeText, label: text })),
});

export const failure = z.strictObject({
  /** One of the codes of errors, or of guards, in docs/json.md. */
  code: text,
  message: text,
  hint: maybeText,
  details: z.array(text),
  exit: z.int(),
  questions: z.array(question).optional(),
});

/** What is said is not changed any more, so that values of the program may stand in it as they are. */
export type Told<T> = T extends object ? { readonly [Key in keyof T]: Told<T[Key]> } : T;

/** A line of a stream of lines, by its type, without what all of them have. */
export type LineOf<
  Lines extends Readonly<Record<string, z.ZodRawShape>>,
  Type extends keyof Lines = keyof Lines,
> = Type extends keyof Lines
  ? { type: Type } & { readonly [Key in keyof Lines[Type]]: Told<z.infer<Lines[Type][Key]>> }
  : never;

/** The schema of one line; `head`: what all of them have. */
export function lineSchema(lines: Readonly<Record<string, z.ZodRawShape>>, head: z.ZodRawShape): z.ZodType {
  const types = Object.entries(lines);
  return z.union(types.map(([type, shape]) => z.strictObject({ type: z.literal(type), ...head, ...shape })));
}

/** What every document ends with. */
export const ending = {
  /** What the process exits with; null while it still works. */
  exit: z.int().nullable(),
  /** The guard that stopped the command. */
  stopped_by: maybeText,
  /** Why the command has failed; null when it did its work, whatever became of single rows. */
  error: failure.nullable(),
};
export type Ending = Told<z.infer<z.ZodObject<typeof ending>>>;
