import { aspectsOf, differs, type FieldsOf, MESSAGES } from '../../registration/changes/aspect.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { Lookup } from '../decide/lookup.ts';
import type { Session } from '../journal/send-context.ts';
import { type UnseenSend, unseenSends } from '../journal/doubts.ts';

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
    const send = namesOf(names)
      .flatMap((name) => this.#sends.of(name))
      .reduce<UnseenSend | undefined>(
        (last, one) => (last && last.sentNo > one.sentNo ? last : one),
        undefined,
      );
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
