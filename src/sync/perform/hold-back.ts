import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/registration.ts';
import { placeOr } from '../../registration/model/row.ts';
import type { PersonKey } from '../decide/judge-person.ts';
import { learnFields, readFields, readLearned, type UpdateRule } from '../journal/learned.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import { setAside, type Waiting, waitingRows } from '../journal/rows-to-send.ts';
import { changeRow } from '../journal/row-tables.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';

/** Rows that are still to be sent. */
interface Which {
  sends: Waiting;
  /** All unless given. */
  persona?: string;
  isMeant?: ((row: QueuedRow) => boolean) | undefined;
}

/** Takes rows out of what is sent: in conflict until the file changes, or postponed until more is known. */
export function holdBack(
  { journal, run, clock }: SendContext,
  { sends, persona, isMeant = () => true }: Which,
  { state = 'postponed', why }: { state?: 'conflict' | 'postponed'; why: string },
): void {
  const seqs: number[] = [];
  for (const row of waitingRows(journal, run, sends)) {
    const isOf = persona === undefined || row.registration.persona === persona;
    if (isOf && isMeant(row)) seqs.push(row.seq);
  }
  if (seqs.length > 0) setAside(journal, run, seqs, { state, why, now: clock.now() });
}

/** Takes rows out of what is sent that a service which knows people by a key might take for somebody else, but for one. */
export function holdBackAlike(
  context: SendContext,
  key: PersonKey,
  { but, ...what }: Parameters<typeof holdBack>[2] & { but?: number },
): void {
  const shares = ({ seq, near = [] }: QueuedRow): boolean =>
    seq !== but && near.some((one) => one.key === key || (key === 'email-across' && one.key === 'email'));
  holdBack(context, { sends: 'beside', isMeant: shares }, what);
}

type Habit = Exclude<UpdateRule, 'update'>;

const ANEW =
  '; make the change in the service, or delete the registration with `eventreg delete --barcode` and push its row again';
/** What the service does, and how a change gets in all the same. */
export const HABITS: Readonly<Record<Habit, readonly [does: string, way: string]>> = {
  double: ['this service adds a second registration when it is sent a barcode that it has already', ANEW],
  refuse: ['this service refuses a barcode that it has already', ANEW],
  // It may be what the service will not store: then a change of something else shows that it updates.
  ignore: [
    'the update that was sent first has changed nothing in this service',
    '; leave these columns out if it does not store them, change another field too, which is sent first, or have --overwrite send one again',
  ],
};

/** No update of the run goes, or none that is meant, because the service would not update. `seen` says where that was seen. */
export function withholdUpdates(
  context: SendContext,
  rule: Habit,
  seen: string,
  isMeant?: Which['isMeant'],
): void {
  const [does, way] = HABITS[rule];
  const why = `not sent: ${does} (${seen})${way}`;
  holdBack(context, { sends: 'update', isMeant }, { state: 'conflict', why });
}

/** Updates that were to change nothing else have changed nothing: no other is tried. */
function withholdIgnored(context: SendContext, persona: string): void {
  const fields = fieldsOf(context.event);
  const ignored = readFields(context, { fact: 'ignored', sends: 'update', persona });
  const isMeant = ({ registration, before = {} }: QueuedRow): boolean =>
    registration.persona === persona &&
    changesTo(registration, before, fields)?.every(({ field }) => ignored.has(field)) === true;
  if (ignored.size > 0) withholdUpdates(context, 'ignore', [...ignored].join(', '), isMeant);
}

/** Nothing else of the kind of a row goes that has come back otherwise, and is not tried again until somebody asks. */
export function stopLike(context: SendContext, row: QueuedRow, differences: readonly Difference[]): void {
  const { journal, run, takesOther } = context;
  const slugs = differences.map(({ field }) => field);
  const { persona } = row.registration;
  const sends = row.plan === 'create' ? 'create' : 'update';
  // For whoever does not have it read back at the end.
  changeRow(journal, run, row.seq, { differences: JSON.stringify(differences) });
  learnFields(context, { fact: 'faulty', sends, persona, slugs });
  const isOwn = differences.every(({ kind }) => kind === 'stored');
  const keep = isOwn ? '; --keep sends them all the same, and takes what the service makes of them' : '';
  const undo = sends === 'update' ? `; \`eventreg runs undo ${run}\` brings that one back` : '';
  const wayOut = takesOther === undefined ? '' : keep + undo;
  const why = `not sent yet: ${placeOr(row.place, row.registration.barcode)} went first, and came back otherwise than it was sent: ${slugs.join(', ')}${wayOut}`;
  holdBack(context, { sends, persona }, { why });
}

/** Holds back what was seen to go wrong with this service and is not tried on anybody again, unless somebody asks. */
export function holdBackKnown(context: SendContext): void {
  const { event, triesAgain = false } = context;
  const upsert = readLearned(context, 'upsert');
  if (upsert?.value === 'double') withholdUpdates(context, 'double', `seen on ${dayOf(upsert.at)}`);
  if (triesAgain) return;
  if (upsert?.value === 'refuse') withholdUpdates(context, 'refuse', `seen on ${dayOf(upsert.at)}`);
  for (const { slug: persona } of event.personas) {
    withholdIgnored(context, persona);
    const unlisted = readLearned(context, `lists ${persona}`);
    if (unlisted !== undefined && isNeverListed(context, persona)) {
      // Whoever is there already would be replaced.
      const why = `not sent yet: the list does not show ${persona}, so that it cannot be told whether they are there: one was sent on ${dayOf(unlisted.at)}, was taken, and is not listed; --overwrite sends them all the same`;
      holdBack(context, { sends: 'create', persona }, { why });
    }
    for (const sends of ['create', 'update'] as const) {
      const slugs = readFields(context, { fact: 'faulty', sends, persona });
      for (const slug of slugs) holdBackFaulty(context, { sends, persona }, slug);
    }
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Whether no list was ever seen to show a persona. */
export function isNeverListed(context: SendContext, persona: string): boolean {
  for (const record of context.before?.listed.all() ?? [])
    if ((record.persona ?? persona) === persona) return false;
  return (['create', 'update'] as const).every(
    (sends) => readFields(context, { fact: 'proven', sends, persona }).size === 0,
  );
}

function holdBackFaulty(context: SendContext, kind: Pick<Which, 'sends' | 'persona'>, slug: string): void {
  const isMeant = (row: QueuedRow): boolean => {
    // What the file says is sent where somebody takes what the service makes of it.
    if (Object.hasOwn(row.registration.fields, slug)) return context.takesOther !== true;
    return whatIsSentNow(context, row).along.includes(slug);
  };
  const why = `not sent yet: this service was seen to store ${slug} otherwise than it is sent; --overwrite sends one again, alone, --keep sends what the file says and takes what the service makes of it`;
  holdBack(context, { ...kind, isMeant }, { why });
}
