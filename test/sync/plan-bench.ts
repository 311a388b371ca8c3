import { createHash } from 'node:crypto';
import { claimRun } from '../../src/sync/push/claim-run.ts';
import { inheritKnown } from '../../src/sync/plan/inherit-fates.ts';
import type { Journal } from '../../src/sync/journal/journal.ts';
import { type PlanOptions, planRun, type RunPlan } from '../../src/sync/plan/plan-run.ts';
import { noteSent } from '../../src/sync/journal/note-sent.ts';
import { beginRun, endRun, type Target } from '../../src/sync/journal/runs.ts';
import type { SendContext } from '../../src/sync/journal/send-context.ts';
import { sendRow } from '../../src/sync/perform/send-row.ts';
import { json, rowCodec, type RowCodec, value } from '../../src/sqlite/row-codec.ts';
import { queuedRows } from '../../src/sync/journal/queued-rows.ts';
import {
  canonicalRegistration,
  type RecordImage,
  type Registration,
} from '../../src/registration/model/registration.ts';
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
  /** Reads rows as `people.csv`, from line 2 on, and claims their run. */
  claim(rows: readonly RowSketch[], options?: { fresh?: boolean; compare?: boolean }): string;
  plan(run: string, options?: Partial<PlanOptions>): Promise<RunPlan>;
  /** Sends all that is pending, whatever its depth, and lets go of the run. */
  send(run: string): Promise<void>;
  /** Claims, plans, sends: a push without its audit. Returns the run. */
  push(rows: readonly RowSketch[], options?: Partial<PlanOptions>): Promise<string>;
  /** Puts a registration into the service behind our back. */
  post(row: RowSketch): Promise<void>;
  rows(run: string): SeenRow[];
  /** `state plan` of every row, in the order of the file. */
  fates(run: string): string[];
}

export const DEFAULTS: PlanOptions = {
  match: 'barcode',
  winner: 'ask',
  fresh: false,
  whole: false,
  dry: false,
};

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
    claim(rows, { fresh = false, compare = true } = {}) {
      const start = { kind: 'push', target, files: ['people.csv'] } as const;
      const read = beginRun(journal, start, clock.now(), SELF);
      journal.transaction(() => {
        for (const [seq, row] of rows.entries()) insertRow(journal, read, seq, row);
      });
      const claim = { read, fresh, compare, now: clock.now(), self: SELF };
      const { id, resumed } = journal.transaction(() => claimRun(journal, target, claim));
      journal.transaction(() => inheritKnown(journal, target, id, { resumed, fresh, compare }));
      return id;
    },
    plan: (run, options) => planRun(context(run), { ...DEFAULTS, ...options }),
    async send(run) {
      const depths = [0, 1];
      for (const depth of depths) {
        const wanted = { depth, limit: 100_000 };
        for (const row of queuedRows(journal, run, 'pending', wanted)) {
          const { stop } = await sendRow(context(run), row);
          if (stop !== undefined) throw stop;
        }
      }
      noteSent(context(run));
      endRun(journal, run, 'finished', clock.now());
    },
    async push(rows, options) {
      await clock.advance(1000);
      const run = bench.claim(rows, { fresh: options?.fresh ?? false });
      await bench.plan(run, options);
      await bench.send(run);
      return run;
    },
    async post(row) {
      const sent = await client.registrations.send(toRegistration(row), () => undefined);
      if (sent.kind !== 'done') throw new Error(`the service said ${sent.kind}`);
    },
    rows: (run) => journal.read(SEEN_ROW, 'FROM row WHERE run = $run ORDER BY seq', { $run: run }),
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

function insertRow(journal: Journal, run: string, seq: number, row: RowSketch): void {
  const registration = toRegistration(row);
  journal.run(
    `INSERT INTO row (run, seq, file, line, state, hash, persona, barcode, parent_barcode, enable_comms, payload, depth, row_key)
     VALUES ($run, $seq, 'people.csv', $line, 'pending', $hash, $persona, $barcode, $parent, $comms, $payload, $depth,
       CASE WHEN $barcode IS NULL THEN 'h:' || $hash || ':1' ELSE 'b:' || $barcode END)`,
    {
      $run: run,
      $seq: seq,
      $line: seq + 2,
      $hash: createHash('sha256').update(canonicalRegistration(registration)).digest('base64url'),
      $persona: registration.persona,
      $barcode: row.barcode ?? null,
      $parent: row.parent ?? null,
      $comms: registration.enableComms ? 1 : 0,
      $payload: JSON.stringify(registration),
      $depth: row.parent === undefined ? 0 : 1,
    },
  );
}
