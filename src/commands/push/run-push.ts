import { basename } from 'node:path';
import { EXIT, type ExitCode } from '../../errors.ts';
import { parseMapFlags } from '../../input/columns/column-wishes.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import type { DnsResolver } from '../../sync/ingest/mail-domains.ts';
import { push } from '../../sync/push/push.ts';
import type { SavedPlan } from '../../sync/plan/plan-file.ts';
import type { ShownPlan } from '../../sync/push/begin-push.ts';
import { forgetBases, tidyRuns } from '../../sync/journal/forget-runs.ts';
import type { WorkContext } from '../../sync/journal/send-context.ts';
import type { PushSummary } from '../../sync/tell/summary.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import type { Connection } from '../connect/connection.ts';
import { type EventStream, openEvents } from '../connect/event-stream.ts';
import { findPersona } from '../connect/find-persona.ts';
import { planFiles, type PushFiles } from './push-files.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { chooser } from './push-questions.ts';
import {
  closeAll,
  openAll,
  prepareAsking,
  type Prepared,
  toPushOptions,
  lookForMasks,
} from './push-prepare.ts';
import { countRejectedBefore, rememberFiles } from './push-mappings.ts';
import { mendedValues } from './mended-values.ts';
import { withMappingFile, writeMappingFile } from './mapping-file.ts';
import { ReadAgain, samePersonAsker, whatNowAsker } from './push-what-now.ts';
import { askUnsent, KEPT, say } from '../terminal/terminal.ts';
import { reopened, withMeanings } from './said-meanings.ts';
import { showColumns, createPushPrinter, type PushPrinter } from './push-print.ts';
import { backUpTo, type Workplace, workWithService } from '../connect/workplace.ts';
import { READS, withJournal } from '../connect/shared-journal.ts';

/** Runs older than this are forgotten at the next push. */
const KEEP_RUNS_MS = 30 * 24 * 60 * 60_000;

/** Pushes files; the summary goes to stderr for people, to stdout as JSON with `--json`. */
export async function runPush(typed: PushCommandOptions, runtime: Runtime): Promise<ExitCode> {
  const events = openEvents({ options: typed, runtime }, typed.files);
  if (typed.plan === undefined) return await pushFiles(typed, { saved: undefined, events }, runtime);
  const { optionsFromPlan, readPlan } = await import('./push-plan.ts');
  const saved = await readPlan(typed.plan, runtime);
  return await pushFiles(optionsFromPlan(typed, saved.header, runtime), { saved, events }, runtime);
}

async function pushFiles(
  typed: PushCommandOptions,
  { saved, events }: Pick<Parts, 'saved'> & { events: EventStream | undefined },
  runtime: Runtime,
): Promise<ExitCode> {
  const options = await withMappingFile(typed, runtime.cwd);
  // Only for its error: a wrong flag is told before anything is opened.
  parseMapFlags(options.map);
  const call = { options, runtime };
  const files = await planFiles(call);
  const does = `pushes ${files.sources.length === 1 ? basename(options.files[0] ?? '') : plural(options.files.length, 'file', 'files')}`;
  const use = options.dryRun ? READS : { reads: false as const, does, maxWaitMs: options.maxWait };
  return await withJournal(call, use, async (journal, runtime) => {
    const call = { options, runtime };
    tidyRuns(journal, runtime.clock.now() - KEEP_RUNS_MS);
    forgetBases(journal, runtime.clock.now());
    const printer = createPushPrinter(call);
    const parts = { files, saved, printer, runtime };
    const { concurrency, maxFailures, allErrors } = options;
    const readsStdin = options.files.includes('-');
    const { reports } = files;
    const work = { journal, concurrency, maxFailures, allErrors, readsStdin, events, reports };
    const summary = await reports.around(() =>
      workWithService(call, work, (place) => pushAt(place, options, parts)),
    );
    await printer.summary(summary);
    // The summary has said what there is to say about an interruption.
    if (summary.error !== undefined && summary.state !== 'interrupted') throw summary.error;
    reports.end();
    await events?.end();
    return summary.exitCode;
  });
}

interface Parts {
  files: PushFiles;
  /** Of the plan that is run. */
  saved: SavedPlan | undefined;
  printer: PushPrinter;
  runtime: Runtime;
}

async function pushAt(
  { context, connection }: Workplace,
  options: PushCommandOptions,
  parts: Parts,
): Promise<PushSummary> {
  const { files, saved, runtime } = parts;
  const { event, target, reporter } = context;
  if (saved !== undefined) (await import('./push-plan.ts')).refuseOtherTarget(saved.header, target);
  const [only, another] = event.personas;
  // Where everybody is of one kind, nobody is asked which.
  const onlyKind = another === undefined ? only?.slug : undefined;
  const persona = options.persona === undefined ? onlyKind : findPersona(options.persona, event).slug;
  const known = { ...options, persona };
  const resolver = await dnsResolver(options, connection, reporter);
  const inputs: StoredInput[] = [];
  try {
    inputs.push(...(await openAll(files.sources, reporter)));
    for (let current: PushCommandOptions = known; ; ) {
      const prepared = await prepareAsking(current, inputs, {
        ...parts,
        header: saved?.header,
        reporter,
        service: target.service,
        event,
      });
      await tellOfColumns(prepared, options, { files, reporter, runtime });
      const parted = { ...parts, prepared, inputs, resolver };
      try {
        return await pushPrepared(context, parted);
      } catch (error) {
        if (!(error instanceof ReadAgain)) throw error;
        current = error.change(reopened(prepared.options));
      }
    }
  } finally {
    await closeAll(inputs);
  }
}

/** Shows the columns, and writes what was used, where that is asked for. */
async function tellOfColumns(
  prepared: Prepared,
  options: PushCommandOptions,
  { files, reporter, runtime }: Pick<Parts, 'files' | 'runtime'> & Pick<WorkContext, 'reporter'>,
): Promise<void> {
  if (options.columns) {
    reporter.pause();
    await showColumns(prepared.input, { options: prepared.options, runtime });
  }
  if (files.mapping === undefined) return;
  const proposed = await writeMappingFile(files.mapping, prepared);
  const used = `What was used is written to ${options.writeMapping ?? ''}: --mapping takes it.`;
  const many = plural(proposed, 'meaning in it is', 'meanings in it are');
  const likely = proposed === 0 ? '' : ` ${many} only likely: look at "values" and "phones" first.`;
  reporter.report({ type: 'note', text: used + likely });
}

/** Throws ReadAgain where the person says more of the files first. */
async function pushPrepared(
  context: WorkContext,
  {
    prepared: read,
    ...parts
  }: Parts & { prepared: Prepared; inputs: readonly StoredInput[]; resolver: DnsResolver | undefined },
): Promise<PushSummary> {
  const { files, saved, runtime, inputs, resolver } = parts;
  const { event, target, reporter } = context;
  const told = { rejects: files.rejects, resolver };
  const core = toPushOptions(read.options, read.input, told);
  const { map, ignoreColumn } = read.options;
  const areColumnsSaid = read.input.mappings.recalls || map.length + ignoreColumn.length > 0;
  const asks = whatNowAsker({ options: read.options, runtime }, areColumnsSaid, reporter);
  const choose = saved === undefined ? chooser(runtime, reporter) : undefined;
  const askSamePerson = choose && samePersonAsker(choose);
  let prepared = read;
  const kept = { service: target.service, event: event.eventId };
  const remembers = async (options: PushCommandOptions): Promise<void> => {
    const said = { options: reopened(options), answers: [], isWhole: true };
    await rememberFiles(read.input, said, kept, reporter, runtime);
  };
  const summary = await push(core, {
    ...context,
    masks: lookForMasks(context, inputs, { options: read.options, runtime }),
    choose,
    askSamePerson:
      askSamePerson &&
      (async (question) => {
        const samePerson = await askUnsent(askSamePerson(question), KEPT);
        say(
          { options: read.options, runtime },
          `The same without being asked: --set same-person=${samePerson}`,
        );
        prepared = { ...read, options: { ...read.options, samePerson } };
        await remembers(prepared.options);
        if (files.mapping !== undefined) await writeMappingFile(files.mapping, prepared);
        return samePerson;
      }),
    whatNow:
      asks &&
      (async (wrong) => {
        const now = await askUnsent(asks(wrong), KEPT);
        // A plan of the others must leave the same rows out.
        if (now.do === 'send') prepared = { ...prepared, options: { ...prepared.options, invalid: 'skip' } };
        return now;
      }),
    onPlan: async (plan: ShownPlan) => {
      if (saved === undefined && files.plan === undefined && !prepared.options.diff) return;
      const { usePlan } = await import('./push-plan.ts');
      const planOut = plan.isRefused ? undefined : files.plan;
      await usePlan(plan, { ...parts, prepared, inputs, reporter, event, target, planOut });
    },
    backUp: (records) => backUpTo(runtime, records),
    onEnd: (journal, run, { run: begun, state }) =>
      files.reports.write(journal, run, begun === undefined ? state : undefined),
  });
  const call = { options: prepared.options, runtime };
  parts.printer.rejectedBefore = await countRejectedBefore(summary.problems, read.input, kept, call);
  if (summary.exitCode === EXIT.done && saved === undefined && !read.options.dryRun) {
    const mended = await mendedValues(read.input);
    if (Object.keys(mended).length > 0) {
      const { options } = prepared;
      await remembers({ ...options, values: withMeanings(mended, options.values) });
    }
  }
  const meant = summary.counts.rejected > 0 && asks === undefined ? await read.meant?.() : undefined;
  if (meant !== undefined) say(call, meant);
  return summary;
}

/** Addresses that go to a service on this machine are for practice: nobody's DNS is asked about them. */
async function dnsResolver(
  { checkDns, sandbox }: PushCommandOptions,
  { loopback }: Connection,
  reporter: Reporter,
): Promise<DnsResolver | undefined> {
  if (!checkDns || sandbox) return undefined;
  if (loopback) {
    const text = 'E-mail domains are not looked up, because the service is on this machine.';
    reporter.report({ type: 'note', text });
    return undefined;
  }
  const { Resolver } = await import('node:dns/promises');
  return new Resolver({ timeout: 3000, tries: 2 });
}
