/**
 * What the owner of a file has said about the values of its columns, by heading without the differences that
 * people do not mean (`normaliseName`).
 */
export interface ColumnAnswers {
  /** By heading, what each value stands for; the empty text is a blank. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By heading, the country whose numbers have no code, or that all have one (`none`). */
  phones: ReadonlyMap<string, string>;
  /** By heading, the order of dates. */
  dates: ReadonlyMap<string, 'dmy' | 'mdy'>;
  /** Headings whose values are left out where the kind of guest has no such field. */
  leaveOut: ReadonlyMap<string, true>;
}
