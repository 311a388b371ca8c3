import { valuesOf } from '../../registration/rules/choice-rule.ts';
import { COUNTRY_CODES } from '../../registration/rules/countries.ts';
import type { EventInfo, Field } from '../../registration/model/persona.ts';
import type { ReservedName, TemplateColumn } from './event-template-columns.ts';

/** The values that a column takes and nothing else; undefined when there is no end to them. */
export function allowedValues(target: Field | ReservedName, event: EventInfo): readonly string[] | undefined {
  if (target === 'persona') return [...new Set(event.personas.map(({ slug }) => slug))];
  if (target === 'enable_comms') return ['true', 'false'];
  if (typeof target === 'string') return undefined;
  if (target.kind === 'country') return COUNTRY_CODES.map(([alpha2]) => alpha2);
  return target.kind === 'choice' ? valuesOf(target.choices) : undefined;
}

/** Whether a cell holds one of the values, so that it can be chosen from a list. */
function takesOne(target: Field | ReservedName): boolean {
  return typeof target === 'string' || !target.multiple;
}

/** A list of values for drop-downs, once for all columns that share it. */
export interface DropDown {
  name: string;
  values: readonly string[];
}

/** The lists of all columns whose cells are chosen from one, by column. */
export function dropDowns(
  columns: readonly TemplateColumn[],
  event: EventInfo,
): ReadonlyMap<TemplateColumn, DropDown> {
  const lists = new Map<TemplateColumn, DropDown>();
  const known = new Map<string, DropDown>();
  for (const column of columns) {
    const values = takesOne(column.target) ? allowedValues(column.target, event) : undefined;
    if (values === undefined || values.length === 0) continue;
    const key = JSON.stringify(values);
    const list = known.get(key) ?? { name: column.header, values };
    known.set(key, list);
    lists.set(column, list);
  }
  return lists;
}
