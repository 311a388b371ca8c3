import { SHIFTED } from './habits.ts';
import { type Random, random as randomOf } from './random.ts';
import type { Edit, FileRow, ModelFile, PushStep, Scenario, StaffEntry, Step } from './scenario.ts';
import { anyValue, COMMON, SLUGS, type Slug } from './values.ts';

/** The scenario of a seed with some of the features: of one that is named alone, always. */
export function withFeatures(scenario: Scenario, features: readonly Feature[], seed: number): Scenario {
  if (features.length === 0) return scenario;
  const random = randomOf((seed ^ 0x5bd1e995) >>> 0);
  const drawn = features.filter(() => features.length === 1 || random.chance(0.25));
  const strict: Scenario = { ...scenario, strict: true, calm: false };
  return drawn.reduce((made, feature) => ADD[feature](made, random), strict);
}

type Add = (scenario: Scenario, random: Random) => Scenario;

const ADD = {
  // Nothing more, but judged by all that is to hold, as with any other.
  strict: (scenario) => scenario,
  lags(scenario, random) {
    const readLagMs = random.pick([2500, 4000, 20_000, 45_000]);
    const files: ModelFile[] = [];
    return mapPushes({ ...scenario, switches: { ...scenario.switches, readLagMs } }, (push) => {
      files.push(push.file);
      // A list that was wrong, and the right one again.
      const file = random.chance(0.6) ? (files.at(-3) ?? push.file) : push.file;
      const flags = random.chance(0.5) ? [...push.flags, '--no-audit'] : push.flags;
      return { ...push, file, flags, soon: random.chance(0.7) };
    });
  },
  hides(scenario, random) {
    const who = hasMembers(scenario) ? 'members' : 'exhibitors';
    // Pages would be short, and what hides a row is to be seen.
    const { perPageCap: _cap, recordParent: _parent, recordBarcode: _barcode, ...others } = scenario.switches;
    const switches = { ...others, listTotal: 'hidden', filterSpelling: 'none' } as const;
    const byBarcode = random.chance(0.3);
    const isHidden = ({ persona, parent }: StaffEntry): boolean =>
      who === 'exhibitors' ? persona === 'exhibitor' : parent !== '';
    // Of somebody whom no list and no barcode has ever shown nobody can know.
    const staff = scenario.staff.filter((one) => byBarcode || !isHidden(one));
    return withHabit({ ...scenario, switches, staff }, { hides: { who, byBarcode } });
  },
  shifts: (scenario, random) => withHabit(scenario, { shifts: random.pick(SHIFTED) }),
  requires: (scenario, random) =>
    withHabit(scenario, { requires: random.pick(['last_name', 'email', 'phone'] as const) }),
  computes: (scenario) => withHabit(scenario, { computes: true }),
  substitutes: (scenario, random) =>
    beforePushes(scenario, random, (at) => ({
      kind: 'substitute',
      nth: random.below(8),
      first: `Sub${at}`,
      last: 'Stitute',
      email: `sub${at}@example.com`,
      anew: random.chance(0.3),
    })),
  cancels: (scenario, random) =>
    beforePushes(scenario, random, () => ({ kind: 'delete', nth: random.below(8) })),
  reissues: (scenario, random) =>
    beforePushes(scenario, random, (at) => ({ kind: 'reissue', nth: random.below(8), barcode: `RE-${at}` })),
  'late-edits': (scenario, random) =>
    mapPushes(scenario, (push) => {
      const slug = random.pick(COMMON.filter((one) => one !== 'email'));
      const edit: Edit = { kind: 'value', nth: 0, slug, value: anyValue(slug, random) };
      return { ...push, kill: undefined, during: { request: random.below(4), edit, isLate: true } };
    }),
  zeros: (scenario, random) =>
    withBarcodes(scenario, random, { first: (barcode) => `00${numberOf(barcode)}`, later: numberOf }),
  codes: (scenario, random) =>
    withBarcodes(scenario, random, { first: (barcode) => barcode, later: (barcode) => `NEW-${barcode}` }),
  columns(scenario, random) {
    const from = laterPush(scenario, random);
    const slug = random.pick(SLUGS.filter((one) => one !== 'first_name' && one !== 'email'));
    return mapPushes(scenario, (push, at) =>
      at < from || push.file.columns.includes(slug) ? push : { ...push, file: longer(push.file, slug) },
    );
  },
} satisfies Record<string, Add>;

/** What a scenario may have besides: what today's core does not cope with stays out of `npm test`. */
export type Feature = keyof typeof ADD;
export const FEATURES = Object.keys(ADD) as Feature[];

/** Reads a list of names, or `all`. Throws an Error with a sentence. */
export function readFeatures(text: string): readonly Feature[] {
  const names = text === 'all' ? FEATURES : text.split(',');
  const unknown = names.find((name) => !(name in ADD));
  if (unknown !== undefined) throw new Error(`--with takes all, or some of ${FEATURES.join(',')}.`);
  return names as Feature[];
}

function withHabit(scenario: Scenario, habit: Scenario['habits']): Scenario {
  // What is sent as a list is as good as what is sent as an object.
  const { fieldsForm: _form, ...switches } = scenario.switches;
  return { ...scenario, switches, habits: { ...scenario.habits, ...habit } };
}

function hasMembers({ steps }: Scenario): boolean {
  return steps.some((step) => step.kind === 'push' && step.file.rows.some(({ parent }) => parent !== ''));
}

const mapPushes = (scenario: Scenario, change: (push: PushStep, at: number) => PushStep): Scenario => ({
  ...scenario,
  steps: scenario.steps.map((step, at) => (step.kind === 'push' ? change(step, at) : step)),
});

/** Somebody at the service acts before some pushes but the first, now and then long before. */
function beforePushes(scenario: Scenario, random: Random, edit: (at: number) => Edit): Scenario {
  const steps = scenario.steps.flatMap((step, at): Step[] => {
    if (at === 0 || step.kind !== 'push' || !random.chance(0.6)) return [step];
    const days: Step[] = random.chance(0.2) ? [{ kind: 'days', days: 40 }] : [];
    return [{ kind: 'edit', edit: edit(at) }, ...days, step];
  });
  return { ...scenario, steps };
}

/** Where a push is that is not the first. */
function laterPush({ steps }: Scenario, random: Random): number {
  const pushes = [...steps.keys()].filter((at) => at > 0 && steps[at]?.kind === 'push');
  return pushes.length === 0 ? steps.length : random.pick(pushes);
}

/** All barcodes are written in one way at first, and in another from some push on. */
function withBarcodes(
  scenario: Scenario,
  random: Random,
  { first, later }: Record<'first' | 'later', (barcode: string) => string>,
): Scenario {
  const from = laterPush(scenario, random);
  const write = <Part>(part: Part, how: (barcode: string) => string): Part =>
    JSON.parse(JSON.stringify(part), (key, value: string) =>
      (key === 'barcode' || key === 'parent') && value !== '' ? how(value) : value,
    ) as Part;
  return {
    ...scenario,
    staff: write(scenario.staff, first),
    steps: scenario.steps.map((step, at) => write(step, step.kind === 'push' && at >= from ? later : first)),
  };
}

/** `EV-3x` as a number that no other has. */
function numberOf(barcode: string): string {
  const digits = Number(barcode.replace(/\D/g, ''));
  return String(digits + (barcode.startsWith('EV') ? 500 : 0) + 1000 * (barcode.split('x').length - 1));
}

/** The file with a column more, in which everybody has a value of their own. */
function longer(file: ModelFile, slug: Slug): ModelFile {
  const value = ({ guest, persona, cells }: FileRow): FileRow['cells'] =>
    persona === 'visitor' || COMMON.includes(slug)
      ? { ...cells, [slug]: anyValue(slug, randomOf(guest + 1)) }
      : cells;
  return {
    ...file,
    columns: [...file.columns, slug],
    rows: file.rows.map((row) => ({ ...row, cells: value(row) })),
  };
}
