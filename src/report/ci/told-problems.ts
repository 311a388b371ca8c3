import type { Place } from '../../registration/model/row.ts';
import { formatReason } from '../words/row-remarks.ts';
import type { RunReport } from '../views/run-report.ts';
import type { RowProblem } from '../views/summary-view.ts';
import { formatDifference } from '../words/difference-text.ts';
import { visible } from '../words/escape.ts';

/** How values and files are told where people and machines outside may read it. */
export interface CiView {
  showValues: boolean;
  /** The path that a file has there, of its path as it was given; undefined: it is not there. */
  fileName: (file: string) => string | undefined;
}

/** One thing that is wrong, in words that are safe to print. */
export interface ToldProblem {
  at: Place | undefined;
  /** With its barcode, as at the terminal. */
  place: string;
  state: RowProblem['state'];
  column: string | undefined;
  text: string;
}

/** The problems of a run, one for each reason of a row. */
export function tellProblems({ problems }: RunReport, { showValues }: CiView): ToldProblem[] {
  return problems.flatMap(({ at, place, state, barcode, message, reasons, differences = [] }) => {
    const who = barcode === undefined ? '' : ` (barcode ${visible(barcode)})`;
    const row = { at, place: `${visible(place)}${who}`, state };
    if (reasons !== undefined) {
      return reasons.map((reason) => ({
        ...row,
        column: reason.column && visible(reason.column),
        text: formatReason(reason, showValues),
      }));
    }
    const values = differences.map((one) => formatDifference(one, showValues));
    return [{ ...row, column: undefined, text: [visible(message), ...values].join('\n') }];
  });
}

/** Files that the run has read; those of another kind are its backups. */
export const readFiles = ({ kind, files }: RunReport): readonly string[] => (kind === 'push' ? files : []);

/** Comes right by itself, with another row, or at the next push. */
export const comesRight = ({ state }: ToldProblem): boolean =>
  state === 'uncertain' || state === 'blocked' || state === 'postponed';
