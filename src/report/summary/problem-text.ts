import { formatDifference } from '../words/difference-text.ts';
import { visible } from '../words/escape.ts';
import { type Paint, painter } from '../words/paint.ts';
import type { RowProblem } from '../views/summary-view.ts';

/** One problem for people: a line, and one more for each value. Values are masked unless `showValues`. */
export function formatProblem(
  { place, state, barcode, message, differences = [] }: RowProblem,
  showValues: boolean,
  paint: Paint = painter(false),
): string[] {
  const who = barcode === undefined ? '' : ` (barcode ${visible(barcode)})`;
  return [
    `${visible(place)}${who} ${paint(state === 'uncertain' ? 'waiting' : 'refused', state)}: ${visible(message)}`,
    ...differences.map((one) => `  ${formatDifference(one, showValues)}`),
  ];
}
