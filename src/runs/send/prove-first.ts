import { SENT } from '../../registration/model/row-states.ts';
import { EventregError, isCalledOff } from '../../errors.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { chooseTrial, PARENT_IS_THERE } from './choose-trial.ts';
import { CREATES, type QueuedRow, queuedRow, UPDATES } from '../../sync/journal/queued-rows.ts';
import { tellOutcome } from '../../sync/journal/tell-outcomes.ts';
import { CHEAP_PAGES, readNow } from '../../sync/snapshot/read-now.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { comeBack, stopLike } from './come-back.ts';
import { lookAgain } from './look-again.ts';
import type { Judge } from './run-trial.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { sendOne } from './send-row.ts';
import { whatIsSentNow } from '../compare/sent-now.ts';

/** What goes first and comes back otherwise says something of the others, where there are any. */
const SOME = 2;
/** Among so many the one that carries most is good enough. */
const LOOKED_AT = 1000;
/** How long to wait before each look: what is listed later than that is told at the end. */
const LOOKS_MS = [0, 1000, 2000];

/**
 * Sends one new row of each persona alone, the one that carries most, and reads it back: where it comes back otherwise,
 * nothing else of its kind goes. Does nothing where it is the only one. Throws what stops the run.
 */
export async function proveFirstCreate(context: SendContext, judge: Judge): Promise<void> {
  const { journal, run } = context;
  for (const persona of personasOf(context, CREATES)) {
    const first = journal.get<{ seq: number }>(
      `SELECT seq FROM (SELECT seq, enable_comms, coalesce(ask, payload) AS said FROM row
         WHERE ${CREATES} AND persona = $persona AND ${PARENT_IS_THERE} ORDER BY depth, seq LIMIT ${LOOKED_AT})
       ORDER BY enable_comms, (SELECT count(*) FROM json_each(said, '$.fields')) DESC, seq LIMIT 1`,
      { run, persona },
    );
    const row = first && queuedRow(journal, run, first.seq);
    if (row !== undefined) await prove(context, row, judge);
  }
}

/** The same of one update, where how the service takes updates is known. `but`: personas of which one has gone. */
export async function proveFirstUpdate(context: SendContext, judge: Judge, but: Set<string>): Promise<void> {
  for (const persona of personasOf(context, UPDATES)) {
    if (but.has(persona)) continue;
    const wish = { thorough: false, tried: new Set<string>(), passed: new Set<number>(), whole: true };
    const chosen = chooseTrial(context, { ...wish, persona });
    const row = chosen && (await lookAgain(context, chosen));
    if (row !== undefined) await prove(context, row, judge);
  }
}

/** Those that some of the rows are of. */
const personasOf = ({ journal, run }: SendContext, which: string): string[] =>
  journal
    .all<{ persona: string }>(
      `SELECT persona FROM row WHERE ${which} GROUP BY persona HAVING count(*) >= ${SOME} ORDER BY min(seq)`,
      { run },
    )
    .map(({ persona }) => persona);

async function prove(context: SendContext, row: QueuedRow, judge: Judge): Promise<void> {
  const { along } = whatIsSentNow(context, row, new Set());
  const outcome = await sendOne(context, row);
  if (outcome.state === 'pending') return;
  tellOutcome(context, row.seq);
  judge(outcome);
  if (!SENT.has(outcome.state)) return;
  const { clock, stopping } = context;
  for (const waitMs of LOOKS_MS) {
    await clock.sleep(waitMs, stopping);
    const [record, another] = await look(context, row, outcome.remoteId);
    if (record === undefined || another !== undefined) continue;
    const { isClear, otherwise } = comeBack(context, row, { record, along });
    if (otherwise.length > 0) stopLike(context, row, otherwise);
    if (isClear) return;
  }
}

/** What is listed for a row, where a look at it costs little. What cannot be read shows nothing. */
async function look(
  context: SendContext,
  { registration: { barcode }, before }: QueuedRow,
  remoteId: string | undefined,
): Promise<readonly RegistrationRecord[]> {
  const id = before?.id ?? remoteId;
  const { how, listed } = context.before ?? {};
  const isShort = how === 'list' && (listed?.count ?? 0) <= CHEAP_PAGES * PER_PAGE_MAX;
  if (barcode === undefined && (id === undefined || !isShort)) return [];
  try {
    return await readNow(context, { barcode, id });
  } catch (error) {
    if (isCalledOff(error) || !(error instanceof EventregError)) throw error;
    return [];
  }
}
