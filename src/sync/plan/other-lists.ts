import { type Aspect, aspectsOf, type FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import { type Base, type Pair, pairOf, saidDigest } from '../decide/base.ts';
import { type ValueVerdict } from '../decide/decide.ts';
import { flag, json, rowCodec, type RowOf } from '../../sqlite/row-codec.ts';
import type { ComparedRow } from '../journal/run-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { notTakenBack } from '../journal/undo-rows.ts';

const SAME_FILES = 'past.files = (SELECT files FROM run WHERE id = $run)';

const WORD = rowCodec({
  registration: json<Registration>('coalesce(word.ask, word.payload)'),
  verdicts: json<Record<string, ValueVerdict> | undefined>('word.verdicts'),
  isOfFiles: flag(`past.id = $run OR ${SAME_FILES}`),
  /** It said then what the row says: the files may only have another name. */
  isAlike: flag('word.row_key = $key'),
});
type Word = RowOf<typeof WORD>;

/** Pushes that are looked through for what was said of one registration. */
const MOST = 100;

type ListsContext = Pick<SendContext, 'journal' | 'run' | 'target'> & { fields: FieldsOf };

/** What other files have said of registrations that the files of a run have spoken of before. */
export class OtherLists {
  readonly #context: ListsContext;
  #hasOthers: boolean | undefined;

  constructor(context: ListsContext) {
    this.#context = context;
  }

  /**
   * Of those of some values that other files have said last, what the files of the run said before: it is held against
   * that whether these have changed them. By key of the aspect.
   */
  ownPairs(
    row: ComparedRow,
    record: RegistrationRecord,
    { base, keys, digest }: { base: Base; keys: ReadonlySet<string>; digest: (text: string) => string },
  ): ReadonlyMap<string, Pair> {
    const pairs = new Map<string, Pair>();
    if (keys.size === 0 || !this.#mayHaveOthers()) return pairs;
    const words = this.#read(row, record);
    const isKnown = words.some(({ isOfFiles }) => isOfFiles);
    const isOwn = ({ isOfFiles, isAlike }: Word): boolean => (isKnown ? isOfFiles : isAlike);
    for (const aspect of aspectsOf(row.registration, this.#context.fields)) {
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
    return aspectsOf(registration, this.#context.fields).some((aspect) => aspect.key === key);
  }

  #mayHaveOthers(): boolean {
    const { journal, run, target } = this.#context;
    this.#hasOthers ??= journal.has(
      `FROM run AS past WHERE past.service = $service AND past.event = $event AND past.kind = 'push'
         AND past.id <> $run AND NOT ${SAME_FILES} AND past.state NOT IN ('reading', 'refused')`,
      { run, service: target.service, event: target.eventId },
    );
    return this.#hasOthers;
  }

  /** Rows of pushes about a registration, newest first. */
  #read({ registration, rowKey }: ComparedRow, { id, barcode }: RegistrationRecord): Word[] {
    const { journal, run, target } = this.#context;
    return journal.read(
      WORD,
      `FROM main.row AS word CROSS JOIN run AS past ON past.id = word.run
       WHERE (word.row_key = 'b:' || $barcode OR word.remote_id = $id) AND word.op = 'send'
         AND word.state ${among(THERE)} AND (past.id <> $run OR word.state ${among(SENT)})
         AND past.service = $service AND past.event = $event AND past.kind = 'push' AND ${notTakenBack('word')}
       ORDER BY max(coalesce(word.sent_no, 0), coalesce(word.listed_no, 0)) DESC LIMIT ${MOST}`,
      {
        run,
        service: target.service,
        event: target.eventId,
        id,
        key: rowKey,
        barcode: barcode ?? registration.barcode,
      },
    );
  }
}
