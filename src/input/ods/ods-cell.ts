import type { Cell } from '../../registration/model/row.ts';
import { type NumberFormat, SheetCell } from '../../registration/model/sheet-cell.ts';
import { readFormatCode } from '../workbook/format-code.ts';
import type { XmlAttributes } from '../workbook/xml-feed.ts';

const NUMBER = { type: 'number', attribute: 'office:value' } as const;
/** What a value is, and where it stands, by the type that a cell names. */
const STORED: Readonly<Record<string, { type: 'number' | 'boolean' | 'date'; attribute: string }>> = {
  float: NUMBER,
  percentage: NUMBER,
  currency: NUMBER,
  boolean: { type: 'boolean', attribute: 'office:boolean-value' },
  date: { type: 'date', attribute: 'office:date-value' },
  time: { type: 'number', attribute: 'office:time-value' },
};
const DATES: readonly NumberFormat['kind'][] = ['date', 'datetime'];
const TIMES: readonly NumberFormat['kind'][] = ['time', 'clock', 'span'];
const TRUTH = /^(?:true|false)$/;
const DURATION = /^(-?)P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,12})?)S)?)?$/;

/** The value of a cell that shows this text, undefined for none at all; null when it is blank. */
export function readCell(attributes: XmlAttributes, text: string | undefined, format: NumberFormat): Cell {
  if (attributes['calcext:value-type'] === 'error') return new SheetCell('error', text ?? '', format, false);
  const valueType = attributes['office:value-type'];
  const { type, attribute = '' } = STORED[valueType ?? ''] ?? {};
  const stored = attributes[attribute];
  if (type === undefined || stored === undefined) {
    const told = attributes['office:string-value'] ?? text;
    // What comes to nothing shows an empty text.
    const isMissing = told === undefined && attributes['table:formula'] !== undefined;
    return isMissing ? new SheetCell('missing', '', format, false) : told || null;
  }
  if (type === 'date') {
    // Programs other than spreadsheets leave the format out.
    const whole = readFormatCode(stored.includes('T') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd');
    return new SheetCell(type, stored, DATES.includes(format.kind) ? format : whole, false);
  }
  if (valueType === 'time') return timeCell(stored, format);
  // Nothing else may pass for `false`.
  const isOdd = type === 'boolean' ? !TRUTH.test(stored) : !Number.isFinite(Number(stored));
  return new SheetCell(isOdd ? 'error' : type, stored, format, false);
}

/** `PT26H30M00S` as the days that other workbooks store. */
function timeCell(stored: string, format: NumberFormat): SheetCell {
  const shown = TIMES.includes(format.kind) ? format : readFormatCode('[hh]:mm:ss');
  const parts = DURATION.exec(stored);
  if (parts === null) return new SheetCell('error', stored, shown, false);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number(part?.replace(',', '.') ?? 0));
  const serial = (days * 86_400 + hours * 3600 + minutes * 60 + seconds) / 86_400;
  return new SheetCell('number', `${parts[1] ?? ''}${serial}`, shown, false);
}
