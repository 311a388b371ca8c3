import {
  type Aspect,
  aspectsOf,
  BARCODE,
  type FieldsOf,
  MESSAGES,
  PARENT,
} from '../../registration/changes/aspect.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import { decide, isSpelt, knownByImage } from './decide.ts';
import { NOT_LISTED, type PlanAction, severalFound } from './plan-decision.ts';

/** What is known of a row whose request may or may not have landed. */
export interface FoundFacts {
  registration: Registration;
  /** What comparing came to before it was sent; undefined when nothing was compared. */
  plan: PlanAction | undefined;
  /** The registration as the service listed it then. */
  before: RecordImage | undefined;
  /** The registrations that the service lists for the row now. */
  found: readonly RegistrationRecord[];
  /** By what they were found; the barcode unless it is given. */
  by?: 'barcode' | 'e-mail' | 'id';
  fields: FieldsOf;
}

export type Verdict =
  /** The service holds the row as it was sent. */
  | { kind: 'done'; id: string | undefined }
  /** There is none, and there was none before. */
  | { kind: 'absent' }
  /** It is as it was before: nothing of the row has landed. */
  | { kind: 'untouched' }
  /** There is one, and what it holds is not shown. */
  | { kind: 'hidden' }
  /** Only people can judge what is there. `why` is a clause without values of persons. */
  | { kind: 'conflict'; why: string };

/** What the registrations that are listed for an uncertain row say about it. */
export function judgeFound(facts: FoundFacts): Verdict {
  const { registration, plan, before, found, by = 'barcode', fields } = facts;
  const [have, another] = found;
  if (another !== undefined) return { kind: 'conflict', why: severalFound(found, `this ${by}`) };
  // An image that was not read for the row's own plan may be from after its request.
  const had = plan === 'update' && before !== undefined ? knownByImage(before) : before && (() => undefined);
  const { action, values } = decide({
    want: registration,
    have,
    had,
    aspects: aspectsFor(plan, registration, have, fields),
  });
  switch (action) {
    case 'create':
      return { kind: 'absent' };
    case 'gone':
      return { kind: 'conflict', why: NOT_LISTED };
    case 'same':
      return { kind: 'done', id: have?.id };
    case 'unsure':
      // What was not there before the request, and is there after it, came by it.
      return plan === 'create' ? { kind: 'done', id: have?.id } : { kind: 'hidden' };
    default: {
      const isOwnWay = (aspect: Aspect) => have && isSpelt(aspect, registration, have);
      const others = values.filter(
        ({ decision, aspect }) => decision === 'send' || (decision !== 'same' && !isOwnWay(aspect)),
      );
      if (others.length === 0) return { kind: 'done', id: have?.id };
      if (others.every(({ decision }) => decision === 'send')) return { kind: 'untouched' };
      return { kind: 'conflict', why: otherValues(others.map(({ aspect }) => aspect)) };
    }
  }
}

/** `the service holds other values in: company, phone`. */
export const otherValues = (changes: readonly Pick<FieldChange, 'field'>[]): string =>
  `the service holds other values in: ${changes.map(({ field }) => field).join(', ')}`;

/**
 * What was asked for. Whether people get a message is no value that a registration keeps, and a parent that a new
 * registration does not show may be one that is never shown.
 */
function aspectsFor(
  plan: PlanAction | undefined,
  registration: Registration,
  have: RecordImage | undefined,
  fields: FieldsOf,
): Aspect[] {
  const isParentOpen = plan === 'create' && have?.parentBarcode === undefined;
  const ticket = registration.barcode === undefined ? [] : [BARCODE];
  return [...ticket, ...aspectsOf(registration, fields)].filter(
    (aspect) => aspect !== MESSAGES && !(aspect === PARENT && isParentOpen),
  );
}

/** What to write about a row of which this was found. */
export function outcomeOf(verdict: Verdict): RowOutcome {
  switch (verdict.kind) {
    case 'done':
      return { state: 'done', remoteId: verdict.id, message: 'found in the service as sent' };
    case 'conflict':
      return { state: 'conflict', message: verdict.why };
    default:
      return OUTCOMES[verdict.kind];
  }
}

const OUTCOMES = {
  absent: { state: 'pending', message: 'not in the service' },
  untouched: { state: 'pending', message: 'in the service without what was to change' },
  hidden: { state: 'uncertain', message: 'its barcode is there, but the service does not show its fields' },
} as const;

/** What to write about a row once its fate is known. */
export interface RowOutcome {
  state: RowState;
  status?: number | undefined;
  remoteId?: string | undefined;
  /** It was not listed before. */
  isUnlisted?: boolean | undefined;
  action?: string | undefined;
  message?: string | undefined;
  /** Id of the request that settled it, as the service's log has it. */
  requestId?: string | undefined;
}

/** The way out of a doubt that nothing else settles, after what is said of it. */
export const sayWhatIsSo = (...row: Parameters<typeof decideCommand>): string =>
  `; say what is so with ${decideCommand(...row)}`;

/** The command by which a person says what became of an uncertain row, and its other answer; `barcode`: what stands in no file goes by it. */
export function decideCommand(run: string, place: Place, barcode?: string): string {
  const row = (place.line === 0 ? barcode : undefined) ?? formatPlace(place);
  const word = /\s/.test(row) ? `"${row}"` : row;
  return `\`eventreg runs decide ${run} ${word} sent\`, or not-sent`;
}
