import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { FieldKind } from '../../registration/model/persona.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { cut } from '../../registration/model/cut.ts';
import { mask } from '../../report/words/mask.ts';
import { deletions } from '../../sync/journal/delete-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** Registrations that are named in the question. */
const NAMED = 10;
/** Characters of a name that are shown. */
const LONGEST = 60;

/** The first of those that are to go, and are in some states: `Stefan Seidel (HM-025), Luis Peña (HM-301)`. */
export function nameSome(
  { journal, run, event }: Pick<SendContext, 'journal' | 'run' | 'event'>,
  states: Iterable<RowState>,
  plain: boolean,
): string {
  const fields = fieldsOf(event);
  const names: string[] = [];
  for (const row of deletions(journal, run, { states })) {
    if (names.length === NAMED) return `${names.join(', ')}, …`;
    const person = personIn(row.before, fields);
    const key = row.barcode ?? row.id;
    names.push(person === '' ? key : `${plain ? person : mask(person)} (${key})`);
  }
  return names.join(', ');
}

/** The name of a person as the service lists it, else the e-mail address; empty when neither is shown. */
function personIn({ persona = '', fields = {} }: RecordImage, fieldsOfPersona: FieldsOf): string {
  const texts = (kind: FieldKind): string[] =>
    fieldsOfPersona(persona)
      .filter((field) => field.kind === kind && Object.hasOwn(fields, field.slug))
      .map(({ slug }) => cut(String(plainValue(fields[slug]) ?? ''), LONGEST))
      .filter((text) => text !== '');
  const name = texts('name').join(' ');
  return name === '' ? (texts('email')[0] ?? '') : name;
}
