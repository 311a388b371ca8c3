import {
  type Aspect,
  aspectsOf,
  BARCODE,
  fieldAspect,
  type FieldsOf,
  unsaidAspects,
} from '../../registration/changes/aspect.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import { isSpelling, type Known, MASK } from './decide.ts';
import { type Field, hasTrait } from '../../registration/model/persona.ts';

/**
 * What is known of one value: what the file said, and what the service was then seen to hold, each as a digest.
 * `seen` is undefined while what was sent has not been seen. `said` is `UNSAID` where no file has spoken of it.
 * `refused`: the service has twice stored otherwise what the file said. `rewritten`: it has never shown that to the
 * letter.
 */
export interface Pair {
  said: string;
  seen: string | undefined;
  refused?: true;
  rewritten?: true;
}

/** Stands for what a file said that does not have the field at all. */
export const UNSAID = '-';

/** What is known of a registration. */
export interface Base {
  /** By key of the aspect. */
  pairs: ReadonlyMap<string, Pair>;
  /** Somebody has settled that it is deleted in the service, and stays so. */
  gone: boolean;
  /** Whom the service had in the place of its person when somebody was last told so. */
  told?: string | undefined;
}

/** Whether anything of a registration was seen in the service since a file has spoken of it. */
export const wasSeen = ({ pairs }: Pick<Base, 'pairs'>): boolean =>
  [...pairs.values()].some(({ seen }) => seen !== undefined);

/** A text for a value that cannot be turned back into it. */
type Digest = (text: string) => string;

interface Sides {
  registration: Registration;
  /** As the service lists it now. */
  record: RecordImage;
  digest: Digest;
}

/** What was known of one value, as `decide` asks for it; undefined when nothing was. */
export function knownByPair({ rules }: Aspect, pair: Pair | undefined, digest: Digest): Known | undefined {
  if (pair === undefined) return undefined;
  const { said, seen, refused } = pair;
  const isSaid = (value: unknown): boolean => digest(writtenText(value)) === said;
  const canonical = (value: unknown): string => digest(canonicalValue(rules, value));
  return {
    isSaid,
    isWritten: isSaid,
    // What was sent and never seen since is there where the list has it, in either way of writing it.
    isSeen: (value) =>
      seen === undefined ? isSaid(value) || canonical(value) === said : canonical(value) === seen,
    wasSeen: seen !== undefined,
    isRefused: refused === true,
  };
}

/** What is known once the service was seen to hold a value, whatever the file says of it; `known` is what was before. */
export function pairOf(aspect: Aspect, { registration, record, digest }: Sides, known?: Pair): Pair {
  const listed = aspect.of(record);
  const written = writtenText(aspect.of(registration));
  const said = digest(written);
  const canonical = canonicalValue(aspect.rules, listed);
  const pair = { said, seen: canonical === written ? said : digest(canonical) };
  const wasShown = known?.said === said && known.seen !== undefined && known.rewritten !== true;
  const isShown = written === writtenText(listed);
  return wasShown || isShown ? pair : { ...pair, rewritten: true };
}

/** What a file says of a value, as it says it. */
export const saidDigest = ({ of }: Aspect, registration: Registration, digest: Digest): string =>
  digest(writtenText(of(registration)));

/** Whether a row says what was last said of its registration. */
export const isAsSaid = (
  registration: Registration,
  { pairs }: Pick<Base, 'pairs'>,
  { fields, digest }: { fields: FieldsOf; digest: Digest },
): boolean =>
  aspectsOf(registration, fields).every(
    (aspect) => saidDigest(aspect, registration, digest) === pairs.get(aspect.key)?.said,
  );

/** Whether a registration is listed to the letter as a row has it, and with nothing beside that. */
export const isToTheLetter = (registration: Registration, record: RecordImage, fields: FieldsOf): boolean =>
  [BARCODE, ...aspectsOf(registration, fields), ...unsaidAspects(registration.persona, fields)].every(
    ({ of }) => writtenText(of(registration)) === writtenText(of(record)),
  );

/** Adds what a registration was seen to hold in what no file has spoken of. */
export function addUnsaid(
  pairs: Map<string, Pair>,
  aspects: readonly Aspect[],
  { record, digest }: Pick<Sides, 'record' | 'digest'>,
): void {
  for (const { key, rules, of } of aspects)
    if (!pairs.has(key)) pairs.set(key, { said: UNSAID, seen: digest(canonicalValue(rules, of(record))) });
}

/** A value to the letter: a text as it is, several as a list. */
export function writtenText(value: unknown): string {
  const plain = plainValue(value) ?? '';
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

/** What a list shows of a registration, and what this machine said of its fields. */
export interface SaidOf {
  image: RecordImage;
  own: readonly Field[];
  say: (slug: string) => FieldValue | undefined;
}

/**
 * What a list shows whole. What it masks, cuts, escapes or hides has not been seen: nobody can tell whether it was changed,
 * and it is sent as it was said last, or not at all. A text may be cut that is just as long as one that was.
 */
export class Sight {
  readonly #all: () => Iterable<RecordImage>;
  readonly #cuts = new Set<number>();
  readonly #hidden = new Set<string>();
  readonly #said: (() => Iterable<SaidOf>)[];

  /** `said`: of some that are listed, what shows where texts are cut, and what is hidden; read once somebody asks. */
  constructor(all: () => Iterable<RecordImage>, said: () => Iterable<SaidOf> = () => []) {
    this.#all = all;
    this.#said = [said];
  }

  /** The same of others. */
  learnFrom(said: () => Iterable<SaidOf>): void {
    this.#said.push(said);
  }

  /** A text is cut of which more was said, where no other of its field is longer: else somebody has shortened it. */
  learn({ image, own, say }: SaidOf): void {
    for (const field of own) {
      const { slug } = field;
      const { of } = fieldAspect(slug, own);
      const shown = plainValue(of(image)) ?? '';
      if (typeof shown !== 'string' || (shown !== '' && isFormed(field)) || this.#isPart(shown, field))
        continue;
      const said = say(slug) ?? '';
      const isMore = shown === '' || (typeof said === 'string' && said.startsWith(shown));
      if (said.length <= shown.length || !isMore) continue;
      if ([...this.#all()].some((one) => (plainValue(of(one)) ?? '').length > shown.length)) continue;
      if (shown === '') this.#hidden.add(slug);
      else this.#cuts.add(shown.length);
    }
  }

  #isPart(text: string, { slug }: Pick<Field, 'slug'>): boolean {
    return text === '' ? this.#hidden.has(slug) : this.#cuts.has(text.length);
  }

  /** Whether a listed value is all that is stored. */
  isWhole(shown: unknown, field?: Pick<Field, 'kind' | 'slug'>): boolean {
    const plain = plainValue(shown) ?? '';
    const texts = typeof plain === 'string' ? [plain] : plain;
    if (texts.some((text) => CUT.test(text) || ENTITY.test(text) || MASK.test(text))) return false;
    if (field === undefined || (plain !== '' && isFormed(field))) return true;
    for (const said of this.#said.splice(0)) for (const one of said()) this.learn(one);
    return !texts.some((text) => this.#isPart(text, field));
  }

  /** Whether a registration shows something in part only that may be what was said. */
  mayBe({ of, field: slug, rules: { kind } }: Aspect, listed: RecordImage, said: Registration): boolean {
    const [part, whole] = [plainValue(of(listed)), plainValue(of(said))];
    if (typeof part !== 'string' || typeof whole !== 'string') return false;
    if (this.isWhole(part, { kind, slug })) return false;
    return whole.startsWith(part.replace(CUT, '')) || isSpelling(part, whole);
  }
}

const CUT = /(?:…|\.\.\.)\s*$/u;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
/** Of a service of which nobody has seen that it cuts anything. */
export const NOTHING_CUT = new Sight(() => []);

const isFormed = ({ kind }: Pick<Field, 'kind'>): boolean => hasTrait(kind, 'formed');
