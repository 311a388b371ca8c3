import { ColumnSurvey } from '../../registration/evidence/column-survey.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { DEFAULT_REPAIRS, type DateOrder } from '../../registration/repairs/repair-options.ts';
import { restoreCells } from './reject-cells.ts';
import type { PreparedInput } from './prepare.ts';
import type { RejectedRecord } from './rejected-rows.ts';

/**
 * The order of day and month that rejected rows were read with, where they do not show it themselves: a file of them
 * would be asked about. Undefined where they show it, have no such dates, or were read with both orders.
 */
export function orderOfRejects(
  records: Iterable<RejectedRecord>,
  { files, mappings }: PreparedInput,
  event: EventInfo,
): DateOrder | undefined {
  const orders = new Set(
    files.flatMap(({ repairs: { dateOrder, decisions } }) =>
      [dateOrder, ...[...decisions.values()].map((decision) => decision.dateOrder)].filter(
        (order) => order !== undefined,
      ),
    ),
  );
  const [order] = orders;
  if (orders.size !== 1) return undefined;
  const survey = new ColumnSurvey(event, DEFAULT_REPAIRS);
  for (const { place, raw } of records) {
    const row = raw === undefined ? undefined : { place, ...restoreCells(raw) };
    const mapping = row && mappings.learn(row, true);
    if (row !== undefined && mapping !== undefined) survey.add(row, mapping);
  }
  const asks = survey
    .result()
    .questions.some(({ answers }) => answers.some(({ option }) => option === 'dateOrder'));
  return asks ? order : undefined;
}
