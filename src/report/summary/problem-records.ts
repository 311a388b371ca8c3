import type { DocumentBody } from '../../documents/documents.ts';
import type { RowProblem } from '../views/summary-view.ts';
import { differenceRecord } from '../words/difference-text.ts';
import { reasonRecord } from '../words/reason-record.ts';

type ProblemRecord = DocumentBody<'push@1'>['problems'][number];

/** A problem for programs: one for each reason. Values of persons are masked unless `showValues`. */
export function problemRecords(problem: RowProblem, showValues: boolean): ProblemRecord[] {
  const { at, place, state, barcode = null, registrationId = null, differences = [] } = problem;
  const head = {
    file: at?.file ?? null,
    sheet: at?.sheet ?? null,
    line: at?.line ?? null,
    place,
  };
  const whose = { state, barcode, registration_id: registrationId };
  if (problem.reasons !== undefined) {
    return problem.reasons.map((reason) => ({ ...head, ...reasonRecord(reason, showValues), ...whose }));
  }
  const nothing = { column: null, field: null, value: null, remedy: null };
  return [
    {
      ...head,
      ...nothing,
      code: state,
      message: problem.message,
      ...whose,
      ...(differences.length === 0
        ? {}
        : { differences: differences.map((one) => differenceRecord(one, showValues)) }),
    },
  ];
}
