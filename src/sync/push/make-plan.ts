import { createHash } from 'node:crypto';
import type { GuardError } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { EarlierDoubts } from '../plan/earlier-doubts.ts';
import { isCarriedOutSince, planEntries } from '../plan/plan-entries.ts';
import { planRows, type RunPlan } from '../plan/plan-rows.ts';
import { type PlannedRow, type RowsToPlan, standing } from '../plan/rows-to-plan.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import type { PushContext, PushOptions } from './push-options.ts';

/** What is to become of the rows of a push, and what it deletes. */
export interface MadePlan {
  plan: RunPlan;
  /** Undefined: nothing is to be deleted. */
  prune: PrunePlan | undefined;
  /** A guard that lets none of it be sent. */
  refused: GuardError | undefined;
}

type Making = Pick<PushOptions, 'match' | 'winner' | 'prune' | 'again' | 'dryRun' | 'prepared'>;

/** Compares the rows with the service, decides what becomes of each, and shows the plan. */
export async function makePlan(
  context: PushContext,
  rows: RowsToPlan,
  { match, winner, prune, again, dryRun, prepared }: Making,
): Promise<MadePlan> {
  const { masks, choose, journal, target, event } = context;
  const doubts = new EarlierDoubts(context);
  const options = { match, winner, again, whole: prune !== undefined };
  let plan = await planRows(context, rows, doubts, options);
  const plain = masks.refusalOfPlain(plan.rows.filter(isUpdate).map(({ row }) => row.seq - row.part));
  const asks = !dryRun && plain === undefined;
  if (asks && choose !== undefined && match === 'barcode' && plan.rows.some(isAsked)) {
    const { askWhoTheyAre } = await import('./ask-people.ts');
    const answer = await askWhoTheyAre(plan.rows.filter(isAsked), choose);
    const { reading, readAtMs } = plan;
    const answered = { ...options, match: answer, read: { reading } };
    plan = { ...(await planRows(context, rows, doubts, answered)), readAtMs };
  }
  doubts.hold(plan.rows, rows);
  const { reading } = plan;
  const leftOut = new Set(prepared.files.flatMap(({ byValue }) => [...byValue.people]));
  const found = prune && reading && { rows: standing(rows, plan.rows), reading };
  const pruned =
    found &&
    (await import('../prune/prune-plan.ts')).planPrune(context, found, { match, maxDelete: prune, leftOut });
  const made = { plan, prune: pruned, refused: plain ?? pruned?.refused };
  const shown = { rows, planned: plan.rows, going: pruned?.going ?? [] };
  const entering = { journal, target, fields: fieldsOf(event) };
  await context.onPlan({
    isRefused: made.refused !== undefined,
    get contentKey() {
      return contentKey(rows);
    },
    entries: (which) => planEntries(entering, shown, which),
    isDoneSince: (entry, since) => isCarriedOutSince(entering, plan.rows, entry, since),
  });
  return made;
}

const isUpdate = ({ state, decision }: PlannedRow): boolean =>
  state === 'pending' && decision.action === 'update';

/** Somebody has to say whom it is about. */
const isAsked = ({ state, decision }: PlannedRow): boolean =>
  state === 'conflict' && decision.asked !== undefined;

/** One value for the rows whatever their order. */
function contentKey(rows: RowsToPlan): string {
  const hash = createHash('sha256');
  for (const content of rows.contents()) hash.update(`${content}\n`);
  return hash.digest('hex');
}
