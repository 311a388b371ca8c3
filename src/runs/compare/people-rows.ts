import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { flag, rowCodec, said, value } from '../../sqlite/row-codec.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { emailOf, foldBarcode } from '../../sync/decide/near.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import { Lookup } from '../../sync/decide/lookup.ts';

const ROW = rowCodec({
  seq: value<number>(),
  depth: value<number>('coalesce(depth, 0)'),
  registration: said(),
  remoteId: value<string | undefined>(),
  state: value<RowState>(),
  /** `plan` tells those that an earlier plan has made something else of. */
  mayBeNew: flag(`state = 'pending' AND barcode IS NOT NULL AND remote_id IS NULL
    AND (plan IS NULL OR plan = 'create')`),
});

/** What a row of a run may be known by. */
export interface PersonRow {
  readonly seq: number;
  readonly depth: number;
  readonly email: string | undefined;
  readonly barcode: string | undefined;
  readonly remoteId: string | undefined;
  readonly state: RowState;
  /** It has a barcode, and nothing is known of it. */
  readonly mayBeNew: boolean;
}

/** The rows of a run by what they may be known by, and the registrations that they stand for, in memory. */
export class PeopleRows {
  /** In their order. */
  readonly all: readonly PersonRow[];
  readonly #bySeq = new Map<number, PersonRow>();
  readonly #byEmail = new Lookup<string, PersonRow>();
  readonly #byFolded = new Lookup<string, PersonRow>();
  readonly #owners = new Map<Listed, number>();
  readonly #owned = new Lookup<number, Listed>();

  constructor(journal: Journal, run: string, fields: FieldsOf) {
    this.all = [...readRows(journal, run, fields)];
    for (const row of this.all) this.#bySeq.set(row.seq, row);
    for (const row of this.all.toSorted(inSendingOrder)) {
      this.#byEmail.add(row.email, row);
      this.#byFolded.add(row.barcode && foldBarcode(row.barcode), row);
    }
  }

  bySeq(seq: number): PersonRow | undefined {
    return this.#bySeq.get(seq);
  }

  /** In the order in which they are sent, as what follows. */
  withEmail(email: string | undefined): readonly PersonRow[] {
    return this.#byEmail.of(email);
  }

  /** Those with a barcode but for its case. */
  withFolded(barcode: string | undefined): readonly PersonRow[] {
    return this.#byFolded.of(barcode && foldBarcode(barcode));
  }

  /** From now on a row stands for a registration, unless another one does. */
  take(listed: Listed, seq: number): void {
    if (this.#owners.has(listed)) return;
    this.#owners.set(listed, seq);
    this.#owned.add(seq, listed);
  }

  /** The number of the row that stands for a registration. */
  ownerOf(listed: Listed): number | undefined {
    return this.#owners.get(listed);
  }

  readonly isOwned = (listed: Listed): boolean => this.#owners.has(listed);

  /** What a row stands for, in the order of the list: several may have its barcode. */
  ownedBy(seq: number): readonly Listed[] {
    return this.#owned.of(seq).toSorted((one, other) => one.no - other.no);
  }

  /** Whether a row stands for no registration yet. */
  readonly isFree = ({ seq }: Pick<PersonRow, 'seq'>): boolean => this.#owned.of(seq).length === 0;
}

function* readRows(journal: Journal, run: string, fields: FieldsOf): Generator<PersonRow> {
  const from = `FROM row WHERE run = $run AND op = 'send' AND state <> 'rejected' AND seq > $after ORDER BY seq`;
  for (const { registration, ...row } of journal.readAll(ROW, from, { run }, 'seq'))
    yield { ...row, email: emailOf(registration, fields), barcode: registration.barcode };
}

export const inSendingOrder = (one: PersonRow, other: PersonRow): number =>
  one.depth - other.depth || one.seq - other.seq;
