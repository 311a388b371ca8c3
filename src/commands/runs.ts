import type { Command } from 'commander';
import { z } from 'zod';
import { EXIT, type ExitCode, GuardError, UsageError } from '../errors.ts';
import { countRows, Journal, type Run } from '../push/journal.ts';
import { deleteRun, findRuns, listRuns, oldRuns, otherHolder, purgeRuns } from '../push/runs.ts';
import { ROW_STATES } from '../registration/row-state.ts';
import { describeNotes, describeReasons } from '../push/summary.ts';
import { visible } from '../report/escape.ts';
import { plural } from '../report/number.ts';
import type { Runtime } from '../runtime.ts';
import { globalOptions, type Handler, parseOptions, rawOptions, wholeNumber } from './options.ts';
import { confirm, openRecords, say } from './terminal.ts';

const DAY_MS = 24 * 60 * 60_000;

export const runsOptions = globalOptions.extend({
  action: z.enum(['list', 'show', 'purge']),
  /** Always there for `show`. */
  id: z.string().optional(),
  /** `show`: only rows in this state. */
  state: z.enum(ROW_STATES).optional(),
  /** `purge`: days. */
  olderThan: wholeNumber(0).default(30),
});
export type RunsOptions = z.infer<typeof runsOptions>;

const HELP = `
A run is one push. It is kept on this machine, readable by you only, until it is purged: with
\`eventreg runs purge\`, or by itself at the next push once it is 30 days old. A purged run cannot be
resumed, and its rows are no longer known to have been sent.

Examples:
  eventreg runs
  eventreg runs show 20270301-4f9a2c
  eventreg runs show 20270301-4f --state failed --output csv
  eventreg runs purge 20270301-4f9a2c
  eventreg runs purge --older-than 7

Exit codes: 0 done · 1 the journal cannot be used · 2 no such run · 7 not confirmed`;

/** Defines `eventreg runs` with its actions on its command; `list` when none is given. */
export function defineRuns(command: Command, handle: Handler<RunsOptions>): void {
  command.description('Show what earlier pushes did.').addHelpText('after', HELP);
  const act = (sub: Command, action: RunsOptions['action']): void => {
    sub.action(async () => {
      await handle(parseOptions(runsOptions, { ...rawOptions(sub), action, id: sub.args[0] }));
    });
  };
  act(command.command('list', { isDefault: true }).description('list all runs, newest first'), 'list');
  act(
    command
      .command('show <id>')
      .description('show every row of a run; the first characters of its id are enough')
      .option('--state <state>', `only rows in this state: ${ROW_STATES.join(', ')}`),
    'show',
  );
  act(
    command
      .command('purge [id]')
      .description('forget a run, or all that ended some days ago')
      .option('--older-than <days>', 'without an id: forget what ended longer ago (30 unless given)'),
    'purge',
  );
}

/** Reads or purges the journal. Throws UsageError for an unknown run. */
export async function runRuns(options: RunsOptions, runtime: Runtime): Promise<ExitCode> {
  const journal = new Journal(runtime.paths.state);
  try {
    if (options.action === 'list') await list(journal, options, runtime);
    else if (options.action === 'show') await show(journal, options, runtime);
    else await purge(journal, options, runtime);
    return EXIT.done;
  } finally {
    journal.close();
  }
}

const isoTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** For people: `2027-03-01 08:15`, in UTC as everywhere. */
const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

async function list(journal: Journal, options: RunsOptions, runtime: Runtime): Promise<void> {
  const columns = [
    'run',
    'started',
    'state',
    'sent',
    'open',
    'failed',
    'uncertain',
    'files',
    'event',
    'message',
  ];
  const writer = openRecords(options, runtime, columns);
  for (const run of listRuns(journal)) {
    const counts = countRows(journal, run.id);
    await writer.write({
      run: run.id,
      started: options.output === 'table' ? shortTime(run.startedAt) : isoTime(run.startedAt),
      state: stateOf(run, runtime),
      event: run.eventName,
      sent: counts.done + counts.accepted,
      open: counts.pending + counts.sending,
      failed: counts.failed + counts.conflict + counts.blocked,
      uncertain: counts.uncertain,
      files: run.files.join(', '),
      message: run.message ?? '',
    });
  }
  await writer.end();
}

/** A run that says it is at work, but whose process is gone, was killed. */
function stateOf(run: Run, { self }: Runtime): string {
  const active = run.state === 'reading' || run.state === 'sending';
  const gone = run.holder !== undefined && run.holder.host === self.host && !self.isAlive(run.holder.pid);
  return active && gone ? 'killed' : run.state;
}

async function show(journal: Journal, options: RunsOptions, runtime: Runtime): Promise<void> {
  const run = findOrFail(journal, options.id ?? '');
  const target = `${visible(run.eventName)} at ${visible(run.service)}`;
  say(options, runtime, `Run ${run.id}, ${stateOf(run, runtime)}, ${isoTime(run.startedAt)}: ${target}`);
  const writer = openRecords(options, runtime, [
    'file',
    'sheet',
    'line',
    'state',
    'barcode',
    'persona',
    'registration_id',
    'attempts',
    'status',
    'sent_at',
    'done_at',
    'message',
    'mended',
  ]);
  for (const row of rowsOf(journal, run.id, options.state)) await writer.write(row);
  await writer.end();
}

interface StoredRow {
  seq: number;
  file: string;
  sheet: string | null;
  line: number;
  state: string;
  barcode: string | null;
  persona: string | null;
  remote_id: string | null;
  attempts: number;
  status: number | null;
  sent_at: number | null;
  done_at: number | null;
  message: string | null;
  reasons: string | null;
  notes: string | null;
}

/** Rows of a run in the order of the files, read a page at a time. */
function* rowsOf(
  journal: Journal,
  run: string,
  state: string | undefined,
): Generator<Record<string, unknown>> {
  for (let after = -1; ; ) {
    const rows = journal.all<StoredRow>(
      `SELECT * FROM row WHERE run = $run AND seq > $after AND ($state IS NULL OR state = $state)
       ORDER BY seq LIMIT 500`,
      { $run: run, $after: after, $state: state ?? null },
    );
    for (const row of rows) yield toRecord(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

function toRecord(row: StoredRow): Record<string, unknown> {
  return {
    file: row.file,
    sheet: row.sheet,
    line: row.line,
    state: row.state,
    barcode: row.barcode,
    persona: row.persona,
    registration_id: row.remote_id,
    attempts: row.attempts,
    status: row.status,
    sent_at: isoTime(row.sent_at ?? undefined),
    done_at: isoTime(row.done_at ?? undefined),
    message: row.message ?? describeReasons(row.reasons) ?? null,
    mended: describeNotes(row.notes) ?? null,
  };
}

/** Runs with open rows are more than history: forgetting one means that its rows may be sent twice. */
async function purgeOld(journal: Journal, options: RunsOptions, runtime: Runtime): Promise<void> {
  const before = runtime.clock.now() - options.olderThan * DAY_MS;
  const open = oldRuns(journal, before, runtime.self).filter(({ id }) => openRows(journal, id) > 0);
  const question = `${plural(open.length, 'run has', 'runs have')} rows not sent or uncertain. Forget all the same?`;
  if (open.length > 0 && !(await confirm(options, runtime, question))) {
    throw new GuardError('Nothing was forgotten.');
  }
  say(options, runtime, `${plural(purgeRuns(journal, before, runtime.self), 'run', 'runs')} forgotten.`);
}

function openRows(journal: Journal, run: string): number {
  const { pending, sending, uncertain } = countRows(journal, run);
  return pending + sending + uncertain;
}

async function purge(journal: Journal, options: RunsOptions, runtime: Runtime): Promise<void> {
  if (options.id === undefined) {
    await purgeOld(journal, options, runtime);
    return;
  }
  const run = findOrFail(journal, options.id);
  const holder = otherHolder(run, runtime.self);
  if (holder !== undefined) {
    throw new GuardError(`Run ${run.id} is being worked on: process ${holder.pid} on ${holder.host}.`, {
      hint: 'Wait for it to end, or stop it with Ctrl-C there.',
    });
  }
  const left = openRows(journal, run.id);
  const question = `Run ${run.id} has ${plural(left, 'row', 'rows')} not sent or uncertain. Forget it?`;
  if (left > 0 && !(await confirm(options, runtime, question))) {
    throw new GuardError('Nothing was forgotten.');
  }
  deleteRun(journal, run.id);
  journal.run('VACUUM');
  say(options, runtime, `Run ${run.id} forgotten.`);
}

function findOrFail(journal: Journal, id: string): Run {
  const [run, ...others] = findRuns(journal, id);
  if (run !== undefined && others.length === 0) return run;
  const quoted = visible(JSON.stringify(id));
  if (run === undefined) {
    throw new UsageError(`There is no run ${quoted}.`, { hint: 'See all with `eventreg runs`.' });
  }
  throw new UsageError(`Several runs begin with ${quoted}.`, {
    details: [run, ...others].map((one) => `${one.id}, ${isoTime(one.startedAt)}, ${one.files.join(', ')}`),
    hint: 'Give more characters of the id.',
  });
}
