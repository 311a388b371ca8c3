import type { DocumentBody } from '../../documents/documents.ts';
import type { RowProblem } from '../views/summary-view.ts';
import { differenceRecord, formatDifference } from '../words/difference-text.ts';
import { placeRecord, reasonRecord } from '../words/row-remarks.ts';
import { visible } from '../words/escape.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';
import { type Paint, painter } from '../words/paint.ts';

type ProblemRecord = DocumentBody<'push@1'>['problems'][number];

/** A problem for programs: one for each reason. Values of persons are masked unless `showValues`. */
export function problemRecords(problem: RowProblem, showValues: boolean): ProblemRecord[] {
  const { at, place, state, barcode = null, registrationId = null, differences = [] } = problem;
  const head = { ...placeRecord(at), place };
  const whose = { state, barcode, registration_id: registrationId };
  if (problem.reasons !== undefined) {
    return problem.reasons.map((reason) => ({ ...head, ...reasonRecord(reason, showValues), ...whose }));
  }
  const reason = { column: null, field: null, code: state, value: null, remedy: null };
  const name = nameOf(problem, showValues);
  const who = name === undefined ? {} : { who: name };
  const record = { ...head, ...reason, message: problem.message, ...whose, ...who };
  const found = differences.map((one) => differenceRecord(one, showValues));
  return [found.length === 0 ? record : { ...record, differences: found }];
}

/** The name of whom a guard is about where no row stands for it, masked unless `showValues`. */
function nameOf({ at, state, who = '' }: RowProblem, showValues: boolean): string | undefined {
  if (at !== undefined || !GUARDED.has(state) || who === '') return undefined;
  return maskUnless(showValues, who);
}

const GUARDED: ReadonlySet<string> = new Set(['unanswered', 'stopped']);

/** One problem for people: a line, and one more for each value. Values are masked unless `showValues`. */
export function formatProblem(
  problem: RowProblem,
  showValues: boolean,
  paint: Paint = painter(false),
): string[] {
  const { place, state, barcode, message, differences = [] } = problem;
  const name = nameOf(problem, showValues);
  const whose = [
    ...(barcode === undefined ? [] : [`barcode ${visible(barcode)}`]),
    ...(name === undefined ? [] : [`"${visible(name)}"`]),
  ];
  const who = whose.length === 0 ? '' : ` (${whose.join(', ')})`;
  return [
    `${visible(place)}${who} ${paint(state === 'uncertain' ? 'waiting' : 'refused', state)}: ${visible(message)}`,
    ...differences.map((one) => `  ${formatDifference(one, showValues)}`),
  ];
}
