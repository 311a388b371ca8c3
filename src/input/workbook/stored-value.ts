import type { SheetCell } from '../../registration/model/sheet-cell.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:[01]|true|false)$/;

/**
 * The type of what a file stores as a number or a truth value. Some programs write NaN or words there: a fault
 * of the cell, not of the file; and nothing else may pass for `false`.
 */
export function wellFormed(type: 'number' | 'boolean', stored: string): SheetCell['type'] {
  return (type === 'number' ? NUMBER : TRUTH).test(stored) ? type : 'error';
}
