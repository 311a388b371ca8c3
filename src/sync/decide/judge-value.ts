import { type Aspect, isWrittenAlike, PARENT } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { canonicalValue, plainValue, sameValue } from '../../registration/changes/same-value.ts';

/** What becomes of a value that the service holds otherwise than the file has it. */
const VALUE_VERDICTS = [
  /** Only the file has changed it. */
  'send',
  /** Nothing tells who has changed it: this machine has never dealt with it. */
  'unbased',
  /** Only the service has changed it, so it stays. */
  'kept',
  /** Both have changed it, and differently. */
  'conflict',
  /** Nothing has changed since the service has twice stored it otherwise. */
  'refused',
] as const;
export type ValueVerdict = (typeof VALUE_VERDICTS)[number];

/** `same`: the service holds what the file says. `settled`: it does not, and nothing has changed since that was known. */
export type ValueJudgement = ValueVerdict | 'same' | 'settled';

interface ValueFacts {
  registration: Registration;
  /** As the service lists it now. */
  record: RecordImage;
  /** Undefined when nothing is known of the value. */
  pair: Pair | undefined;
  /** False when the service shows no parents at all. */
  parentsShown: boolean;
  digest: (text: string) => string;
}

/** Holds a value of a row against what the service lists, and both against what was known of it. */
export function judgeValue(aspect: Aspect, facts: ValueFacts): ValueJudgement {
  const { registration, record, pair, parentsShown, digest } = facts;
  const { rules, of } = aspect;
  const [wanted, listed] = [of(registration), of(record)];
  const fileChanged = pair === undefined || digest(writtenText(wanted)) !== pair.said;
  if (listed === undefined && (aspect.mayBeHidden || (aspect === PARENT && !parentsShown))) {
    // What is never shown is sent when the file says something new.
    if (aspect !== PARENT) return 'same';
    return fileChanged ? 'send' : 'settled';
  }
  if (sameValue(rules, wanted, listed)) return isRespelled(aspect, facts) ? 'send' : 'same';
  if (pair === undefined) return 'unbased';
  const serviceChanged = hasMoved(aspect, record, pair, digest);
  if (fileChanged || pair.seen === undefined) return serviceChanged ? 'conflict' : 'send';
  if (serviceChanged) return 'kept';
  return pair.refused === true ? 'refused' : 'settled';
}

/** Whether the service holds another value than it was seen to hold, or than was sent where nobody has seen it since. */
function hasMoved(
  aspect: Aspect,
  record: RecordImage,
  { said, seen }: Pair,
  digest: ValueFacts['digest'],
): boolean {
  const listed = seenDigest(aspect, record, digest);
  if (seen !== undefined) return listed !== seen;
  return listed !== said && digest(writtenText(aspect.of(record))) !== said;
}

/**
 * The row has been mended in a way that means the same, and the service has to the letter what was said before:
 * it does not write values its own way, so that the mended spelling has to be sent.
 */
function isRespelled({ rules, of }: Aspect, { registration, record, pair, digest }: ValueFacts): boolean {
  if (pair === undefined || rules.kind === 'choice') return false;
  const [wanted, listed] = [of(registration), of(record)];
  return !isWrittenAlike(wanted, listed) && digest(writtenText(listed)) === pair.said;
}

/** What is known once the service was seen to hold a value, whatever the file says of it. */
export function pairOf(
  aspect: Aspect,
  { registration, record, digest }: Pick<ValueFacts, 'registration' | 'record' | 'digest'>,
): Pair {
  return { said: saidDigest(aspect, registration, digest), seen: seenDigest(aspect, record, digest) };
}

/** What a file says of a value, as it says it. */
export function saidDigest({ of }: Aspect, registration: Registration, digest: ValueFacts['digest']): string {
  return digest(writtenText(of(registration)));
}

/** What is known of a value that no file has spoken of. */
export function unsaidPair(aspect: Aspect, record: RecordImage, digest: ValueFacts['digest']): Pair {
  return { said: UNSAID, seen: seenDigest(aspect, record, digest) };
}

/** Adds what a registration was seen to hold where no file has spoken of it; `said` are the keys of which one has. */
export function addUnsaid(
  pairs: Map<string, Pair>,
  said: ReadonlySet<string>,
  { aspects, record, digest }: { aspects: readonly Aspect[] } & Pick<ValueFacts, 'record' | 'digest'>,
): void {
  for (const aspect of aspects) {
    if (!said.has(aspect.key) && !pairs.has(aspect.key)) {
      pairs.set(aspect.key, unsaidPair(aspect, record, digest));
    }
  }
}

const seenDigest = ({ rules, of }: Aspect, record: RecordImage, digest: ValueFacts['digest']): string =>
  digest(canonicalValue(rules, of(record)));

/** A value to the letter: a text as it is, several as a list. */
export function writtenText(value: unknown): string {
  const plain = plainValue(value) ?? '';
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

/**
 * What is known of one value: what the file said, and what the service was then seen to hold, each as a digest.
 * `seen` is undefined while what was sent has not been seen. `said` is `UNSAID` where no file has spoken of it.
 * `refused`: the service has twice stored otherwise what the file said.
 */
export interface Pair {
  said: string;
  seen: string | undefined;
  refused?: true;
}

/** Stands for what a file said that does not have the field at all. */
export const UNSAID = '-';

/** What is known of a registration. */
export interface Base {
  /** By key of the aspect. */
  pairs: ReadonlyMap<string, Pair>;
  /** Somebody has settled that it is deleted in the service, and stays so. */
  gone: boolean;
}
