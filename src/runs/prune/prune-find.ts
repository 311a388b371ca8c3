import { LEFT_ALONE, type RowState } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Names } from '../delete/delete-name.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import { rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import type { Share } from '../../sync/decide/delete-guard.ts';
import { Lookup } from '../../sync/decide/lookup.ts';
import { emailOf } from '../../sync/decide/near.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** A registration that stays although the file does not have it, and why. */
export interface KeptRegistration {
  id: string;
  why: string;
}

const ROW = rowCodec({
  seq: value<number>('row.seq'),
  state: value<RowState>(),
  persona: value<string | undefined>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  parent: value<string | undefined>('parent_barcode'),
  registration: said(),
});

/** Some services list for a while what is deleted: it goes without another request. */
const LAGGING = `SELECT coalesce(row.remote_id, row.barcode) AS name FROM run CROSS JOIN main.row ON row.run = run.id
  WHERE run.service = $service AND run.event = $event
    AND row.op = 'delete' AND row.state = 'deleted' AND row.done_at > $since
    AND coalesce(row.remote_id, row.barcode) IS NOT NULL`;

type FinderContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/** What a registration that no row stands for is known by, and why it stays if it does. */
interface Pruned extends Names {
  listed: Listed;
  why?: string;
}

const nameOf = ({ id, barcode }: Names): string | undefined => id ?? barcode;

/** What the rows of a run say of whom they stand for. */
class RowsOfFile {
  readonly personas = new Set<string>();
  readonly barcodes = new Set<string>();
  readonly ids = new Set<string>();
  readonly parents = new Set<string>();
  /** Rows without a barcode stand for whoever has their address, also where that is more than one. */
  readonly sought = new Map<string, Set<string>>();
  /** To what parents rows move members, by what those are known by. */
  readonly #moves = new Lookup<string, { parent: string }>();

  constructor({ journal, run, event }: FinderContext, byEmail: boolean) {
    const fields = fieldsOf(event);
    const from = `FROM row WHERE run = $run AND op = 'send' AND seq > $after ORDER BY seq`;
    for (const row of journal.readAll(ROW, from, { run }, 'seq')) {
      const { persona, barcode, remoteId, parent } = row;
      if (persona !== undefined) this.personas.add(persona);
      if (barcode !== undefined) this.barcodes.add(barcode);
      if (remoteId !== undefined) this.ids.add(remoteId);
      if (parent !== undefined) this.#noteParent(parent, row);
      if (!byEmail || persona === undefined || barcode !== undefined) continue;
      const email = emailOf(row.registration, fields);
      if (email !== undefined) this.sought.set(persona, (this.sought.get(persona) ?? new Set()).add(email));
    }
  }

  #noteParent(parent: string, { state, barcode, remoteId }: RowOf<typeof ROW>): void {
    this.parents.add(parent);
    if (LEFT_ALONE.has(state)) return;
    this.#moves.add(barcode && `barcode ${barcode}`, { parent });
    this.#moves.add(remoteId && `id ${remoteId}`, { parent });
  }

  /** Whether a row gives somebody another parent: that one is no member any more when the deletions begin. */
  moves({ id, barcode }: Names, from: string): boolean {
    const to = [...this.#moves.of(barcode && `barcode ${barcode}`), ...this.#moves.of(id && `id ${id}`)];
    return to.some(({ parent }) => parent !== from);
  }
}

/**
 * What the service lists of the personas in a run and no row of the run stands for, by barcode, by id, or by
 * e-mail where rows are matched so.
 */
export class PruneFinder {
  readonly #rows: RowsOfFile;
  readonly #reading: ListReading;
  readonly #pruned: readonly Pruned[];

  constructor(context: FinderContext, reading: ListReading, match: 'barcode' | 'email' | 'none') {
    this.#reading = reading;
    this.#rows = new RowsOfFile(context, match === 'email');
    this.#pruned = this.#pick(laggingNames(context));
    this.#keepParents();
  }

  #pick(lagging: ReadonlySet<string>): Pruned[] {
    const { personas, barcodes, ids, sought } = this.#rows;
    const has = (names: ReadonlySet<string> | undefined, name: string | undefined): boolean =>
      name !== undefined && names?.has(name) === true;
    return [...this.#reading.listed.numbered()].flatMap((listed) => {
      const { persona, email, record } = listed;
      const { id, barcode } = record;
      if (persona === undefined || !personas.has(persona) || has(barcodes, barcode) || has(ids, id))
        return [];
      if (has(lagging, nameOf(record)) || has(sought.get(persona), email)) return [];
      return { id, barcode, listed };
    });
  }

  /** A parent that is kept may itself be a member, whose parent is kept then. */
  #keepParents(): void {
    const members = this.#readMembers();
    for (const one of this.#pruned)
      if (one.barcode !== undefined && this.#rows.parents.has(one.barcode))
        one.why = 'a row of the file names it as parent';
    for (let kept = true; kept; ) {
      kept = false;
      const going = new Set(this.going.map(nameOf));
      for (const one of this.going) {
        const stays = members.of(one.barcode).find((member) => !going.has(nameOf(member) ?? ''));
        if (stays === undefined) continue;
        one.why = `its member, registration ${nameOf(stays) ?? 'without id'}, stays`;
        kept = true;
      }
    }
  }

  /** Listed members that stay such, by the barcodes of their parents. */
  #readMembers(): Lookup<string, Names> {
    const members = new Lookup<string, Names>();
    for (const record of this.#reading.listed.all()) {
      const { parentBarcode: parent } = record;
      if (parent === undefined || parent === record.barcode || this.#rows.moves(record, parent)) continue;
      members.add(parent, record);
    }
    return members;
  }

  /** What would be deleted. */
  get going(): readonly Pruned[] {
    return this.#pruned.filter(({ why }) => why === undefined);
  }

  /** How many show too little of themselves to tell whether the file has them. */
  get hidden(): { barcodes: number; emails: number } {
    const { sought } = this.#rows;
    const hidesEmail = ({ persona = '', email }: Listed): boolean =>
      email === undefined && sought.has(persona);
    return {
      barcodes: this.#pruned.filter(({ barcode }) => barcode === undefined).length,
      emails: this.#pruned.filter(({ listed }) => hidesEmail(listed)).length,
    };
  }

  /** Of each persona in the run, how many there are, and how many would be deleted. */
  get shares(): Share[] {
    const there = countPersonas(this.#reading.listed.numbered());
    const going = countPersonas(this.going.map(({ listed }) => listed));
    return [...this.#rows.personas]
      .toSorted()
      .flatMap((persona) =>
        there.has(persona) ? { persona, there: there.get(persona) ?? 0, going: going.get(persona) ?? 0 } : [],
      );
  }

  kept(): KeptRegistration[] {
    return this.#pruned.flatMap((one) =>
      one.why === undefined ? [] : { id: nameOf(one) ?? 'without id', why: one.why },
    );
  }
}

function laggingNames({ journal, target, clock, limits }: FinderContext): Set<string> {
  const names = journal.all<{ name: string }>(LAGGING, {
    service: target.service,
    event: target.eventId,
    since: clock.now() - limits.settleMs,
  });
  return new Set(names.map(({ name }) => name));
}

/** How many of some registrations each persona has. */
export function countPersonas(all: Iterable<Listed>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { persona } of all)
    if (persona !== undefined) counts.set(persona, (counts.get(persona) ?? 0) + 1);
  return counts;
}
