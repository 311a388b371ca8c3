import { addUnsaid, type Base, type Pair, pairOf, saidDigest } from '../../../src/sync/decide/base.ts';
import { planRow } from '../../../src/sync/decide/plan-row.ts';
import type { PlanDecision, Winner } from '../../../src/sync/decide/plan-decision.ts';
import { aspectsOf, unsaidAspects } from '../../../src/registration/changes/aspect.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type {
  RecordImage,
  Registration,
  RegistrationRecord,
} from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

export const FIELDS = fieldsOf(
  event(
    persona('visitor', [
      field('name', 'name'),
      field('email', 'email'),
      field('phone', 'phone'),
      field('meal', 'choice', ['fish', 'meat'], true),
    ]),
  ),
);

type Values = Registration['fields'];
export const row = (fields: Values, more: Partial<Omit<Registration, 'fields'>> = {}): Registration => ({
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  ...more,
  fields,
});
export const image = (fields: RecordImage['fields'], more: RecordImage = {}): RecordImage => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  ...more,
  fields,
});
export const record = (fields: RecordImage['fields'], more: RecordImage = {}): RegistrationRecord => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: undefined,
  ...more,
  fields,
});
/** A text is its own digest here: so that a failure can be read. */
export const digest = (text: string): string => `#${text}`;

/** What is known after a row was sent, and the service was seen to list it as `shown`: as it was sent, unless given. */
export function base(sent: Registration, shown: RecordImage = { ...sent }): Base {
  const pairs = new Map<string, Pair>();
  for (const aspect of aspectsOf(sent, FIELDS)) {
    pairs.set(aspect.key, pairOf(aspect, { registration: sent, record: shown, digest }));
  }
  addUnsaid(pairs, unsaidAspects(sent.persona, FIELDS), { record: shown, digest });
  return { pairs, gone: false };
}

/** What is known after a row was sent that nobody has seen since. */
export function unseen(sent: Registration): Base {
  const said = aspectsOf(sent, FIELDS).map((aspect): [string, Pair] => [
    aspect.key,
    { said: saidDigest(aspect, sent, digest), seen: undefined },
  ]);
  return { pairs: new Map(said), gone: false };
}

export interface Given {
  registration?: Registration;
  found?: readonly RegistrationRecord[];
  base?: Base | undefined;
  winner?: Winner;
  parentsShown?: boolean;
  leavingGroups?: boolean;
}

export const plan = ({
  registration = row({ name: 'Ada' }),
  found = [],
  base: known,
  winner = 'ask',
  ...more
}: Given): PlanDecision =>
  planRow({ registration, found, base: known, winner, fields: FIELDS, digest, ...more });
export const verdicts = (given: Given) => Object.fromEntries(plan(given).verdicts);
