import { InputError } from '../../errors.ts';

const SAVE_AGAIN =
  'Get the file once more; or open it in a spreadsheet program, save it under another name as "Excel Workbook (.xlsx)", and use that.';

/** The error for a workbook that is not whole, or not what it says of itself. `what` is a clause. */
export function damagedWorkbook(place: string, what: string, cause?: unknown): InputError {
  return new InputError(`${place}: this workbook is damaged: ${what}.`, { hint: SAVE_AGAIN, cause });
}

/** The error for a workbook beyond what is read, as files made to exhaust a machine are. */
export function oversizedWorkbook(place: string, what: string): InputError {
  return new InputError(`${place}: this workbook is refused: ${what}.`, {
    hint: 'Copy the rows into a new workbook, and save that as "Excel Workbook (.xlsx)".',
  });
}

/** The error for a row or cell that holds more text than one of a list of people does. `what` is a noun. */
export function overlongText(place: string, what: string): InputError {
  return new InputError(`${place}: ${what} holds more than 1 MiB of text.`, {
    hint: 'Shorten the text, or delete it; check that this is the right column.',
  });
}
