import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import { DEFAULT_SWITCHES, type Switches } from '../../src/sandbox/store/switches.ts';
import { type Ended, type ModelBench, modelBench } from './bench.ts';
import { csvOf } from './csv.ts';
import { OF_DELETES, OF_DRY_RUNS, OF_KILLED, OF_PUSHES, OF_UNDOS } from './invariants.ts';
import { learnOfPeople, OF_STRICT_PUSHES, OF_STRICT_UNDOS } from './invariants/strict.ts';
import { FILE, isSamePerson, linkRows } from './link-rows.ts';
import { isToldOfField, isToldUnseen, unkeptFields } from './unkept.ts';
import { Model } from './model.ts';
import type { Observed, ObservedPush, Violation } from './observe.ts';
import { names, readSaid, type ToldEntry } from './said.ts';
import type { Edit, FileRow, PushStep, Scenario, StaffEntry } from './scenario.ts';
import { isSame } from './values.ts';
import { wantedOf } from './wanted.ts';
import {
  applyEdit,
  attributeOf,
  changesBetween,
  type Foreign,
  missingIn,
  onLastSent,
  type Snapshot,
  snapshotOf,
  withForeign,
  withoutForeign,
} from './world.ts';

/** What a scenario came to. */
export interface Played {
  violations: Violation[];
  /** What was run, with how it ended, for people. */
  story: string[];
  commands: number;
}

/** Plays a scenario to its end, and judges every command by what the service holds. */
export async function playScenario(scenario: Scenario): Promise<Played> {
  const bench = await modelBench(scenario.switches, scenario.habits);
  try {
    const player = new Player(bench, scenario);
    await player.play();
    return player.played;
  } finally {
    await bench.close();
  }
}

interface KnownRun {
  id: string;
  before: Snapshot;
  after: Snapshot;
  since: Foreign[];
  during: number;
  /** Where in the file each registration stands. */
  places: ReadonlyMap<string, string>;
}

class Player {
  readonly played: Played = { violations: [], story: [], commands: 0 };
  readonly #bench: ModelBench;
  readonly #scenario: Scenario;
  readonly #switches: Switches;
  readonly #model = new Model();
  #step = 0;
  #run: KnownRun | undefined;

  constructor(bench: ModelBench, scenario: Scenario) {
    this.#bench = bench;
    this.#scenario = scenario;
    this.#switches = { ...DEFAULT_SWITCHES, ...scenario.switches };
  }

  async play(): Promise<void> {
    const { staff, steps } = this.#scenario;
    for (const [at, entry] of staff.entries())
      this.#bench.sandbox.put(staffRegistration(entry, at, this.#switches));
    for (const [at, step] of steps.entries()) {
      this.#step = at + 1;
      if (step.kind === 'push') await this.#push(step);
      else if (step.kind === 'edit') this.#edit(step.edit);
      else if (step.kind === 'days') await this.#bench.clock.advance(step.days * 86_400_000);
      else if (step.kind === 'undo') await this.#undo();
      else await this.#delete(step.barcode);
    }
  }

  #edit(edit: Edit): Foreign[] {
    const done = applyEdit(this.#bench.sandbox, edit, this.#bench.clock.now());
    this.#noteForeign(done);
    if (edit.kind === 'substitute') this.#noteSubstitute(done, edit.first);
    this.played.story.push(`${this.#step}. somebody else: ${JSON.stringify(edit)}`);
    return done;
  }

  #noteForeign(done: readonly Foreign[]): void {
    for (const { id, change } of done) {
      if (change === undefined) this.#model.deletedByOthers.add(id);
      else this.#model.touched.add(`${id} ${change.attribute}`);
    }
    this.#run?.since.push(...done);
  }

  /** What others did just before could be on no list yet. */
  #isAfterPush(): boolean {
    return this.#scenario.steps[this.#step - 2]?.kind === 'push';
  }

  #noteSubstitute([one]: readonly Foreign[], first: string): void {
    const { substituted } = this.#model;
    if (one !== undefined) substituted.set(one.change === undefined ? `${one.id}${first}` : one.id, 'untold');
  }

  /** What the other is to do when a request comes. */
  #during({ during }: PushStep, foreign: Foreign[]): (nth: number) => void {
    const { sandbox } = this.#bench;
    const sent = (): number => sandbox.requests().filter(({ method }) => method === 'POST').length;
    const before = sent();
    let isDue = true;
    return (nth) => {
      const isNow = during?.isLate === true ? sent() > before + during.request : nth === during?.request;
      if (during === undefined || !isDue || !isNow) return;
      isDue = false;
      foreign.push(...this.#edit(during.isLate === true ? onLastSent(during.edit, sandbox) : during.edit));
    };
  }

  async #push(push: PushStep): Promise<void> {
    const { file, flags, dry, kill, soon } = push;
    this.#bench.write(FILE, csvOf(file));
    this.#noteFamilies(push);
    const told = dry ? await this.#dryRun(push) : undefined;
    const before = snapshotOf(this.#bench.sandbox);
    const firstRequest = this.#bench.sandbox.requests().length;
    const foreign: Foreign[] = [];
    const argv = ['push', FILE, ...flags, ...QUIET];
    let ended = await this.#command(argv, {
      kill,
      ...(soon === true && this.#isAfterPush() && { waitMs: 1000 }),
      onArrival: this.#during(push, foreign),
    });
    const resumed = ended.killed;
    if (resumed) {
      const killed = this.#observePush(push, {
        ended,
        before,
        firstRequest,
        foreign,
        told: undefined,
        resumed,
      });
      this.#judge(OF_KILLED, killed);
      const again = await this.#command(argv, { waitMs: 1000 });
      ended = { ...again, err: `${ended.err}${again.err}` };
    }
    const observed = this.#observePush(push, { ended, before, firstRequest, foreign, told, resumed });
    this.#judge(OF_PUSHES, observed);
    if (observed.strict) this.#judge(OF_STRICT_PUSHES, observed);
    this.#learn(observed);
    learnOfPeople(observed);
  }

  #observePush(
    push: PushStep,
    parts: {
      ended: Ended;
      before: Snapshot;
      firstRequest: number;
      foreign: readonly Foreign[];
      told: readonly ToldEntry[] | undefined;
      resumed: boolean;
    },
  ): ObservedPush {
    const { told, resumed, foreign } = parts;
    const observed = this.#observe(parts);
    const { recognise } = this.#switches;
    const byEmail = push.flags.includes('--match');
    const rows = linkRows(push.file, observed.world, this.#model, { recognise, byEmail, foreign });
    const { calm } = this.#scenario;
    // Nobody could have told beforehand what somebody did meanwhile.
    const stillTold = foreign.length > 0 || resumed ? undefined : told;
    return { ...observed, push, rows, told: stillTold, resumed, calm };
  }

  #observe({
    ended,
    before,
    firstRequest,
    foreign,
  }: {
    ended: Ended;
    before: Snapshot;
    firstRequest: number;
    foreign: readonly Foreign[];
  }): Observed {
    const { sandbox } = this.#bench;
    return {
      step: this.#step,
      switches: this.#switches,
      habits: this.#scenario.habits ?? {},
      strict: this.#scenario.strict ?? false,
      before,
      after: snapshotOf(sandbox),
      world: withForeign(before, foreign),
      foreign,
      requests: sandbox.requests().slice(firstRequest),
      firstRequest,
      said: readSaid(ended),
      model: this.#model,
    };
  }

  async #dryRun(push: PushStep): Promise<readonly ToldEntry[] | undefined> {
    const before = snapshotOf(this.#bench.sandbox);
    const firstRequest = this.#bench.sandbox.requests().length;
    const argv = ['push', FILE, ...push.flags, '--dry-run', '--diff', '--show-values', ...QUIET];
    const ended = await this.#command(argv);
    const observed = this.#observe({ ended, before, firstRequest, foreign: [] });
    this.#judge(OF_DRY_RUNS, observed);
    return observed.said.plan;
  }

  async #undo(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    const before = snapshotOf(this.#bench.sandbox);
    const firstRequest = this.#bench.sandbox.requests().length;
    const ended = await this.#command(['runs', 'undo', run.id, '--yes', '--max-delete', '100%', '--json']);
    // Old ones are forgotten at the next push.
    if (/There is no run/.test(ended.err)) return;
    const observed = this.#observe({ ended, before, firstRequest, foreign: [] });
    const { before: runBefore, after: runAfter, since, during, places } = run;
    const undone = { ...observed, runBefore, runAfter, since, during, places };
    this.#judge(OF_UNDOS, undone);
    if (undone.strict) this.#judge(OF_STRICT_UNDOS, undone);
    this.#model.doubtAll();
    // What it brought back was said by this machine.
    for (const { id, attribute, after } of changesBetween(before, observed.after)) {
      const one = observed.after.get(id);
      if (one !== undefined) this.#model.noteSeen(one, new Map([[attribute, String(after ?? '')]]), false);
    }
    this.#run = undefined;
  }

  async #delete(barcode: string): Promise<void> {
    const before = snapshotOf(this.#bench.sandbox);
    const firstRequest = this.#bench.sandbox.requests().length;
    const ended = await this.#command([
      'delete',
      '--barcode',
      barcode,
      '--yes',
      '--max-delete',
      '100%',
      '--json',
    ]);
    const observed = this.#observe({ ended, before, firstRequest, foreign: [] });
    this.#judge(OF_DELETES, { ...observed, barcode });
    const { world, after, firstRequest: at } = observed;
    const atMs = this.#bench.clock.now();
    this.#run?.since.push(
      ...missingIn(after, world).map(({ id }) => ({ id, change: undefined, after: at, atMs })),
      ...changesBetween(world, after).map((change) => ({ id: change.id, change, after: at, atMs })),
    );
    this.#model.doubtAll();
  }

  async #command(argv: readonly string[], meanwhile: Parameters<ModelBench['run']>[1] = {}): Promise<Ended> {
    this.played.commands += 1;
    const ended = await this.#bench.run(argv, meanwhile);
    const how = ended.killed ? `killed at request ${meanwhile.kill?.request}` : `exit ${ended.code}`;
    this.played.story.push(`${this.#step}. eventreg ${argv.join(' ')}: ${how}`);
    const text = ended.err
      .trim()
      .split('\n')
      .map((line) => `     ${line}`);
    this.played.story.push(...text);
    if (ended.endless) {
      const what = `it went on asking: eventreg ${argv.join(' ')}`;
      this.played.violations.push({ step: this.#step, invariant: 'everyCommandEnds', what });
    }
    return ended;
  }

  #judge<Kind extends Observed>(
    invariants: Readonly<Record<string, (observed: Kind) => string[]>>,
    observed: Kind,
  ): void {
    for (const [invariant, check] of Object.entries(invariants)) {
      for (const what of check(observed)) this.played.violations.push({ step: this.#step, invariant, what });
    }
  }

  #noteFamilies({ file }: PushStep): void {
    if (!file.columns.includes('email')) return;
    const emails = file.rows.map(({ cells }) => cells.email?.toLowerCase()).filter((email) => email !== '');
    if (new Set(emails).size < emails.length) this.#model.mayKnowRecognition = true;
  }

  /** What this push means for those that come after it. */
  #learn(observed: ObservedPush): void {
    const { rows, after, world, said } = observed;
    // A command that is refused, or a file, has seen nothing.
    if (said.code === 2 || said.run === undefined) return;
    const sure = said.code === 0;
    const made = missingIn(world, after);
    const places = new Map<string, string>();
    for (const { row, ids, place } of rows) {
      const id = ids[0] ?? takeMade(made, { row, foreign: observed.foreign });
      if (id === undefined) continue;
      places.set(id, place);
      const one = after.get(id);
      const wanted = wantedOf(row, observed);
      // By a push that stopped before it sent anything, only who is there just so is known.
      const isThere =
        one !== undefined &&
        (!row.comms || one.enableComms) &&
        [...wanted].every(([what, cell]) => isSame(attributeOf(one, what), cell));
      if (said.code !== 7 || isThere) this.#model.links.set(row.guest, id);
      if (one === undefined) continue;
      this.#model.noteSeen(one, wanted, sure && ids.length <= 1);
      // What somebody changed after the list was first asked for may have been seen before.
      const asItWas = withoutForeign(
        one,
        observed.foreign.filter((edit) => mayBeUnseen(edit, observed)),
      );
      if (asItWas !== one) this.#model.noteSeen(asItWas, wanted, false);
      for (const [what, cell] of wanted)
        if (isToldUnseen(what, observed)) this.#model.noteNotAccepted(id, what, cell);
      for (const slug of unkeptFields(observed)) {
        const cell = wanted.get(slug);
        if (cell === undefined || isSame(attributeOf(one, slug), cell)) continue;
        const isNamed = said.code !== 0 && names(said, one, place, slug);
        if (isNamed || isToldOfField(slug, observed)) this.#model.noteNotAccepted(id, slug, cell);
      }
    }
    if (said.run !== undefined) {
      const { before, foreign } = observed;
      this.#run = { id: said.run, before, after, since: [...foreign], during: foreign.length, places };
    }
  }
}

const QUIET = ['--concurrency', '1', '--json', '--progress', 'none'];

/** Whether an edit came after a list was first asked for, or may have been listed late. */
function mayBeUnseen({ after }: Foreign, { requests, firstRequest, switches }: ObservedPush): boolean {
  const lists = requests.findIndex(({ method, path }) => method === 'GET' && path.endsWith('/registration'));
  return switches.readLagMs > 0 || lists < 0 || after - firstRequest > lists;
}

/** The new registration of a row, taken from the list. */
function takeMade(
  made: SandboxRegistration[],
  { row, foreign }: { row: FileRow; foreign: readonly Foreign[] },
): string | undefined {
  const at = made.findIndex((one) =>
    row.barcode === '' ? isSamePerson(withoutForeign(one, foreign), row) : one.barcode === row.barcode,
  );
  return at < 0 ? undefined : made.splice(at, 1)[0]?.id;
}

function staffRegistration(entry: StaffEntry, at: number, switches: Switches): SandboxRegistration {
  const { persona, barcode, parent, comms } = entry;
  const { ticket_type: ticket, ...others } = entry.fields;
  const takesSlugs = switches.valuesShape !== 'strings';
  const option = takesSlugs ? ticket?.toLowerCase() : ticket;
  const fields = { ...others, ...(option === undefined ? {} : { ticket_type: option }) };
  return {
    id: String(901 + at),
    persona,
    barcode: barcode === '' ? `QR-staff-${at}` : barcode,
    barcodeGenerated: barcode === '',
    parentBarcode: parent === '' ? undefined : parent,
    enableComms: comms,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    createdAt: Date.UTC(2026, 0, 1),
    updatedAt: Date.UTC(2026, 0, 1),
  };
}
