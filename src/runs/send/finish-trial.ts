import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { giveBack } from './give-back.ts';
import { queuedRow } from '../../sync/journal/queued-rows.ts';
import { learnFates, watchUpdate } from './watch-update.ts';
import { leftOutOf, settleLeftOut } from './left-out.ts';
import { json, rowCodec } from '../../sqlite/row-codec.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { whatIsSentNow } from '../compare/sent-now.ts';
import { fateOf, unsentThings } from '../../sync/decide/unsent-things.ts';

/** Gives back what a row has left out and lost. Throws what stops the run. */
export async function finishTrial(context: SendContext, seq: number): Promise<void> {
  const { journal, run, event, limits } = context;
  const row = queuedRow(journal, run, seq);
  const before = firstImage(context, seq);
  if (row === undefined || before === undefined) return;
  const leaveOut = leftOutOf(journal, run, seq);
  const { registration } = whatIsSentNow(context, { ...row, before }, leaveOut);
  const { verdict, found } = await watchUpdate(
    context,
    { registration, before, outcome: { state: 'done' } },
    {
      untilMs: (row.sentAt ?? 0) + limits.settleMs,
      isEnough: (seen) => seen.verdict.rule !== 'look',
    },
  );
  const [record, another] = found;
  if (record === undefined || another !== undefined) {
    settleLeftOut(journal, run, seq);
    return;
  }
  learnFates(context, verdict.unsent);
  // What is another value by now may have been changed by anybody since.
  const gone = unsentThings(registration, before, fieldsOf(event))
    .filter((thing) => leaveOut.has(thing.name) && fateOf(thing, before, record) === 'reset')
    .map(({ name }) => name);
  await giveBack(context, { row, before, record, gone });
}

const FIRST = rowCodec({ before: json<RecordImage | undefined>() });

/** The registration before the row was first sent. */
const firstImage = ({ journal, run }: SendContext, seq: number): RecordImage | undefined =>
  journal.readOne(FIRST, 'FROM row WHERE run = $run AND seq = $seq', { run, seq })?.before;
