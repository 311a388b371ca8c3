import { lastUnanswered } from '../journal/earlier-runs.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { type FieldsOf, MESSAGES, aspectsOf, differs } from '../../registration/changes/aspect.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { type UnseenSend, unseenSends } from '../journal/doubts.ts';

/** Between two reads that both have to find nothing. */
export const SECOND_LOOK_MS = 10_000;
/** Before the second look; each further wait is so many times as long, for what is listed late is mostly listed soon. */
const FIRST_WAIT_MS = 1000;
const LONGER = 4;

type WaitContext = Pick<SendContext, 'clock' | 'reporter' | 'stopping'>;

/** Waits until a time (milliseconds since 1970), and says so. Throws at once on Ctrl-C. */
export async function waitUntil({ clock, reporter, stopping }: WaitContext, untilMs: number): Promise<void> {
  reporter.report({ type: 'waiting', untilMs, why: 'retry', budget: undefined });
  await clock.sleep(untilMs - clock.now(), stopping);
}

/** What a look has seen, and until when what it left open may still show; undefined: it left nothing open. */
interface Look {
  openUntilMs: number | undefined;
}

/**
 * Looks, and looks again after waits that grow, until a look leaves nothing open or nothing can land or be listed late
 * any more; then looks once more, the last time. Never waits longer than a whole settle time from the first look,
 * whatever the clock has done since; what the last look is the first to miss is looked for once more. Returns what the
 * last look has seen; each is told of the one before.
 */
export async function lookUntil<Seen extends Look>(
  context: WaitContext & Pick<SendContext, 'limits'>,
  look: (isLast: boolean, before?: Seen) => Promise<Seen>,
): Promise<Seen> {
  const { settleMs } = context.limits;
  const seen = await lookFor(context, look, { leastMs: SECOND_LOOK_MS, mostMs: settleMs });
  if (seen.openUntilMs === undefined || settleMs === 0) return seen;
  await waitUntil(context, context.clock.now() + SECOND_LOOK_MS);
  return await look(true, seen);
}

async function lookFor<Seen extends Look>(
  context: WaitContext,
  look: (isLast: boolean, before?: Seen) => Promise<Seen>,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): Promise<Seen> {
  const { clock } = context;
  let isLast = mostMs === 0;
  let seen = await look(isLast);
  const beganMs = clock.now();
  for (let waitMs = FIRST_WAIT_MS; seen.openUntilMs !== undefined && !isLast; waitMs *= LONGER) {
    const longestMs = Math.max(leastMs, Math.min(seen.openUntilMs - beganMs, mostMs));
    isLast = clock.now() + waitMs >= beganMs + longestMs;
    await waitUntil(context, isLast ? beganMs + longestMs : clock.now() + waitMs);
    seen = await look(isLast, seen);
  }
  return seen;
}

/** Reads again and again until it is enough, or for so long. Throws what reading throws, and the reason on Ctrl-C. */
export async function readUntil<Reading>(
  context: WaitContext,
  forMs: number,
  read: () => Promise<Reading>,
  isEnough: (reading: Reading) => boolean,
): Promise<Reading> {
  const look = async (): Promise<Look & { reading: Reading }> => {
    const reading = await read();
    return { reading, openUntilMs: isEnough(reading) ? undefined : Number.POSITIVE_INFINITY };
  };
  return (await lookFor(context, look, { leastMs: 0, mostMs: forMs })).reading;
}

/** Waits until no request can land any more to which an earlier run got no answer: it would put old values over new ones. */
export async function waitForLate(
  context: WaitContext & Pick<SendContext, 'journal' | 'target' | 'limits'>,
): Promise<void> {
  const { journal, target } = context;
  await waitToSettle(context, lastUnanswered(journal, target) ?? Number.NEGATIVE_INFINITY);
}

/** Waits until nothing that was sent at a moment can land any more. */
export async function waitToSettle(
  context: WaitContext & Pick<SendContext, 'limits'>,
  sentAt: number,
): Promise<void> {
  const now = context.clock.now();
  const untilMs = Math.min(sentAt, now) + context.limits.settleMs;
  if (untilMs > now) await waitUntil(context, untilMs);
}

/** What a registration, or the row that stands for it, is known by. */
type Names = Pick<RecordImage, 'id' | 'barcode'> & { rowKey?: string | undefined };

/**
 * What this machine has sent so lately that a list need not show it yet, and that nobody has seen since. What is listed
 * as it was before that is late; what is listed otherwise, somebody has changed.
 */
export class LateSends {
  readonly #sends = new Lookup<string, UnseenSend>();
  readonly #settleMs: number;
  readonly #now: number;

  constructor({ journal, target, clock, limits }: Session) {
    this.#settleMs = limits.settleMs;
    this.#now = clock.now();
    const sends = limits.settleMs === 0 ? [] : unseenSends(journal, target, this.#now - limits.settleMs);
    for (const send of sends) for (const name of namesOf(send)) this.#sends.add(name, send);
  }

  /** Until when a registration may be listed late, in milliseconds since 1970; undefined: it is listed as it is. */
  untilMs(names: Names, record: RegistrationRecord | undefined, fields: FieldsOf): number | undefined {
    const [send] = namesOf(names)
      .flatMap((name) => this.#sends.of(name))
      .toSorted((one, other) => other.sentNo - one.sentNo);
    if (send === undefined || !isAsBefore(send, record, fields)) return undefined;
    const untilMs = send.doneAt + this.#settleMs;
    return untilMs > this.#now ? untilMs : undefined;
  }
}

const namesOf = ({ id, barcode, rowKey }: Names): string[] => [
  ...(rowKey === undefined ? [] : [`k:${rowKey}`]),
  ...(id === undefined ? [] : [`i:${id}`]),
  ...(barcode === undefined ? [] : [`b:${barcode}`]),
];

/** Whether all that was to change is listed as it was before. */
function isAsBefore(
  { registration, before }: UnseenSend,
  record: RegistrationRecord | undefined,
  fields: FieldsOf,
): boolean {
  if (record === undefined || before === undefined) return record === undefined;
  const changed = aspectsOf(registration, fields).filter(
    (aspect) => aspect !== MESSAGES && differs(aspect, registration, before),
  );
  return changed.length > 0 && changed.every((aspect) => !differs(aspect, before, record));
}
