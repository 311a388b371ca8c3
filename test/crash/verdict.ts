import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Guest } from './guests.ts';

/** What is known once a push has been killed, resumed to its end, and run once more. */
export interface Evidence {
  /** Guest n is on line n + 2 of the file. */
  guests: readonly Guest[];
  /** What the service holds. */
  registrations: readonly SandboxRegistration[];
  /** What the service was asked by the pushes until then, oldest first. */
  requests: readonly RequestLogEntry[];
  /** The push that was left alone. */
  resumed: EndedPush;
  /** The same push once more, and the requests that it made. */
  again: EndedPush & { requests: readonly RequestLogEntry[] };
}

export interface EndedPush {
  code: number | undefined;
  out: string;
  err: string;
}

export interface Verdict {
  /** Rows that are neither in the service as the file has them nor listed as uncertain. */
  lost: number;
  /** Registrations too many. */
  doubled: number;
  /** Rows that the program says it is not certain of. */
  uncertain: number;
  /** Everything that must not be, in words. */
  violations: string[];
}

/** The part of the program's summary that is held against the service. */
interface Summary {
  sent: number;
  unchanged: number;
  uncertain: number;
  problems: { place: string; state: string }[];
}

/** Holds what the program says against what the service has and was asked. */
export function judge({ guests, registrations, requests, resumed, again }: Evidence): Verdict {
  const violations: string[] = [];
  const summary = readSummary(resumed.out);
  if (summary === undefined) violations.push(`the resumed push gave no summary; ${describeEnd(resumed)}`);
  const uncertainLines = linesInDoubt(summary);
  const lost = countLost(guests, registrations, uncertainLines, violations);
  const doubled = countDoubled(guests, registrations, violations);
  violations.push(...sentInVain(guests, requests));
  if (summary !== undefined) violations.push(...wrongClaims(guests, summary, uncertainLines, resumed.code));
  const late = posts(again.requests).map(({ body }) => body);
  if (late.length > 0) violations.push(`the same push once more sent: ${late.join(' ')}`);
  if (again.code !== resumed.code) {
    violations.push(`the same push once more ended otherwise than before; ${describeEnd(again)}`);
  }
  return { lost, doubled, uncertain: uncertainLines.size, violations };
}

function describeEnd({ code, err }: EndedPush): string {
  return `it ended with ${code ?? 'a signal'}: ${err.trim() || 'nothing said'}`;
}

function readSummary(out: string): Summary | undefined {
  try {
    const document = JSON.parse(out) as Partial<Summary>;
    // A command that has failed before says only why.
    return Array.isArray(document.problems) ? (document as Summary) : undefined;
  } catch {
    return undefined;
  }
}

function linesInDoubt(summary: Summary | undefined): Set<number> {
  const doubtful = (summary?.problems ?? []).filter(({ state }) => state === 'uncertain');
  return new Set(doubtful.map(({ place }) => Number(/:(\d+)$/.exec(place)?.[1])));
}

/** Rows of one key are alike: nothing but their number says whether all of them are there. */
function countLost(
  guests: readonly Guest[],
  registrations: readonly SandboxRegistration[],
  uncertainLines: ReadonlySet<number>,
  violations: string[],
): number {
  let lost = 0;
  for (const [content, alike] of groupBy([...guests.entries()], ([, guest]) => contentOfGuest(guest))) {
    const there = registrations.filter((one) => contentOfRegistration(one) === content).length;
    const listed = alike.filter(([at, { barcode }]) => barcode === undefined && uncertainLines.has(at + 2));
    const missing = Math.max(0, alike.length - there - listed.length);
    if (missing > 0) violations.push(`lost: ${missing} of ${content}`);
    lost += missing;
  }
  return lost;
}

function countDoubled(
  guests: readonly Guest[],
  registrations: readonly SandboxRegistration[],
  violations: string[],
): number {
  let doubled = 0;
  const wanted = groupBy(guests, keyOfGuest);
  for (const [key, copies] of groupBy(registrations, keyOfRegistration)) {
    const tooMany = copies.length - (wanted.get(key)?.length ?? 0);
    if (tooMany > 0) violations.push(`doubled: ${tooMany} too many of ${key}`);
    doubled += Math.max(0, tooMany);
  }
  return doubled;
}

/** A service that updates or ignores hides what was sent twice; its log does not. */
function sentInVain(guests: readonly Guest[], requests: readonly RequestLogEntry[]): string[] {
  const found: string[] = [];
  const open = new Map([...groupBy(guests, keyOfGuest)].map(([key, alike]) => [key, alike.length]));
  for (const { barcode, known } of guests) if (known && barcode !== undefined) open.set(barcode, 0);
  for (const { body = '', status } of posts(requests)) {
    const key = keyOfBody(body);
    const left = open.get(key) ?? 0;
    if (left <= 0) found.push(`sent although the service had it: ${key}`);
    if (status >= 200 && status < 300) open.set(key, left - 1);
  }
  return found;
}

function wrongClaims(
  guests: readonly Guest[],
  { sent, unchanged, uncertain, problems }: Summary,
  uncertainLines: ReadonlySet<number>,
  code: number | undefined,
): string[] {
  const found: string[] = [];
  const expected = uncertain > 0 ? 5 : 0;
  if (code !== expected) found.push(`the resumed push ended with ${code}, not ${expected}`);
  const others = problems.filter(({ state }) => state !== 'uncertain');
  if (others.length > 0) found.push(`rows with problems: ${JSON.stringify(others)}`);
  if (uncertainLines.size !== uncertain) found.push(`${uncertain} uncertain, ${uncertainLines.size} listed`);
  const coded = [...uncertainLines].filter((line) => guests[line - 2]?.barcode !== undefined);
  if (coded.length > 0) found.push(`uncertain in spite of a barcode: lines ${coded.join(', ')}`);
  if (sent + unchanged + uncertain !== guests.length) {
    found.push(`${sent} sent, ${unchanged} unchanged and ${uncertain} uncertain are not ${guests.length}`);
  }
  return found;
}

const posts = (requests: readonly RequestLogEntry[]): RequestLogEntry[] =>
  requests.filter(({ method }) => method === 'POST');

/** Which registration of the service a row is: the barcode says so, else everything it holds. */
function keyOfGuest(guest: Guest): string {
  return guest.barcode ?? contentOfGuest(guest);
}

function keyOfRegistration(one: SandboxRegistration): string {
  return one.barcodeGenerated ? contentOfRegistration(one) : one.barcode;
}

function keyOfBody(text: string): string {
  const { barcode, parent_barcode, fields } = JSON.parse(text) as {
    barcode?: string;
    parent_barcode?: string;
    fields: Record<string, unknown>;
  };
  return barcode ?? content(barcode, parent_barcode, fields);
}

function contentOfGuest({ barcode, parentBarcode, firstName, lastName, email }: Guest): string {
  return content(barcode, parentBarcode, { first_name: firstName, last_name: lastName, email });
}

function contentOfRegistration({
  barcode,
  barcodeGenerated,
  parentBarcode,
  fields,
}: SandboxRegistration): string {
  return content(barcodeGenerated ? undefined : barcode, parentBarcode, fields);
}

function content(
  barcode: string | undefined,
  parentBarcode: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): string {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([barcode ?? null, parentBarcode ?? null, ...sorted]);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
