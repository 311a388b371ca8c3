import { formatPlace, type Reason, type Reject } from '../../registration/model/row.ts';
import { cut } from '../../registration/model/cut.ts';
import { visible, visibleSpaces } from '../words/escape.ts';
import { mask } from '../words/mask.ts';

const MAX_VALUE_CHARACTERS = 80;

/**
 * One line a reason: `attendees.csv:12  column "E-mail" (email): "a••@e••" is not a valid e-mail
 * address; write it as name@example.com`. Personal values are masked unless `showValues`.
 */
export function formatReject(reject: Reject, options: { showValues: boolean }): string[] {
  const place = visible(formatPlace(reject.place));
  return reject.reasons.map((reason) => `${place}  ${formatReason(reason, options.showValues)}`);
}

/** A reason as one line, without its place. All text in it is safe to print. */
export function formatReason(reason: Reason, showValues: boolean): string {
  const subject = formatSubject(reason);
  const finding = [formatValue(reason, showValues), visible(reason.problem)].filter(Boolean).join(' ');
  const joint = reason.value === undefined ? ' ' : ': ';
  const head = subject === '' ? finding : subject + joint + finding;
  return reason.remedy === undefined ? head : `${head}; ${visible(reason.remedy)}`;
}

function formatSubject({ column, field }: Reason): string {
  if (column === undefined) return field === undefined ? '' : `field "${visible(field)}"`;
  const name = `column "${visible(column)}"`;
  return field === undefined ? name : `${name} (${visible(field)})`;
}

function formatValue({ value, personal }: Reason, showValues: boolean): string {
  return value === undefined ? '' : quoteValue(value, personal && !showValues, MAX_VALUE_CHARACTERS);
}

/** A value of a file in quotes, masked or else cut off. */
export function quoteValue(value: string, masked: boolean, longest: number): string {
  return `"${visibleSpaces(masked ? mask(value) : cut(value, longest))}"`;
}
