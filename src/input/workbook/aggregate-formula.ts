const FUNCTION = /\b(?:SUM|SUMPRODUCT|COUNT|COUNTA|AVERAGE|MIN|MAX|SUBTOTAL|AGGREGATE)\(/i;
const RANGE = /\$?[A-Z]{1,3}\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})/gi;
const WHOLE_COLUMNS = /\$?\b[A-Z]{1,3}:\$?[A-Z]{1,3}\b/i;
/** `Guests[Tickets]`, but not `Guests[@Tickets]`, which is one row of it. */
const TABLE_COLUMN = /\w\[[^\][@#]+\]/;
/** So much of a formula is looked at: sums of a list are short. */
export const LONGEST_FORMULA = 1000;

/** Whether a formula adds up or counts cells of several rows, as below a list: `SUM(D2:D120)`. */
export function isAggregate(formula: string): boolean {
  if (!FUNCTION.test(formula)) return false;
  if (WHOLE_COLUMNS.test(formula) || TABLE_COLUMN.test(formula)) return true;
  return [...formula.matchAll(RANGE)].some(([, first, last]) => first !== last);
}
