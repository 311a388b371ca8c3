import type { Kill } from './bench.ts';
import { type Random, random as randomOf } from './random.ts';
import type { Edit, FileRow, ModelFile, PushStep, Scenario, StaffEntry, Step } from './scenario.ts';
import { anyService } from './services.ts';
import { anyValue, COMMON, SLUGS, type Slug } from './values.ts';

/** Somebody who may stand in a file. */
interface Guest {
  guest: number;
  persona: string;
  barcode: string;
  parent: Guest | undefined;
  comms: boolean;
  values: Partial<Record<Slug, string>>;
}

/** What all files of a scenario have in common. */
interface Kind {
  calm: boolean;
  hasBarcodes: boolean;
  hasParents: boolean;
  /** Barcodes that look like ids. */
  numeric: boolean;
}

/** The scenario of a seed: the same each time. */
export function generateScenario(seed: number): Scenario {
  const random = randomOf(seed);
  const calm = random.chance(0.3);
  const kind: Kind = {
    calm,
    hasBarcodes: calm || random.chance(0.7),
    hasParents: random.chance(0.4),
    numeric: random.chance(0.3),
  };
  const switches = anyService(random, calm);
  const guests = Array.from({ length: 1 + random.below(6) }, (_, at) => anyGuest(at, kind, random));
  addFamilies(guests, kind, random);
  const staff = anyStaff(guests, kind, random);
  return { switches, staff, steps: anySteps(guests, kind, random), calm };
}

function anyGuest(guest: number, kind: Kind, random: Random): Guest {
  const persona = random.chance(0.2) ? 'exhibitor' : 'visitor';
  const slugs = persona === 'visitor' ? SLUGS : COMMON;
  const values = Object.fromEntries(slugs.map((slug) => [slug, anyValue(slug, random)]));
  // Nobody has another's address unless families are made.
  const email = `guest${guest}@example.com`;
  return {
    guest,
    persona,
    barcode: barcodeOf(guest, 0, kind),
    parent: undefined,
    comms: random.chance(0.15),
    values: { ...values, email },
  };
}

function barcodeOf(guest: number, issue: number, { numeric }: Kind): string {
  return numeric ? String(1001 + guest + issue * 100) : `EV-${guest}${'x'.repeat(issue)}`;
}

/** Groups below the first guest, and e-mails that are shared. */
function addFamilies(guests: Guest[], kind: Kind, random: Random): void {
  const [first, ...others] = guests;
  for (const guest of others) {
    if (kind.hasParents && kind.hasBarcodes && random.chance(0.5)) guest.parent = first;
    if (!kind.calm && random.chance(0.25)) guest.values['email'] = first?.values['email'] ?? '';
  }
}

function anyStaff(guests: readonly Guest[], kind: Kind, random: Random): StaffEntry[] {
  if (random.chance(0.4)) return [];
  const strangers = Array.from({ length: random.below(3) }, (_, at) => anyGuest(50 + at, kind, random));
  const known = guests.filter(() => random.chance(0.4));
  const parent = known[0]?.barcode ?? '';
  return [...known, ...strangers].map((guest) => ({
    persona: guest.persona,
    barcode: !kind.hasBarcodes && random.chance(0.5) ? '' : guest.barcode,
    parent: guest.barcode !== parent && random.chance(0.3) ? parent : '',
    comms: random.chance(0.3),
    fields: Object.fromEntries(
      Object.entries(guest.values).map(([slug, value]) => [
        slug,
        slug !== 'email' && random.chance(0.2) ? anyValue(slug as Slug, random) : value,
      ]),
    ),
  }));
}

function anySteps(guests: Guest[], kind: Kind, random: Random): Step[] {
  const steps: Step[] = [anyPush(guests, undefined, kind, random)];
  const count = 1 + random.below(4);
  for (let step = 0; step < count; step += 1) {
    const last = steps.findLast((one): one is PushStep => one.kind === 'push');
    const choice = random.below(10);
    if (!kind.calm && choice === 0) steps.push({ kind: 'undo' });
    else if (!kind.calm && choice === 1) steps.push({ kind: 'delete', barcode: random.pick(guests).barcode });
    else if (!kind.calm && choice < 5) steps.push({ kind: 'edit', edit: anyEdit(random) });
    else if (choice === 5) steps.push({ kind: 'days', days: 1 + random.below(40) });
    else {
      if (random.chance(0.7)) changeGuests(guests, kind, random);
      steps.push(anyPush(guests, last, kind, random));
    }
  }
  // What was done before shows at the next push.
  if (steps.at(-1)?.kind !== 'push') {
    const last = steps.findLast((one): one is PushStep => one.kind === 'push');
    steps.push(anyPush(guests, last, kind, random));
  }
  return steps;
}

/** The same people a day later. */
function changeGuests(guests: Guest[], kind: Kind, random: Random): void {
  for (const guest of guests) {
    if (random.chance(0.4)) {
      const slug = random.pick(Object.keys(guest.values) as Slug[]);
      if (slug !== 'email') guest.values[slug] = anyValue(slug, random);
      else if (!kind.calm) guest.values[slug] = `new${guest.guest}@example.com`;
    }
    if (!kind.calm && random.chance(0.08)) guest.barcode = barcodeOf(guest.guest, 1, kind);
    if (!kind.calm && random.chance(0.1)) guest.parent = undefined;
    if (!kind.calm && random.chance(0.1)) guest.values[random.pick(SLUGS)] &&= '';
  }
  if (random.chance(0.3)) {
    const last = Math.max(...guests.map(({ guest }) => guest));
    guests.push(anyGuest(last + 1, kind, random));
  }
  if (guests.length > 1 && random.chance(0.2)) {
    const [gone] = guests.splice(1 + random.below(guests.length - 1), 1);
    for (const guest of guests) if (guest.parent === gone) guest.parent = undefined;
  }
}

function anyPush(guests: readonly Guest[], last: PushStep | undefined, kind: Kind, random: Random): PushStep {
  const again = last !== undefined && random.chance(0.3);
  const file = again ? last.file : anyFile(guests, last?.file, kind, random);
  const kill: Kill | undefined =
    !kind.calm && random.chance(0.2) ? { request: random.below(12), landed: random.chance(0.5) } : undefined;
  const during =
    !kind.calm && kill === undefined && random.chance(0.25)
      ? { request: random.below(12), edit: anyEdit(random) }
      : undefined;
  return { kind: 'push', file, flags: anyFlags(file, kind, random), dry: random.chance(0.4), during, kill };
}

function anyFlags(file: ModelFile, kind: Kind, random: Random): string[] {
  // A group cannot be left where the service does not take an empty parent.
  const clears = random.chance(0.3) && !(kind.calm && file.hasParents);
  const flags = ['--blank', clears ? 'clear' : 'omit'];
  if (kind.calm || random.chance(0.7)) flags.push('--yes');
  if (kind.calm) return flags;
  if (random.chance(0.1)) flags.push('--overwrite');
  if (random.chance(0.1)) flags.push('--no-audit');
  else if (random.chance(0.15)) flags.push('--prune', '--max-delete', '100%');
  if (!file.hasBarcodes && random.chance(0.4)) flags.push('--match', 'email');
  return flags;
}

/** The guests as a file has them: with the columns of the file before, or others. */
function anyFile(
  guests: readonly Guest[],
  before: ModelFile | undefined,
  kind: Kind,
  random: Random,
): ModelFile {
  const others = SLUGS.filter((slug) => slug !== 'first_name' && slug !== 'email');
  const columns: readonly Slug[] =
    before !== undefined && random.chance(0.6)
      ? before.columns
      : [
          'first_name',
          ...(!kind.hasBarcodes || random.chance(0.7) ? (['email'] as const) : []),
          ...random.some(others, random.below(5)),
        ];
  const hasParents = kind.hasParents && kind.hasBarcodes && (kind.calm || random.chance(0.8));
  const isBlank = (slug: Slug): boolean => slug !== 'first_name' && slug !== 'email' && random.chance(0.08);
  const rows = guests.map((guest): FileRow => {
    const cells = columns.map((slug) => [slug, isBlank(slug) ? '' : (guest.values[slug] ?? '')]);
    return {
      guest: guest.guest,
      persona: guest.persona,
      barcode: kind.hasBarcodes ? guest.barcode : '',
      parent: hasParents ? (guest.parent?.barcode ?? '') : '',
      comms: guest.comms,
      cells: Object.fromEntries(cells) as FileRow['cells'],
    };
  });
  return { columns, hasBarcodes: kind.hasBarcodes, hasParents, rows };
}

function anyEdit(random: Random): Edit {
  const nth = random.below(8);
  const choice = random.below(10);
  if (choice === 0) return { kind: 'parent', nth };
  if (choice === 1) return { kind: 'comms', nth, comms: random.chance(0.5) };
  if (choice === 2) return { kind: 'delete', nth };
  const slug = random.pick(COMMON.filter((one) => one !== 'email'));
  return { kind: 'value', nth, slug, value: anyValue(slug, random) };
}
