import { uncompared } from '../decide/plan-decision.ts';
import type { SaidOf } from '../decide/base.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { readLearned, readRecognition } from '../journal/learned.ts';
import type { Session } from '../journal/send-context.ts';
import { Matches } from '../match/match.ts';
import { Memory } from '../match/memory.ts';
import { type PersonRow, Rows, personRows } from '../match/rows.ts';
import { isWhole } from '../snapshot/read-now.ts';
import { type ListReading, nothingRead, readListed } from '../snapshot/read-listed.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EarlierDoubts } from './earlier-doubts.ts';
import { countTakenBack, remarksOn, unseenFields } from './plan-remarks.ts';
import { RowDecider } from './row-decider.ts';
import { type CompareOptions, type PlannedRow, type RowsToPlan, asSent, settled } from './rows-to-plan.ts';
import { isNotOffered } from '../../service/http/failure.ts';
import { BaseStore } from '../journal/base-store.ts';

interface PlanOptions extends CompareOptions {
  /** What the service holds already is sent once more. */
  again: boolean;
  /** Read everything that the service holds, whatever it costs. */
  whole: boolean;
  /** What was read of the service a moment ago, to plan with it once more. */
  read?: ReadForRows | undefined;
}

/** What becomes of the rows of a push. */
export interface RunPlan extends ReadForRows {
  /** In their order. */
  rows: readonly PlannedRow[];
  /** What decides on rows. */
  decider: RowDecider;
  /** When the service was read, in milliseconds since 1970. */
  readAtMs: number;
  /** How many guests may be left without the messages that their registrations ask for. */
  takenBack: number;
}

/**
 * Compares rows with the service, and says what becomes of each. Waits for rows that were sent a moment ago, by a push
 * that was broken off before it looked at them, and that are not listed yet as they were sent. Throws ServiceError
 * when the service cannot be read now.
 */
export async function planRows(
  context: Session,
  rows: RowsToPlan,
  doubts: EarlierDoubts,
  options: PlanOptions,
): Promise<RunPlan> {
  const plan = await lookUntil<Decided>(context, async (_isLast, before) => {
    before?.reading?.listed.clear();
    const wish = before === undefined ? options : { ...options, read: undefined };
    return await decideAll(context, rows, doubts, wish);
  });
  const { reading } = plan;
  const warn = (text: string, isCaution = false): void =>
    context.reporter.report({ type: 'warning', text, ...(isCaution ? { isCaution } : {}) });
  const isHidden = reading?.barcodesShown === false && reading.fieldsShown;
  const areUncompared = plan.rows.some(({ row, decision }) => row.barcode && decision.action === 'unknown');
  if (isHidden && options.read === undefined && areUncompared) warn(BARCODES_HIDDEN);
  const planned = { rows, planned: plan.rows, reading };
  const takenBack = countTakenBack(context, planned);
  for (const text of remarksOn(context, planned, takenBack)) warn(text);
  for (const text of unseenFields(context, planned)) warn(text, true);
  return { ...plan, takenBack };
}

const BARCODES_HIDDEN =
  'The service does not show the barcodes of its registrations, so rows cannot be compared with them: what was sent before is not sent again, and everything else is sent: it may overwrite or empty what was entered there.';

interface Decided extends Omit<RunPlan, 'takenBack'> {
  openUntilMs: number | undefined;
}

/** Reads what the rows are compared with, says whom each is about, and decides on each. */
async function decideAll(
  context: Session,
  rows: RowsToPlan,
  doubts: EarlierDoubts,
  options: PlanOptions,
): Promise<Decided> {
  const { event, clock, stopping } = context;
  const readAtMs = clock.now();
  const inDoubt = doubts.about(rows);
  const { registrationOf } = rows;
  const isInDoubt = (row: InputRow): boolean => inDoubt.has(row);
  const people = personRows(rows.sendable, { registrationOf, fields: fieldsOf(event), isInDoubt });
  const read = options.read ?? (await readForRows({ ...context, files: rows.files }, people, options));
  const { reading } = read;
  const decider = new RowDecider(context, rows, options, reading);
  const matches = whoIsWho(context, people, { ...options, reading, decider, files: rows.files });
  const fresh = new Set(matches.newRows);
  const decide = (row: InputRow): PlannedRow => {
    stopping.throwIfAborted();
    const doubt = inDoubt.get(row);
    if (doubt !== undefined) return { row, state: 'uncertain', decision: UNKNOWN, doubt };
    if (fresh.has(row.seq)) return { row, ...settled(NEW, options.again) };
    const compared = rows.compared(row);
    const one = settled(decider.decide(compared, matches.of(row.seq)), options.again);
    const decision = asSent({ ...context, before: reading }, compared, one.decision);
    return { row, ...one, ...settled(decision, false) };
  };
  reading?.sight.learnFrom(() => saidBy(rows, matches, fieldsOf(event)));
  const planned = rows.sendable.map(decide);
  return { ...read, rows: planned, decider, readAtMs, openUntilMs: decider.lateUntilMs };
}

/** What rows say of those who are listed for them. */
const saidBy = (rows: RowsToPlan, matches: Matches, fields: FieldsOf): SaidOf[] =>
  rows.sendable.flatMap((row) => {
    const answer = matches.of(row.seq);
    const said = rows.registrationOf(row);
    const own = fields(said.persona);
    return answer.kind === 'same' ? { image: answer.record, own, say: (slug) => said.fields[slug] } : [];
  });

/** Of all that is new and like nobody. */
const NEW = uncompared('create');
const UNKNOWN = uncompared('unknown');

interface WhoFacts extends Pick<ReadForRows, 'reading'>, Pick<CompareOptions, 'match'> {
  decider: RowDecider;
  files: readonly string[];
}

/** Whom rows are about: where nothing can be read, by what is known of them alone. */
function whoIsWho(
  context: Session,
  people: readonly PersonRow[],
  { reading, decider: { bases }, files, match }: WhoFacts,
): Matches {
  const fields = fieldsOf(context.event);
  const seen = reading ?? nothingRead(fields);
  const { listed } = seen;
  const shown = {
    ids: seen.idsShown,
    idsStay: readLearned(context, 'ids')?.value === 'kept',
    barcodes: seen.barcodesShown,
    emails: listed.showsEmails,
    values: seen.fieldsShown,
    isList: reading === undefined || seen.how === 'list',
    isWhole: isWhole(seen),
    kinds: seen.kinds,
  };
  return new Matches({
    listed,
    fields,
    shown,
    match,
    rows: new Rows(people),
    memory: new Memory(bases, () => listed.numbered(), shown, fields),
    files: bases.filesOf(files),
    recognition: readRecognition(context),
  });
}

/** How many requests reading the whole list may cost, to a row that is to be sent: more, and barcodes are looked up. */
const PAGES_A_ROW = 3;

/** What was read for rows. */
interface ReadForRows {
  /** Undefined when there was nothing to compare with, or nothing can be read. */
  reading: ListReading | undefined;
  /** Why there is no list to be had, as a sentence without its full stop. */
  unlisted?: string;
}

/** Rows that have, or had, no barcode can be known by the whole list only, unless they are told to be new. */
async function readForRows(
  context: Session & { files: readonly string[] },
  people: readonly PersonRow[],
  { match, whole }: Pick<CompareOptions, 'match'> & { whole: boolean },
): Promise<ReadForRows> {
  // Of rows in doubt a list tells only whether it has their e-mail.
  const rows = match === 'email' ? people : people.filter(({ inDoubt }) => !inDoubt);
  if (rows.length === 0 && !whole) return { reading: undefined };
  const barcodes = rows.flatMap(({ inDoubt, barcode }) => (inDoubt ? [] : (barcode ?? [])));
  const bare = rows.some(({ barcode }) => barcode === undefined);
  const wish = {
    barcodes,
    pages: PAGES_A_ROW * rows.length,
    whole: whole || (match !== 'none' && (bare || mayHaveOtherBarcodes(context, people))),
  };
  try {
    return { reading: await readListed(context, wish) };
  } catch (error) {
    if (whole || !isNotOffered(error)) throw error;
    return { reading: undefined, unlisted: error.message.replace(/\.$/, '') };
  }
}

/** Whether the files have barcodes that are new to this machine, and lack rows that they had. */
function mayHaveOtherBarcodes(
  { journal, target, event, files }: Session & { files: readonly string[] },
  people: readonly PersonRow[],
): boolean {
  const bases = new BaseStore(journal, target, event.endDate);
  const before = bases.ofFiles(bases.filesOf(files)).flatMap(({ rowKey }) => rowKey ?? []);
  if (before.length === 0) return false;
  const now = new Set(people.map(({ rowKey }) => bases.nameOf('rowKey', rowKey)));
  if (before.every((key) => now.has(key))) return false;
  return people.some(
    ({ barcode, inDoubt }) =>
      !inDoubt && barcode !== undefined && bases.find('barcode', barcode).length === 0,
  );
}
