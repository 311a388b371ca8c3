import { formatPlace, type Place } from '../../registration/model/row.ts';

/** The command by which a person says what became of an uncertain row, and its other answer. */
export function decideCommand(run: string, place: Place): string {
  const row = formatPlace(place);
  const word = /\s/.test(row) ? `"${row}"` : row;
  return `\`eventreg runs decide ${run} ${word} sent\`, or not-sent`;
}
