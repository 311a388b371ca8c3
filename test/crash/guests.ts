import type { GuestData } from './scenarios.ts';

/** One row of the file. */
export interface Guest {
  barcode: string | undefined;
  parentBarcode: string | undefined;
  firstName: string;
  lastName: string;
  email: string;
  /** The service has it, as it is, from an earlier push: nothing is to be sent. */
  known: boolean;
}

/** The rows pushed in peace beforehand, if any, and those pushed under fire. */
export interface GuestLists {
  before: readonly Guest[];
  now: readonly Guest[];
}

/** Enough without a parent to keep sixteen requests under way. */
const GUESTS = 20;
/** Leaders by the rows of their members: one comes before all of its members, the other between them. */
const LEADER_OF: Readonly<Record<number, number>> = { 1: 0, 8: 9, 14: 9, 19: 0 };
const LEADERS = new Set(Object.values(LEADER_OF));
/** Two guests of one name and address: two people, for all that anybody knows. */
const TWIN = { of: 4, at: 11 };
/** Of the edited file: rows with new values (a leader, members, others) and rows that are new. */
const CHANGED = new Set([0, 3, 5, 8, 12, 17, 19]);
const ADDED = new Set([6, 15]);

function guest(at: number, data: GuestData): Guest {
  const leader = LEADER_OF[at];
  const coded = data !== 'few' || LEADERS.has(at);
  const likeness = !coded && at === TWIN.at ? TWIN.of : at;
  return {
    barcode: coded ? `C-${at}` : undefined,
    parentBarcode: leader === undefined ? undefined : `C-${leader}`,
    firstName: `Given${likeness}`,
    lastName: 'Family',
    email: `guest${likeness}@example.com`,
    known: false,
  };
}

/** The rows of a scenario. */
export function guestLists(data: GuestData): GuestLists {
  const guests = Array.from({ length: GUESTS }, (_, at) => guest(at, data));
  if (data !== 'edited') return { before: [], now: guests };
  return {
    before: guests.filter((_, at) => !ADDED.has(at)),
    now: guests.map((one, at) =>
      CHANGED.has(at) ? { ...one, lastName: 'Married' } : { ...one, known: !ADDED.has(at) },
    ),
  };
}

/** The file of some guests: guest n is on line n + 2. */
export function guestsAsCsv(guests: readonly Guest[]): string {
  const lines = guests.map(({ barcode = '', parentBarcode = '', firstName, lastName, email }) =>
    ['visitor', barcode, parentBarcode, firstName, lastName, email].join(','),
  );
  return ['persona,barcode,parent_barcode,First name,Last name,E-mail', ...lines, ''].join('\n');
}
