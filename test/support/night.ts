/** Whether all is to be tried that `npm run test:nightly` tries. */
export const IS_NIGHT = process.env['EVENTREG_NIGHT'] !== undefined;

/** How many random cases to try: by day an eighth of those of a night. */
export const runsOf = (night: number): number => (IS_NIGHT ? night : Math.ceil(night / 8));

/** All cases at night; by day the first of every so many, where they tell of the same in other words. */
export const casesOf = <T>(cases: readonly T[], every: number): T[] =>
  cases.filter((_, at) => IS_NIGHT || at % every === 0);
