import { EventregError, isCalledOff } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference, RegistrationRecord } from '../../registration/model/registration.ts';
import { SENT } from '../../registration/model/row-states.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { type FirstVerdict, judgeFirst } from '../decide/judge-audit.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { hasName } from '../decide/judge-person.ts';
import { type QueuedRow, queuedRow, readState } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { CHEAP_PAGES, listedFields, readNow } from '../snapshot/read-now.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { isOf, type Looks, pageOf } from './looks.ts';
import { stopLike } from './hold-back.ts';

/** What was sent of a row, and what came of it. */
export interface SentRow {
  row: QueuedRow;
  outcome: RowOutcome;
  /** What is looked at although the row does not say it: slugs, `parent_barcode`. */
  watched: readonly string[];
  /** The registration, as the answer shows it. */
  shown?: RegistrationRecord | undefined;
}

/** What a look at a row has shown. */
export interface Seen {
  verdict: FirstVerdict;
  found: readonly RegistrationRecord[];
  /** What the answer itself says of it, before anybody can have edited it; undefined where it shows no values. */
  answer?: FirstVerdict | undefined;
}

/** What an answer shows of what was sent. */
export const answeredOf = (context: SendContext, sent: SentRow): FirstVerdict | undefined =>
  sent.shown?.fields && judge(context, sent, [sent.shown]);

/** What is otherwise in more of them is the service's doing; in fewer, somebody may have edited it. */
const OFTEN = 1 / 3;

/**
 * Reads back what was sent, again and again until it is clear what became of it, or until so long after it nothing is
 * waited for any more. `mustSee`: throws what reading throws. Throws the reason when the run is interrupted.
 */
export async function lookBack(
  context: SendContext,
  sent: SentRow,
  how: { forMs: number; isClear: (verdict: FirstVerdict) => boolean; mustSee: boolean },
): Promise<Seen> {
  const { forMs, isClear, mustSee } = how;
  const read = async (): Promise<Seen> => {
    const found = await (mustSee ? readBack(context, sent) : orNothing(readBack(context, sent)));
    if (found === undefined) return { verdict: { kind: 'cannot say' }, found: [] };
    return { verdict: judge(context, sent, found), found };
  };
  return await readUntil(context, forMs, read, ({ verdict }) => isClear(verdict));
}

/** What is listed of a row, where a look at it costs little. */
async function readBack(
  context: SendContext,
  { row: { registration, before }, outcome }: SentRow,
): Promise<readonly RegistrationRecord[]> {
  const { barcode } = registration;
  const id = before?.id ?? outcome.remoteId;
  const { how, listed } = context.before ?? {};
  if (barcode !== undefined) return await readNow(context, { barcode, id });
  if (how !== 'list' || listed === undefined) return [];
  const isShort = listed.count <= CHEAP_PAGES * PER_PAGE_MAX;
  if (id !== undefined && isShort) return await readNow(context, { barcode, id });
  if (before !== undefined) return [];
  // Where nothing names it, it is the only one of its name that has come.
  const fields = fieldsOf(context.event);
  const isNew = ({ id: one = '', barcode: ticket = '' }: RegistrationRecord): boolean =>
    listed.byId(one).length + listed.byBarcode(ticket).length === 0;
  const isOwn = (one: RegistrationRecord): boolean =>
    id === undefined ? isNew(one) && hasName(registration, one, fields) : one.id === id;
  const own = (await readEnds(context, listed.count)).filter(isOwn);
  return own.length === 1 ? own : [];
}

/** The first page of a list and the last: one of them shows who is new. */
async function readEnds({ registrations }: SendContext, count: number): Promise<RegistrationRecord[]> {
  const { records } = await registrations.page({}, 1, PER_PAGE_MAX);
  const last = Math.ceil((count + 1) / Math.max(1, records.length));
  if (last <= 1) return records;
  return [...records, ...(await registrations.page({}, last, PER_PAGE_MAX)).records];
}

/** What cannot be read shows nothing: the end tells. Undefined where it never can be. */
async function orNothing<Item>(reading: Promise<readonly Item[]>): Promise<readonly Item[] | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isCalledOff(error) || !(error instanceof EventregError)) throw error;
    return error instanceof BarcodesHiddenError ? undefined : [];
  }
}

/** What is listed for a row, held against what was sent. */
function judge(
  { event, before: plan, takesOther }: SendContext,
  { row, outcome, watched }: SentRow,
  found: readonly RegistrationRecord[],
): FirstVerdict {
  const personas = event.personas.map(({ slug }) => slug);
  // What no registration is seen to have is nothing that this one has lost.
  const isListed = listedFields(() => plan?.listed.all() ?? []);
  return judgeFirst({
    ...row,
    takesOther,
    sight: takesOther === undefined ? plan?.sight : undefined,
    outcome,
    found,
    watched: new Set(watched),
    fields: fieldsOf(event),
    personas,
    parentsShown:
      found[0]?.parentBarcode !== undefined || (plan?.parentsShown === true && plan.listed.count > 0),
    isNeverStored: (persona, slug) => !isListed(persona, slug),
  });
}

/**
 * Looks at some of the rows that were just sent: those that stand together on a page of the list, in one request, else
 * the last two. Where they have come back otherwise, nothing else of their kind goes. `looks`: what the page shows of
 * rows to come.
 */
export async function lookAtStep(
  context: SendContext,
  taken: readonly QueuedRow[],
  looks: Looks | undefined,
): Promise<void> {
  const { journal, run, registrations } = context;
  const sent = taken.filter(({ seq }) => SENT.has(readState(journal, run, seq)));
  const page = pageOf(sent.at(-1)?.position ?? 0);
  const beside = page === 0 ? [] : sent.filter(({ position }) => pageOf(position) === page);
  const together = (beside.length > 1 ? beside : sent.slice(-2)).map((row): SentRow => {
    const remoteId = queuedRow(journal, run, row.seq)?.remoteId;
    return { row, outcome: { state: 'done', remoteId }, watched: whatIsSentNow(context, row).along };
  });
  const readPage = async () => (await registrations.page({}, page, PER_PAGE_MAX)).records;
  const readEach = async () => (await Promise.all(together.map((one) => readBack(context, one)))).flat();
  const read = await orNothing(beside.length > 1 ? (looks?.lookAtPage(page) ?? readPage()) : readEach());
  const otherwise = together.flatMap((one) => {
    const found = (read ?? []).filter((record) => isOf(record, one.row));
    const verdict = judge(context, one, found);
    return verdict.kind === 'otherwise' ? [{ row: one.row, differences: verdict.differences }] : [];
  });
  for (const { row, differences } of otherwise) {
    const isOften = ({ field }: Difference): boolean => {
      const alike = otherwise.filter((one) => one.differences.some((other) => other.field === field));
      return alike.length >= Math.min(2, together.length) && alike.length >= together.length * OFTEN;
    };
    const often = differences.filter(isOften);
    if (often.length > 0) stopLike(context, row, often);
  }
}
