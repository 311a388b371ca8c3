import {
  type Aspect,
  BARCODE,
  fieldAspect,
  type FieldsOf,
  MESSAGES,
  PARENT,
  PERSONA,
} from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { hashOf, type RecordImage, type Registration } from '../../registration/model/registration.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import { personOf } from '../../sync/decide/judge-person.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { toldOfEvent } from '../../sync/journal/told-rows.ts';
import { type Base, type Pair, writtenText } from '../../sync/decide/base.ts';
import { maskRegistration } from '../mask/mask-registration.ts';
import type { Masker } from '../mask/masker.ts';

type Holder = Registration | RecordImage;
type Names = Parameters<BaseStore['write']>[0];

const AROUND: readonly Aspect[] = [PERSONA, PARENT, BARCODE, MESSAGES];

/**
 * What is known here of the values of registrations, as digests of the masked ones. A digest is turned where the
 * value is at hand behind it: in what is listed, and in what earlier pushes sent. Any other stays, and tells no more than
 * that the value is another one.
 */
export class MaskedBases {
  readonly #bases: BaseStore;
  /** By which the masked ones are digested. */
  readonly #clones: BaseStore;
  readonly #fields: FieldsOf;
  readonly #masker: Masker;
  readonly #sent: ReadonlyMap<string, readonly Registration[]>;
  readonly #found: { names: Names; base: Base }[] = [];

  constructor(
    { memory, journal }: Record<'memory' | 'journal', Journal>,
    from: { service: string; eventId: string },
    event: EventInfo,
    masker: Masker,
  ) {
    this.#bases = new BaseStore(memory, from, event.endDate);
    this.#clones = new BaseStore(journal, from, event.endDate);
    this.#fields = fieldsOf(event);
    this.#masker = masker;
    this.#sent = this.#bases.isEmpty ? new Map() : readSent(memory, from);
  }

  /** What was found is void. */
  clear(): void {
    this.#found.length = 0;
  }

  /** Looks for what is known of a listed registration. `masked` is how the clone lists it. */
  add(record: RecordImage, masked: RecordImage): void {
    const { id } = record;
    // Of a service that shows no barcodes they are known by what was sent.
    const barcode = record.barcode ?? this.#sent.get(id ?? '')?.find((one) => one.barcode)?.barcode;
    const base = this.#bases.read({ barcode, id });
    if (base === undefined) return;
    const sent = [barcode, id].flatMap((name) => (name === undefined ? [] : (this.#sent.get(name) ?? [])));
    const twins: [Holder, Holder][] = [
      [record, masked],
      ...sent.map((registration): [Holder, Holder] => [
        registration,
        maskRegistration(this.#masker, this.#fields, registration),
      ]),
    ];
    const own = this.#fields(record.persona ?? '');
    const pairs = [...base.pairs].map(([key, pair]): [string, Pair] => {
      const aspect = AROUND.find((one) => one.key === key) ?? fieldAspect(key, own);
      return [key, this.#maskPair(aspect, pair, twins)];
    });
    this.#found.push({
      names: {
        barcode: barcode && this.#masker.barcode(barcode),
        id: masked.id,
        files: base.files[0],
        ...personOf({ persona: masked.persona ?? '', fields: masked.fields ?? {} }, this.#fields),
      },
      base: { pairs: new Map(pairs), gone: base.gone },
    });
  }

  /** Writes all that was found, as bases of another service. Call it in a transaction. */
  write(to: BaseStore, now: number): void {
    for (const { names, base } of this.#found) to.write(names, base, now);
  }

  #maskPair({ of, rules }: Aspect, pair: Pair, twins: readonly [Holder, Holder][]): Pair {
    const turn = (digest: string, textOf: (holder: Holder) => string): string => {
      const twin = twins.find(([plain]) => this.#bases.digest(textOf(plain)) === digest);
      return twin === undefined ? digest : this.#clones.digest(textOf(twin[1]));
    };
    return {
      ...pair,
      said: turn(pair.said, (holder) => writtenText(of(holder))),
      seen: pair.seen && turn(pair.seen, (holder) => canonicalValue(rules, of(holder))),
    };
  }
}

/** What earlier runs sent, each once, by its barcode and by the id that it has. */
function readSent(journal: Journal, from: { service: string; eventId: string }): Map<string, Registration[]> {
  const sent = new Map<string, Map<string, Registration>>();
  for (const { barcode, remoteId, sent: registration } of toldOfEvent(journal, from)) {
    if (registration === undefined) continue;
    const hash = hashOf(registration);
    for (const name of new Set([barcode, remoteId])) {
      if (name !== undefined) sent.set(name, (sent.get(name) ?? new Map()).set(hash, registration));
    }
  }
  return new Map([...sent].map(([name, each]) => [name, [...each.values()]]));
}
