import { type Aspect, isWrittenAlike, PARENT } from '../../registration/changes/aspect.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import { plainValue, sameValue } from '../../registration/changes/same-value.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';

type Image = Registration | RecordImage;

/** What becomes of a value that the service holds otherwise than is wanted. */
const VALUE_VERDICTS = [
  /** Only what is wanted has changed. */
  'send',
  /** Nothing tells who has changed it: nothing is known of it from before. */
  'unbased',
  /** Only the service has changed it, so it stays. */
  'kept',
  /** Both have changed it, and differently. */
  'conflict',
  /** Nothing has changed since the service has twice stored it otherwise. */
  'refused',
] as const;
export type ValueVerdict = (typeof VALUE_VERDICTS)[number];

/** `same`: the service holds what is wanted. `settled`: it does not, and nothing has changed since that was known. */
export type ValueDecision = ValueVerdict | 'same' | 'settled';

/** What was known of one value when it was wanted. */
export interface Known {
  /** What was wanted then. */
  isSaid: (value: unknown) => boolean;
  /** What was wanted then, to the letter; undefined where that is not known. */
  isWritten?: (value: unknown) => boolean;
  /** What the service was seen to hold then, however it is written; what was sent, where nobody has seen it since. */
  isSeen: (value: unknown) => boolean;
  wasSeen: boolean;
  isRefused: boolean;
}

/** What was known of a registration when it was wanted, value by value. */
export type Had = (aspect: Aspect) => Known | undefined;

/**
 * Shall one registration be made what it is wanted to be? `want` is what shall be there, `have` what the service lists
 * now, `had` what was there when `want` was stated; undefined: nobody.
 */
export interface Question {
  want: Image | undefined;
  have: RecordImage | undefined;
  had: Had | undefined;
  /** What is asked about. */
  aspects: readonly Aspect[];
  /** False when the service shows no parents at all. */
  parentsShown?: boolean;
}

export interface Decision {
  action: /** It is as it is wanted. */
    | 'same'
    /** Some values are to be sent: only `want` has changed them. */
    | 'put'
    | 'create'
    | 'delete'
    /** Others have changed what `want` has not. */
    | 'kept'
    /** Both have changed something. */
    | 'conflict'
    /** It was there, and is not any more. */
    | 'gone'
    /** The service does not show its values. */
    | 'unsure';
  values: readonly { aspect: Aspect; decision: ValueDecision }[];
}

/**
 * The one question of a plan, of an answer that was lost, of a look at what was sent, of an undo and of a deletion:
 * value by value, who has changed it since `had`.
 */
export function decide({ want, have, had, aspects, parentsShown = true }: Question): Decision {
  if (have === undefined) return bare(want === undefined ? 'same' : had === undefined ? 'create' : 'gone');
  if (have.fields === undefined) return bare('unsure');
  const values = aspects.map((aspect) => {
    const known = had?.(aspect);
    const decision =
      want === undefined
        ? mayGo(aspect, { have, known, parentsShown })
        : decideValue(aspect, { want, have, known, parentsShown });
    return { aspect, decision };
  });
  const has = (...wanted: ValueDecision[]): boolean =>
    values.some(({ decision }) => wanted.includes(decision));
  if (has('conflict')) return { action: 'conflict', values };
  if (want === undefined) return { action: 'delete', values };
  if (has('send', 'unbased')) return { action: 'put', values };
  return { action: has('kept') ? 'kept' : 'same', values };
}

const bare = (action: Decision['action']): Decision => ({ action, values: [] });

interface Sides {
  want: Image;
  have: RecordImage;
  /** Undefined when nothing is known of the value. */
  known: Known | undefined;
  parentsShown: boolean;
}

/** Whether nothing of a registration that is to go was changed since that was said. */
function mayGo(aspect: Aspect, { have, known, parentsShown }: Omit<Sides, 'want'>): 'send' | 'conflict' {
  const listed = aspect.of(have);
  return isHidden(aspect, listed, parentsShown) || known?.isSeen(listed) === true ? 'send' : 'conflict';
}

const isHidden = (aspect: Aspect, listed: unknown, parentsShown: boolean): boolean =>
  listed === undefined && (aspect.mayBeHidden || (aspect === PARENT && !parentsShown));

/** Holds one value that is wanted against what the service lists, and both against what was known of it. */
export function decideValue(aspect: Aspect, sides: Sides): ValueDecision {
  const { want, have, known, parentsShown } = sides;
  const { rules, of } = aspect;
  const [wanted, listed] = [of(want), of(have)];
  const isNew = known?.isSaid(wanted) !== true;
  if (isHidden(aspect, listed, parentsShown)) {
    // What is never shown is sent when something new is said of it.
    if (aspect !== PARENT) return 'same';
    return isNew ? 'send' : 'settled';
  }
  if (sameValue(rules, wanted, listed)) return isRespelled(aspect, sides) ? 'send' : 'same';
  if (known === undefined) return 'unbased';
  const hasMoved = !known.isSeen(listed);
  // What nobody has seen since it was sent may be there in the service's own way of writing it.
  if (!isNew && !known.wasSeen && isSpelt(aspect, want, have)) return 'settled';
  if (isNew || !known.wasSeen) return hasMoved ? 'conflict' : 'send';
  if (hasMoved) return 'kept';
  return known.isRefused ? 'refused' : 'settled';
}

/**
 * What is wanted has been mended in a way that means the same, and the service has to the letter what was said before:
 * it does not write values its own way, so that the mended spelling has to be sent.
 */
function isRespelled({ rules, of }: Aspect, { want, have, known }: Sides): boolean {
  if (rules.kind === 'choice') return false;
  return !isWrittenAlike(of(want), of(have)) && known?.isWritten?.(of(have)) === true;
}

/** What was there, as it was listed or sent. */
export function knownByImage(image: Image): Had {
  return ({ rules, of }) => {
    const isSame = (value: unknown): boolean => sameValue(rules, of(image), value);
    return { isSaid: isSame, isSeen: isSame, wasSeen: true, isRefused: false };
  };
}

/** Whether a service that takes a change may list the old value: it writes its own way, keeps a part, or does not empty. */
export function mayStay({ field, before, after }: FieldChange): boolean {
  // That messages are wanted need not be kept.
  if (field === 'enable_comms' || isSpelling(before, after)) return true;
  const wanted = textsOf(after, folded);
  return (
    wanted.length === 0 ||
    textsOf(before, folded).every((part) => wanted.some((text) => text.startsWith(part)))
  );
}

/** Whether a listed value differs in nothing but spelling, case, spaces, order of a list, a time of zero, or masked signs. */
export function isSpelling(listed: FieldValue | undefined, other: FieldValue | undefined): boolean {
  const [texts, others] = [textsOf(listed, spelt), textsOf(other, spelt)];
  if (texts.length === 0 || texts.length !== others.length) return false;
  return texts.every((text, at) => text === others[at] || isMaskOf(text, others[at] ?? ''));
}

/** Whether the service lists a value of a registration as what was sent of it, but for spelling. */
export const isSpelt = ({ of }: Aspect, sent: RecordImage | Registration, listed: RecordImage): boolean =>
  isSpelling(plainValue(of(listed)), plainValue(of(sent)));

/** A text of which signs are masked. */
export const MASK = /[*•●]{3}|^\s*[•●]+\s*$/u;

function isMaskOf(text: string, whole: string): boolean {
  const parts = text.split(/[*•●]+/u).map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`));
  return MASK.test(text) && new RegExp(`^${parts.join('.+')}$`, 's').test(whole);
}

function textsOf(value: FieldValue | undefined, form: (text: string) => string): string[] {
  const texts = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return texts
    .map(form)
    .filter((text) => text !== '')
    .sort();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi;
const ZERO_TIME = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00)?(?:\.0+)?(?:Z|\+00:?00)?$/i;

/** One text for all spellings of it: no letter, digit or sign is lost. */
function spelt(text: string): string {
  return text
    .replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) =>
      name === undefined
        ? String.fromCodePoint(Number(decimal ?? `0x${hex}`))
        : (NAMED[name.toLowerCase()] ?? entity),
    )
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/[‐-―]/gu, '-')
    .trim()
    .replace(ZERO_TIME, '$1')
    .replace(/\s/gu, '');
}

/** Letters and digits alone, whatever their case and accents. */
function folded(text: string): string {
  const letters = spelt(text).normalize('NFKD');
  const plain = letters.replace(/[^\p{L}\p{N}]/gu, '');
  // Signs alone, such as a "+", are told apart as they are.
  return plain === '' ? letters : plain;
}
