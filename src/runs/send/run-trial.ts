import { EventregError, EXIT } from '../../errors.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { takenOver } from './check-answer.ts';
import type { TrialRow } from './choose-trial.ts';
import { listedAs, withChanges } from './find-victim.ts';
import { giveBack } from './give-back.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import type { TrialVerdict } from '../../sync/decide/judge-trial.ts';
import { learnFates, watchUpdate } from './watch-update.ts';
import { settleLeftOut } from './left-out.ts';
import { lookAgain } from './look-again.ts';
import { sharedKey } from '../../sync/decide/near.ts';
import type { Spelling } from '../../sync/decide/spelling.ts';
import { severalFound } from '../../sync/decide/plan-decision.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { sendRow } from './send-row.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { unsentThings } from '../../sync/decide/unsent-things.ts';
import { UPDATES } from '../../sync/journal/queued-rows.ts';
import { holdBackLike } from './withhold-updates.ts';
import { comeBack, stopLike } from './come-back.ts';
import { whatIsSentNow } from '../compare/sent-now.ts';

/** Is told of each row that goes first; throws when no more should be tried. */
export type Judge = (outcome: RowOutcome) => void;

/** What sending one update has shown. */
export type TrialResult =
  | { kind: 'seen'; rule: Exclude<TrialVerdict['rule'], StillRule> }
  /** The service took it, and lists the old values. */
  | ({ kind: 'still' } & StillRow)
  /** The row was refused for what is in it, which says nothing of others. */
  | { kind: 'failed'; message: string }
  /** It was not sent, as what it asks for has changed in the service since it was planned. */
  | { kind: 'passed' };

/** What an update that changed nothing may come to. */
type StillRule = 'ignore' | Spelling;

/** An update that was taken and has changed nothing. */
export interface StillRow {
  rule: StillRule;
  trial: TrialRow;
  outcome: RowOutcome;
  /** As it is listed since. */
  record: RecordImage;
  /** What was to change: slugs, `persona`, `parent_barcode`, `enable_comms`. */
  fields: readonly string[];
}

/**
 * Sends one update and reads it back, again and again until something is seen or nothing can be listed late
 * any more. What it has left out and lost is given back at once. What it shows of the row itself is in the
 * journal then. Throws what stops the run.
 */
export async function runTrial(context: SendContext, chosen: TrialRow, judge: Judge): Promise<TrialResult> {
  const { journal, run, clock, limits, reporter } = context;
  const trial = chosen.leaveOut.size === 0 ? chosen : await lookAgain(context, chosen);
  if (trial === undefined) return { kind: 'passed' };
  const { before, leaveOut } = trial;
  const { registration, along } = whatIsSentNow(context, trial, leaveOut);
  const known = readKnowledge(context, trial);
  const { outcome, stop, blamed } = await sendRow(context, trial, leaveOut);
  if (stop !== undefined) throw stop;
  if (outcome === undefined || outcome.state === 'failed' || blamed.length > 0) {
    settleLeftOut(journal, run, trial.seq);
    if (outcome !== undefined) judge(outcome);
    return { kind: 'failed', message: outcome?.message ?? 'it was not sent' };
  }
  const isRefused = outcome.state === 'conflict' || (outcome.status ?? 0) >= 400;
  if (isRefused && outcome.state !== 'uncertain') {
    settleLeftOut(journal, run, trial.seq);
    judge(outcome);
    return { kind: 'seen', rule: 'refuse' };
  }
  judge(outcome);
  reporter.report({ type: 'checking', what: 'how the service takes updates', done: 0, total: 1 });
  const sent = { registration, before, outcome };
  const { verdict, found } = await watchUpdate(context, sent, {
    untilMs: clock.now() + limits.settleMs,
    isEnough: (seen) => seen.verdict.rule !== 'look',
  });
  const { rule } = verdict;
  const hit =
    rule === 'double' ? hitInstead(context, trial, [...found, { id: outcome.remoteId }]) : undefined;
  if (hit !== undefined) await stopAtHit(context, trial, outcome, hit);
  const [record] = found;
  const isStill = rule === 'ignore' || rule === 'spelling' || rule === 'dropped';
  const fields = isStill ? wantedFields(context, trial) : [];
  const settled = settle(verdict, outcome, found, fields);
  if (settled !== undefined) {
    journal.transaction(() => {
      writeOutcome(journal, run, trial.seq, settled, clock.now(), 'looked');
      if (settled.state === 'conflict') restoreKnowledge(context, trial, known);
    });
  }
  if (rule === 'update' && record !== undefined) {
    await settleRest(context, trial, { verdict, record, along });
  } else if (rule !== 'look') settleLeftOut(journal, run, trial.seq);
  if (!isStill) return { kind: 'seen', rule };
  return { kind: 'still', rule, trial, outcome, record: record ?? {}, fields };
}

/** A registration that was listed before under another barcode, and that the update has changed instead of its own. */
function hitInstead(
  context: SendContext,
  { before }: TrialRow,
  found: readonly Pick<RecordImage, 'id'>[],
): RecordImage | undefined {
  const others = found.filter(({ id }) => id !== undefined && id !== before.id);
  return others
    .map(({ id }) => listedAs(context, { id, barcode: undefined }))
    .find((image) => image !== undefined && image.barcode !== before.barcode);
}

/** Such a service may do so with any row, so that nothing more is sent. Throws. */
async function stopAtHit(
  context: SendContext,
  trial: TrialRow,
  outcome: RowOutcome,
  image: RecordImage,
): Promise<never> {
  const { journal, run, event, clock } = context;
  const key = sharedKey(trial.registration, image, fieldsOf(event));
  const victim = await withChanges(context, trial, { key, image, seq: undefined });
  const { outcome: told, write } = takenOver(context, trial, outcome, victim);
  journal.transaction(() => {
    writeOutcome(journal, run, trial.seq, told, clock.now(), 'looked');
    write();
    settleLeftOut(journal, run, trial.seq);
  });
  throw new EventregError(
    EXIT.rejected,
    `${formatPlace(trial.place)}: ${told.message ?? ''}. The rest was not sent.`,
  );
}

/**
 * Learns what became of what was not sent, and gives back what is gone. Where what was sent has come back otherwise,
 * holds back the other updates.
 */
async function settleRest(
  context: SendContext,
  trial: TrialRow,
  { verdict, record, along }: { verdict: TrialVerdict; record: RegistrationRecord; along: readonly string[] },
): Promise<void> {
  learnFates(context, verdict.unsent);
  const gone = [...verdict.unsent].flatMap(([name, fate]) =>
    fate === 'reset' || (fate === 'changed' && trial.leaveOut.has(name)) ? [name] : [],
  );
  const { before, place } = trial;
  const back = await giveBack(context, { row: trial, before, record, gone });
  if (back.lost.length > 0) {
    const otherwise = back.lost.map(({ aspect: { field, of } }): Difference => {
      return { field, kind: 'changed', expected: plainValue(of(before)), found: undefined };
    });
    return holdBackLike(context, { where: UPDATES }, { place, otherwise });
  }
  const unsent = unsentThings(trial.registration, before, fieldsOf(context.event));
  // Where it is still gone, giving it back got no certain answer.
  const given = unsent.flatMap(({ name, aspect: { field, of } }) =>
    gone.includes(name) && plainValue(of(back.record)) !== undefined ? [field] : [],
  );
  const { otherwise } = comeBack(context, trial, { record: back.record, along: [...along, ...given] });
  if (otherwise.length > 0) stopLike(context, trial, otherwise);
}

/** What an update was to change, by name. */
function wantedFields({ event }: SendContext, { registration, before }: TrialRow): string[] {
  return (changesTo(registration, before, fieldsOf(event)) ?? []).map(({ field }) => field);
}

/**
 * Notes that the service takes updates, and keeps its own values where this one asked for others: the audit
 * tells whether that is only its way of writing.
 */
export function keepAsListed(
  { journal, run, clock, reporter }: SendContext,
  { trial, outcome, record, fields }: StillRow,
): void {
  const { message: _message, ...answer } = outcome;
  const { raw: _raw, ...image } = record as RecordImage & { raw?: unknown };
  const now = clock.now();
  const kept = `the service took it, and keeps its own values: ${fields.join(', ')}`;
  journal.transaction(() => {
    writeOutcome(journal, run, trial.seq, { ...answer, state: 'done', message: kept }, now, 'looked');
    journal.run('UPDATE row SET after = $image WHERE run = $run AND seq = $seq', {
      run,
      seq: trial.seq,
      image: JSON.stringify(image),
    });
  });
  reporter.report({ type: 'warning', text: `${formatPlace(trial.place)}: ${kept}.` });
}

/** What was seen of the row, where the answer alone would have said otherwise. */
function settle(
  { rule }: TrialVerdict,
  outcome: RowOutcome,
  found: readonly RecordImage[],
  wanted: readonly string[],
): RowOutcome | undefined {
  const { status } = outcome;
  if (rule === 'double') {
    const ids = found.length > 1 ? severalFound(found, 'this barcode') : `another one is ${outcome.remoteId}`;
    const message = `the service has added a registration instead of changing the one it had: ${ids}`;
    return { state: 'conflict', status, message };
  }
  if (rule === 'ignore' || rule === 'spelling' || rule === 'dropped') {
    const names = wanted.join(', ');
    const message = `the service answered that it took the change, and still lists the old values: ${names}`;
    return { state: 'conflict', status, message };
  }
  if (rule !== 'update' || outcome.state !== 'uncertain') return undefined;
  return { state: 'done', remoteId: found[0]?.id, message: 'found in the service as sent' };
}

interface Knowledge {
  listed_no?: number;
  after?: string;
}

/** What was known of the row before it was sent: an answer that proves wrong must not outlive it. */
function readKnowledge({ journal, run }: SendContext, { seq }: TrialRow): Knowledge | undefined {
  return journal.get<Knowledge>('SELECT listed_no, after FROM row WHERE run = $run AND seq = $seq', {
    run,
    seq,
  });
}

function restoreKnowledge(
  { journal, run }: SendContext,
  { seq }: TrialRow,
  known: Knowledge | undefined,
): void {
  journal.run('UPDATE row SET listed_no = $listed, after = $after WHERE run = $run AND seq = $seq', {
    run,
    seq,
    listed: known?.listed_no,
    after: known?.after,
  });
}
