import type { InputOptions } from '../../src/input/read-input.ts';

/** Everything found out from the file. */
export const FOUND_OUT: Omit<InputOptions, 'knows'> = {
  format: undefined,
  encoding: undefined,
  delimiter: undefined,
  quote: undefined,
  extraCells: undefined,
  sheet: undefined,
  headerRow: undefined,
  includeHidden: undefined,
  accept: new Set(),
};
