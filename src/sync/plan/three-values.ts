import { aspectsOf, fieldAspect, type FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { LastSent, ThreeValues } from '../../report/views/plan-view.ts';

interface Sides {
  file: Registration;
  sent: (LastSent & { registration: Registration }) | undefined;
  /** As the service lists it, or the file, where that is all that is known of it; undefined when nothing is. */
  listed: RecordImage | undefined;
}

/** Every value of one registration, as each side has it. */
export function threeValues({ file, sent, listed }: Sides, fields: FieldsOf): ThreeValues[] {
  const own = fields(file.persona);
  const said = aspectsOf(file, fields);
  // What else the service holds is not known then.
  const unsaid = listed === file ? [] : [sent?.registration, listed];
  const slugs = unsaid.flatMap((one) => Object.keys(one?.fields ?? {}));
  const others = [...new Set(slugs)].filter((slug) => !Object.hasOwn(file.fields, slug));
  return [...said, ...others.map((slug) => fieldAspect(slug, own))].map(({ field, of }) => ({
    field,
    file: plainValue(of(file)),
    sent: sent === undefined ? undefined : plainValue(of(sent.registration)),
    service: listed === undefined ? undefined : plainValue(of(listed)),
    ...(isHidden(field, sent?.registration, listed) ? { isHidden: true } : {}),
  }));
}

/** What a service shows empty is known to be empty; what it does not show at all is not. */
function isHidden(field: string, sent: Registration | undefined, listed: RecordImage | undefined): boolean {
  const wasSent = sent?.fields[field] !== undefined && sent.fields[field].length > 0;
  return wasSent && listed?.fields !== undefined && !Object.hasOwn(listed.fields, field);
}
