import { TO_SEND } from '../../registration/model/row-states.ts';
import { PARENT } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { type QueuedRow, writeOutcome } from '../../sync/journal/queued-rows.ts';
import { settleLeftOut } from './left-out.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { sendOne } from './send-row.ts';
import { whatIsSentNow } from '../compare/sent-now.ts';
import { COMMS_THING, fateOf, type UnsentThing, unsentThings } from '../../sync/decide/unsent-things.ts';
import { watchUpdate } from './watch-update.ts';

interface Loss {
  row: QueuedRow;
  /** The registration before the row has left something out. */
  before: RecordImage;
  /** As it is listed since. */
  record: RegistrationRecord;
  /** What is gone, by name. */
  gone: readonly string[];
}

/**
 * Sends a row again, at once, with all that its registration has lost by what the row left out, and reads it back.
 * What cannot be given back makes the row a conflict. Returns the registration as it is listed then, with what is
 * still gone. Throws what stops the run.
 */
export async function giveBack(
  context: SendContext,
  { row, before, record, gone }: Loss,
): Promise<{ record: RegistrationRecord; lost: readonly UnsentThing[] }> {
  const { journal, run, event, clock, limits } = context;
  const things = unsentThings(row.registration, before, fieldsOf(event)).filter(
    ({ name }) => gone.includes(name) && name !== COMMS_THING.name,
  );
  if (things.length === 0) {
    settleLeftOut(journal, run, row.seq);
    return { record, lost: [] };
  }
  // Under the barcode that it has now: the old one would register somebody else.
  const { barcode = row.registration.barcode } = record;
  const named = { ...row.registration, barcode };
  const again = { ...row, registration: named, before: mended(record, before, things) };
  const { registration } = whatIsSentNow(context, again, new Set());
  const outcome = await sendOne(context, again);
  // What got no certain answer is settled first, and looked at again then.
  if (TO_SEND.has(outcome.state)) return { record, lost: [] };
  if (outcome.state === 'failed' || outcome.state === 'conflict') {
    fail(context, row, things, outcome.message ?? 'it was refused');
    return { record, lost: things };
  }
  // What is back as another value will not come to the right one by waiting.
  const goneFrom = (now: RecordImage | undefined): UnsentThing[] =>
    things.filter((thing) => now === undefined || fateOf(thing, before, now) === 'reset');
  const { found } = await watchUpdate(
    context,
    { registration, before, outcome },
    {
      untilMs: clock.now() + limits.settleMs,
      isEnough: ({ verdict, found: [now] }) => verdict.rule === 'update' && goneFrom(now).length === 0,
    },
  );
  const lost = goneFrom(found[0]);
  if (lost.length === 0) settleLeftOut(journal, run, row.seq);
  else fail(context, row, lost, 'it was sent again, and is not listed');
  return { record: found[0] ?? record, lost };
}

/** As it is listed, with what is gone. */
function mended(record: RecordImage, before: RecordImage, things: readonly UnsentThing[]): RecordImage {
  const { id, persona, barcode, enableComms, fields } = record;
  const lost = things.flatMap(({ field, aspect }): [string, unknown][] =>
    field === undefined ? [] : [[field.slug, aspect.of(before)]],
  );
  const isParentLost = things.some(({ aspect }) => aspect === PARENT);
  return {
    id,
    persona,
    barcode,
    enableComms,
    parentBarcode: isParentLost ? before.parentBarcode : record.parentBarcode,
    // fromEntries defines keys, so that a field called __proto__ is a key like any other.
    fields: Object.fromEntries([...Object.entries(fields ?? {}), ...lost]),
  };
}

function fail(
  { journal, run, clock }: SendContext,
  { seq }: QueuedRow,
  things: readonly UnsentThing[],
  why: string,
): void {
  const names = things.map(({ aspect }) => aspect.field).join(', ');
  const message = `the service has taken away what the row does not send, and does not take it back: ${names} (${why})`;
  journal.transaction(() => {
    writeOutcome(journal, run, seq, { state: 'conflict', message }, clock.now(), 'looked');
    settleLeftOut(journal, run, seq);
  });
}
