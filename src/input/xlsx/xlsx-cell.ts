import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { type NumberFormat, SheetCell } from '../../registration/model/sheet-cell.ts';
import { GENERAL } from '../workbook/format-code.ts';
import { readXmlText } from './xlsx-text.ts';

/** A cell as the XML of a sheet has it. */
export interface RawCell {
  /** `s`, `n`, `str` and so on; undefined is a number. */
  type: string | undefined;
  /** Number of its style. */
  style: string | undefined;
  formula: boolean;
  /** Whether its formula adds up or counts several rows. */
  aggregate: boolean;
  /** Content of `<v>`; undefined without one. */
  value: string | undefined;
  /** Whether white space at the ends of the value is meant. */
  preserve: boolean;
  /** Content of `<is>`. */
  inline: string;
}

/** What cells refer to. */
export interface CellContext {
  strings: readonly string[];
  /** By the number that cells refer to them with. */
  formats: readonly NumberFormat[];
  /** Whether days are counted from 1904. */
  date1904: boolean;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:[01]|true|false)$/;
const INDEX = /^\d{1,8}$/;

type Refuse = (what: string) => InputError;

/** The value of a cell; null when it is blank. Throws what `refuse` makes of a cell that makes no sense. */
export function readCell(raw: RawCell, context: CellContext, refuse: Refuse): Cell {
  // Most cells of a sheet.
  if (raw.type === 's') return readShared(raw, context.strings, refuse);
  const cellOf = (type: SheetCell['type'], stored: string): SheetCell =>
    new SheetCell(type, stored, formatOf(raw, context, refuse), context.date1904);
  if (raw.type === 'str' || raw.type === 'inlineStr') {
    if (raw.type === 'str' && raw.value === undefined && raw.formula) return cellOf('missing', '');
    const { type, value, preserve, inline } = raw;
    return (type === 'str' && value !== undefined ? readXmlText(value, preserve) : inline) || null;
  }
  const stored = raw.value?.trim() ?? '';
  const type = typeOf(raw.type, stored, refuse);
  if (stored === '') return raw.formula ? cellOf('missing', '') : null;
  return cellOf(type, stored);
}

/** Numbers stay as they are stored: a JavaScript number would round them. */
function typeOf(type: string | undefined, stored: string, refuse: Refuse): SheetCell['type'] {
  switch (type) {
    case undefined:
    case 'n':
      // Some programs write NaN or words here: a fault of the cell, not of the file.
      return NUMBER.test(stored) ? 'number' : 'error';
    case 'b':
      // Nothing else may pass for `false`.
      return TRUTH.test(stored) ? 'boolean' : 'error';
    case 'e':
      return 'error';
    case 'd':
      return 'date';
    default:
      throw refuse(`it holds a cell of the unknown type "${type.slice(0, 20)}"`);
  }
}

function readShared({ value }: RawCell, strings: readonly string[], refuse: Refuse): Cell {
  if (value === undefined || value.trim() === '') return null;
  const text = INDEX.test(value) ? strings[Number(value)] : undefined;
  if (text === undefined) throw refuse('a cell refers to a text that is not there');
  return text === '' ? null : text;
}

function formatOf({ style }: RawCell, { formats }: CellContext, refuse: Refuse): NumberFormat {
  const format = formats[Number(style ?? 0)];
  if (format !== undefined) return format;
  // Workbooks without a list of styles are whole all the same.
  if (formats.length === 0) return GENERAL;
  throw refuse('a cell has a style that is not there');
}
