/** Whether all is to be tried that `npm run test:nightly` tries. */
export const IS_NIGHT = process.env['EVENTREG_NIGHT'] !== undefined;

/** How many random cases to try: by day a quarter of those of a night. */
export const runsOf = (night: number): number => (IS_NIGHT ? night : Math.ceil(night / 4));
