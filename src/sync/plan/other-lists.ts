import { type Aspect, aspectsOf, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { type Base, type Pair, pairOf, saidDigest } from '../decide/base.ts';
import { hasOtherFiles } from '../journal/earlier-runs.ts';
import { type Word, wordsAbout } from '../journal/earlier-words.ts';
import type { Session } from '../journal/send-context.ts';
import type { ComparedRow } from './rows-to-plan.ts';

/** What other files have said of registrations that the files of a push have spoken of before. */
export class OtherLists {
  readonly #context: Session;
  readonly #files: readonly string[];
  readonly #fields: FieldsOf;
  #hasOthers: boolean | undefined;

  constructor(context: Session, files: readonly string[]) {
    this.#context = context;
    this.#files = files;
    this.#fields = fieldsOf(context.event);
  }

  /**
   * Of those of some values that other files have said last, what these files said before: it is held against that
   * whether they have changed them. By key of the aspect.
   */
  ownPairs(
    { registration, rowKey }: ComparedRow,
    record: RegistrationRecord,
    { base, keys, digest }: { base: Base; keys: ReadonlySet<string>; digest: (text: string) => string },
  ): ReadonlyMap<string, Pair> {
    const { journal, target } = this.#context;
    const files = this.#files;
    const pairs = new Map<string, Pair>();
    if (keys.size === 0 || !(this.#hasOthers ??= hasOtherFiles(journal, target, files))) return pairs;
    const { id, barcode = registration.barcode } = record;
    const words = wordsAbout(journal, target, { files, key: rowKey, id, barcode });
    const isKnown = words.some(({ isOfFiles }) => isOfFiles);
    const isOwn = ({ isOfFiles, isAlike }: Word): boolean => (isKnown ? isOfFiles : isAlike);
    for (const aspect of aspectsOf(registration, this.#fields)) {
      if (!keys.has(aspect.key)) continue;
      const said = words.filter((word) => this.#speaksOf(aspect, word));
      const [last] = said;
      const own = said.find(isOwn)?.registration;
      if (last === undefined || own === undefined || isOwn(last)) continue;
      if (saidDigest(aspect, last.registration, digest) !== base.pairs.get(aspect.key)?.said) continue;
      pairs.set(aspect.key, pairOf(aspect, { registration: own, record: own, digest }));
    }
    return pairs;
  }

  /** What was kept or in conflict then was not said to the service. */
  #speaksOf({ key }: Aspect, { registration, verdicts }: Word): boolean {
    const verdict = verdicts?.[key];
    if (verdict === 'kept' || verdict === 'conflict') return false;
    return aspectsOf(registration, this.#fields).some((aspect) => aspect.key === key);
  }
}
