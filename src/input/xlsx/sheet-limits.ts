/** What a sheet may hold at most. Texts are in characters. */
export interface SheetLimits {
  /** Columns that may hold something; wider sheets are no lists of people. */
  columns: number;
  values: number;
  /** Text of a row, as much as a record of CSV may have. */
  rowText: number;
  /** Text after which rows are handed on before more are read. */
  batchText: number;
  sheetText: number;
}

const MEBI = 1024 * 1024;

/** The limits of every sheet; tests have smaller ones. */
export const SHEET_LIMITS: SheetLimits = {
  columns: 1_000,
  values: 20_000_000,
  rowText: MEBI,
  batchText: MEBI,
  sheetText: 2048 * MEBI,
};
