import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { type NumberFormat, SheetCell } from '../../registration/model/sheet-cell.ts';
import type { StringStore } from './string-store.ts';
import { GENERAL } from './xlsx-number-format.ts';
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
  strings: StringStore;
  formats: readonly NumberFormat[];
  date1904: boolean;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:[01]|true|false|)$/;
const INDEX = /^\d{1,8}$/;

/** The value of a cell; null when it is blank. Throws what `refuse` makes of a cell that makes no sense. */
export function readCell(raw: RawCell, context: CellContext, refuse: (what: string) => InputError): Cell {
  switch (raw.type) {
    case 's':
      return readShared(raw, context.strings, refuse);
    case 'str':
    case 'inlineStr':
      return readText(raw, context, refuse);
    case undefined:
    case 'n':
      return readNumber(raw, context, refuse);
    case 'b':
      return readPlain(isTruth(raw) ? 'boolean' : 'error', raw, context, refuse);
    case 'e':
      return readPlain('error', raw, context, refuse);
    case 'd':
      return readPlain('date', raw, context, refuse);
    default:
      throw refuse(`it holds a cell of the unknown type "${raw.type.slice(0, 20)}"`);
  }
}

function readShared({ value }: RawCell, strings: StringStore, refuse: (what: string) => InputError): Cell {
  if (value === undefined || value.trim() === '') return null;
  const text = INDEX.test(value) ? strings.get(Number(value)) : undefined;
  if (text === undefined) throw refuse('a cell refers to a text that is not there');
  return text === '' ? null : text;
}

function readText(raw: RawCell, context: CellContext, refuse: (what: string) => InputError): Cell {
  const { type, value, formula } = raw;
  if (type === 'str' && value === undefined && formula) return missing(raw, context, refuse);
  const text = type === 'str' && value !== undefined ? readXmlText(value, raw.preserve) : raw.inline;
  return text === '' ? null : text;
}

/** A number as it is stored, never by way of a JavaScript number, which would round it. */
function readNumber(raw: RawCell, context: CellContext, refuse: (what: string) => InputError): Cell {
  const stored = raw.value?.trim() ?? '';
  if (stored === '') return raw.formula ? missing(raw, context, refuse) : null;
  // Some programs write NaN or words here: a fault of the cell, not of the file.
  const type = NUMBER.test(stored) ? 'number' : 'error';
  return new SheetCell(type, stored, formatOf(raw, context, refuse), context.date1904);
}

/** Whether a truth value is one; nothing else may pass for `false`. */
function isTruth({ value = '' }: RawCell): boolean {
  return TRUTH.test(value.trim());
}

function readPlain(
  type: 'boolean' | 'error' | 'date',
  raw: RawCell,
  context: CellContext,
  refuse: (what: string) => InputError,
): Cell {
  const stored = raw.value?.trim() ?? '';
  if (stored === '') return raw.formula ? missing(raw, context, refuse) : null;
  return new SheetCell(type, stored, formatOf(raw, context, refuse), context.date1904);
}

function missing(raw: RawCell, context: CellContext, refuse: (what: string) => InputError): SheetCell {
  return new SheetCell('missing', '', formatOf(raw, context, refuse), context.date1904);
}

function formatOf(
  { style }: RawCell,
  { formats }: CellContext,
  refuse: (what: string) => InputError,
): NumberFormat {
  const format = formats[Number(style ?? 0)];
  if (format !== undefined) return format;
  // Workbooks without a list of styles are whole all the same.
  if (formats.length === 0) return GENERAL;
  throw refuse('a cell has a style that is not there');
}
