import { type InputRow, repairsOf } from '../../src/sync/ingest/input-row.ts';
import type { Journal } from '../../src/sync/journal/journal.ts';
import { PLAN_ACTIONS, type PlanAction } from '../../src/sync/decide/plan-decision.ts';
import { describeUnbased } from '../../src/sync/plan/plan-remarks.ts';
import { EarlierDoubts } from '../../src/sync/plan/earlier-doubts.ts';
import { type PlanEntry, planEntries } from '../../src/sync/plan/plan-entries.ts';
import { planRows, type RunPlan } from '../../src/sync/plan/plan-rows.ts';
import { type CompareOptions, RowsToPlan } from '../../src/sync/plan/rows-to-plan.ts';
import { writeBases, writePlan } from '../../src/sync/plan/write-plan.ts';
import { noteSent } from '../../src/sync/journal/note-sent.ts';
import { beginRun, endRun, type Target } from '../../src/sync/journal/runs.ts';
import type { SendContext } from '../../src/sync/journal/send-context.ts';
import { sendRow } from '../../src/sync/perform/send-row.ts';
import { json, rowCodec, type RowCodec, value } from '../../src/sqlite/row-codec.ts';
import { queuedRows } from '../../src/sync/journal/queued-rows.ts';
import { hashOf, type RecordImage, type Registration } from '../../src/registration/model/registration.ts';
import { fieldsOf } from '../../src/registration/changes/field-change.ts';
import type { EventInfo } from '../../src/registration/model/persona.ts';
import type { PushEvent } from '../../src/report/views/events.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type SandboxClient, sandboxClient } from '../support/service-client.ts';
import { openJournal, SELF } from './journal-bench.ts';

/** A row as a test writes it: a visitor unless it says otherwise, with the demo event's fields. */
export interface RowSketch {
  barcode?: string;
  parent?: string;
  persona?: string;
  comms?: boolean;
  fields?: Record<string, string | readonly string[]>;
}

/** A row of the journal as a test looks at it. */
export interface SeenRow {
  state: string;
  plan: string | undefined;
  message: string | undefined;
  barcode: string | undefined;
  before: RecordImage | undefined;
  after: RecordImage | undefined;
}

export interface PlanBench extends SandboxClient {
  journal: Journal;
  event: EventInfo;
  target: Target;
  /** Everything that was reported. */
  told: PushEvent[];
  context(run: string): SendContext;
  /** Reads rows as `people.csv`, from line 2 on, for a run. */
  claim(rows: readonly RowSketch[]): string;
  /** Plans the rows of a run, and writes what becomes of them into the journal. */
  plan(run: string, options?: Partial<BenchOptions>, other?: Partial<SendContext>): Promise<BenchPlan>;
  /** Sends all that is pending, whatever its depth, and lets go of the run. */
  send(run: string): Promise<void>;
  /** Claims, plans, sends: a push without its audit. Returns the run. */
  push(rows: readonly RowSketch[], options?: Partial<BenchOptions>): Promise<string>;
  /** Puts a registration into the service behind our back. */
  post(row: RowSketch): Promise<void>;
  rows(run: string): SeenRow[];
  /** What the plan of a run says. */
  entries(run: string, all?: boolean): PlanEntry[];
  /** `state plan` of every row, in the order of the file. */
  fates(run: string): string[];
}

/** With rows by what becomes of them. */
interface BenchPlan extends RunPlan {
  counts: Record<PlanAction, number>;
  unbased: string | undefined;
}

export interface BenchOptions extends CompareOptions {
  again: boolean;
  whole: boolean;
}

const DEFAULTS: BenchOptions = {
  match: 'barcode',
  winner: 'ask',
  again: false,
  whole: false,
};

const FILES = ['people.csv'];

/** Planning against a real sandbox, on a clock that jumps. */
export async function planBench(
  switches: Partial<Switches> = {},
  { settleMs = 0 }: { settleMs?: number } = {},
): Promise<PlanBench> {
  const served = await sandboxClient(switches);
  const { client, sandbox, clock } = served;
  const journal = openJournal();
  const event = await client.getEvent();
  const target: Target = { service: sandbox.url, eventId: event.eventId, eventName: event.name };
  const told: PushEvent[] = [];
  const read = new Map<string, RowsToPlan>();
  const plans = new Map<string, RunPlan>();
  const context = (run: string): SendContext => ({
    journal,
    run,
    event,
    target,
    registrations: client.registrations,
    clock,
    reporter: { report: (entry) => told.push(entry), pause: () => undefined, close: () => undefined },
    stopping: new AbortController().signal,
    expect: () => undefined,
    budget: () => ({ limit: undefined, remaining: undefined, windowMs: undefined, refillsAtMs: undefined }),
    halt: () => undefined,
    limits: { workers: () => 1, maxFailures: undefined, settleMs },
  });
  const bench: PlanBench = {
    ...served,
    journal,
    event,
    target,
    told,
    context,
    claim(rows) {
      const start = { kind: 'push', target, files: FILES, state: 'sending' } as const;
      const run = beginRun(journal, start, clock.now(), SELF);
      const claimed = toPlan(rows);
      read.set(run, claimed);
      journal.transaction(() => writePlan(context(run), { rows: claimed, plan: undefined }));
      return run;
    },
    async plan(run, options, other) {
      const { again, whole, match, winner } = { ...DEFAULTS, ...options };
      const rows = read.get(run);
      if (rows === undefined) throw new Error(`there is no run ${run}`);
      const planning = { match, winner, again, whole };
      const within = { ...context(run), ...other };
      const plan = await planRows(within, rows, new EarlierDoubts(within), planning);
      plans.set(run, plan);
      journal.transaction(() => {
        journal.run('DELETE FROM operation WHERE run = $run', { run });
        writePlan(within, { rows, plan });
        writeBases(within, { rows, plan });
      });
      return { ...plan, counts: countActions(plan), unbased: describeUnbased(plan.rows) };
    },
    async send(run) {
      const depths = [0, 1];
      for (const depth of depths) {
        const wanted = { depth, limit: 100_000 };
        for (const row of queuedRows(journal, run, wanted)) {
          const { stop } = await sendRow(context(run), row);
          if (stop !== undefined) throw stop;
        }
      }
      noteSent(context(run));
      endRun(journal, run, 'finished', clock.now());
    },
    async push(rows, options) {
      await clock.advance(1000);
      const run = bench.claim(rows);
      await bench.plan(run, options);
      await bench.send(run);
      return run;
    },
    async post(row) {
      const sent = await client.registrations.send(toRegistration(row), () => undefined);
      if (sent.kind !== 'done') throw new Error(`the service said ${sent.kind}`);
    },
    rows: (run) => journal.read(SEEN_ROW, 'FROM row WHERE run = $run ORDER BY seq', { $run: run }),
    entries(run, all = true) {
      const [rows, plan] = [read.get(run), plans.get(run)];
      if (rows === undefined || plan === undefined) throw new Error(`run ${run} has no plan`);
      const shown = { rows, planned: plan.rows, going: [] };
      return [...planEntries({ journal, target, fields: fieldsOf(event) }, shown, { all })];
    },
    fates: (run) => bench.rows(run).map(({ state, plan }) => `${state} ${plan ?? '-'}`),
  };
  return bench;
}

const SEEN_ROW: RowCodec<SeenRow> = rowCodec({
  state: value<string>(),
  plan: value<string | undefined>(),
  message: value<string | undefined>(),
  barcode: value<string | undefined>(),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  after: json<RecordImage | undefined>(),
});

export function toRegistration({ barcode, parent, persona, comms, fields }: RowSketch): Registration {
  return {
    persona: persona ?? 'visitor',
    fields: fields ?? { first_name: 'Ada' },
    barcode,
    parentBarcode: parent,
    enableComms: comms ?? false,
  };
}

function countActions({ rows }: RunPlan): Record<PlanAction, number> {
  const counts = Object.fromEntries(PLAN_ACTIONS.map((action) => [action, 0])) as Record<PlanAction, number>;
  for (const { state, decision } of rows) if (state !== 'uncertain') counts[decision.action] += 1;
  return counts;
}

/** Rows as reading the file gives them. */
export function toPlan(sketches: readonly RowSketch[]): RowsToPlan {
  const rows = sketches.map((sketch, seq): InputRow => {
    const registration = toRegistration(sketch);
    return {
      seq,
      place: { file: 'people.csv', line: seq + 2 },
      part: 0,
      emails: [],
      key: sketch.barcode === undefined ? `h:${hashOf(registration)}:1` : `b:${sketch.barcode}`,
      barcode: sketch.barcode,
      parentBarcode: sketch.parent,
      depth: sketch.parent === undefined ? 0 : 1,
      reasons: [],
      notes: [],
      source: undefined,
      registration,
    };
  });
  return new RowsToPlan(FILES, { rows, repairs: repairsOf([]), leftOut: [] });
}
