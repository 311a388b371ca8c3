import { SWITCHES, type Switches } from '../../src/sandbox/store/switches.ts';
import { coveringRows, type Factors } from './covering-rows.ts';
import { random } from './random.ts';
import type { FileRow, ModelFile, PushStep, Scenario, StaffEntry, Step } from './scenario.ts';

const COMMANDS = ['push', 'prune', 'delete', 'undo'] as const;

/** Switches with which nothing else shows, which the table of single switches has; those of webhooks no push meets. */
const HIDE_ALL = /^(?:auth$|event$|webhook)/;

/** Values of the switches that take a number. */
const NUMBERS: Partial<Record<keyof Switches, readonly number[]>> = {
  limit: [0, 10],
  windowMs: [5000],
  perPageCap: [2, 100],
  latencyMs: [0],
  landMs: [0],
  readLagMs: [0, 2000],
};

/** Every word of every switch, and what is done with such a service. */
export function pairFactors(): Factors {
  const switches = SWITCHES.filter(({ name }) => !HIDE_ALL.test(name)).map(
    ({ name, allowed }): [string, readonly unknown[]] => [
      name,
      'min' in allowed ? (NUMBERS[name] ?? []) : allowed,
    ],
  );
  return new Map<string, readonly unknown[]>([['command', COMMANDS], ...switches]);
}

/** A scenario a row of the table: every two words meet in one of them. */
export function pairScenarios(seed: number): Scenario[] {
  return coveringRows(pairFactors(), random(seed)).map((row) => {
    const { command, ...switches } = Object.fromEntries(row);
    return { switches, staff: STAFF, steps: stepsOf(command as (typeof COMMANDS)[number]), calm: false };
  });
}

const known = {
  first_name: 'Bob',
  last_name: 'Byron',
  email: 'guest1@example.com',
  phone: '+31 20 555 0111',
  country: 'NL',
  company: 'Quay Works 11',
};

const STAFF: readonly StaffEntry[] = [
  {
    persona: 'visitor',
    barcode: 'EV-1',
    parent: '',
    comms: true,
    fields: {
      ...known,
      remarks: 'remark 11',
      photo: 'https://files.example.com/photo-11.png',
      ticket_type: 'Premium',
    },
  },
  {
    persona: 'visitor',
    barcode: 'EV-9',
    parent: 'EV-1',
    comms: false,
    fields: { ...known, first_name: 'Zoe', email: 'guest9@example.com' },
  },
  {
    persona: 'exhibitor',
    barcode: 'EV-8',
    parent: '',
    comms: false,
    fields: { ...known, email: 'guest8@example.com' },
  },
];

function row(guest: number, more: Partial<FileRow> = {}, company = `Harbour Works ${guest}1`): FileRow {
  return {
    guest,
    persona: 'visitor',
    barcode: `EV-${guest}`,
    parent: '',
    comms: false,
    ...more,
    cells: {
      first_name: 'Ada',
      last_name: 'Curie',
      email: `guest${guest}@example.com`,
      company,
      ...more.cells,
    },
  };
}

const FIRST: ModelFile = {
  columns: ['first_name', 'last_name', 'email', 'company'],
  hasBarcodes: true,
  hasParents: true,
  rows: [
    row(0, { comms: true }),
    row(1, { cells: { first_name: 'Bob', last_name: 'Byron' } }, 'Quay Works 11'),
    row(2, { parent: 'EV-0' }),
    row(3, { persona: 'exhibitor' }),
    row(4, { parent: 'EV-0' }),
  ],
};

/** A day later: names changed, the parents and two columns left out, one guest gone. */
const SECOND: ModelFile = {
  columns: ['first_name', 'email'],
  hasBarcodes: true,
  hasParents: false,
  rows: [
    row(0, { comms: true }),
    row(1, { cells: { first_name: 'Rob' } }),
    row(2, { cells: { first_name: 'Eva' } }),
    row(3, { persona: 'exhibitor', cells: { first_name: 'Ida' } }),
  ],
};

function push(file: ModelFile, ...flags: string[]): PushStep {
  return { kind: 'push', file, flags: ['--yes', ...flags], dry: false, during: undefined, kill: undefined };
}

function stepsOf(command: (typeof COMMANDS)[number]): Step[] {
  const first = push(FIRST);
  switch (command) {
    case 'prune':
      return [first, push(SECOND, '--prune', '--max-delete', '100%')];
    case 'delete':
      return [first, { kind: 'delete', barcode: 'EV-0' }];
    case 'undo':
      return [first, { ...push(SECOND), dry: true }, { kind: 'undo' }];
    default:
      return [first, { ...push(SECOND), dry: true }];
  }
}
