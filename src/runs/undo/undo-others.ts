import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { among, CARRIED_OUT, MAY_HAVE_LANDED } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Target } from '../../sync/journal/runs.ts';
import { Lookup } from '../../sync/decide/lookup.ts';
import type { UndoneRow } from '../../sync/decide/undo-unseen.ts';

const SENT = rowCodec({
  run: value<string>('row.run'),
  seq: value<number>(),
  no: value<number>('sent_no'),
  rowKey: value<string | undefined>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
});
type Sent = RowOf<typeof SENT>;

/** What other pushes have sent after a run, in memory: the journal has no index of all that a registration can be known by. */
export class LaterSends {
  readonly #journal: Journal;
  readonly #sent = new Lookup<string, Sent>();

  constructor(journal: Journal, { service, eventId }: Target, run: string) {
    this.#journal = journal;
    const later = journal.read(
      SENT,
      `FROM row JOIN run ON run.id = row.run
       WHERE run.service = $service AND run.event = $event AND run.kind = 'push' AND run.id <> $run
         AND row.op = 'send' AND row.attempts > 0 AND row.state ${among(MAY_HAVE_LANDED)}
         AND row.sent_no > (SELECT min(sent_no) FROM row WHERE run = $run)`,
      { service, event: eventId, run },
    );
    for (const sent of later) for (const name of namesOf(sent)) this.#sent.add(name, sent);
  }

  /** The latest push that has sent the registration of a row after it, and was not undone since. */
  find(row: UndoneRow): string | undefined {
    return [...namesOf(row)]
      .flatMap((name) => this.#sent.of(name))
      .filter(({ no }) => no > row.sentNo)
      .sort((one, other) => other.no - one.no)
      .find(({ run, seq }) => undoneBy(this.#journal, run, seq) === undefined)?.run;
  }
}

/** What a registration can be known by. */
function namesOf({
  rowKey,
  barcode,
  remoteId,
}: Pick<UndoneRow, 'rowKey' | 'barcode' | 'remoteId'>): Set<string> {
  const names = [rowKey, barcode && `b:${barcode}`, remoteId && `id:${remoteId}`];
  return new Set(names.flatMap((name) => name ?? []));
}

/** The undo that has taken back what a run did with one of its rows, unless it was itself taken back. */
export function undoneBy(journal: Journal, run: string, seq: number): string | undefined {
  return journal
    .all<{ id: string }>(
      `SELECT run.id FROM run JOIN row ON row.run = run.id AND row.seq = $seq
       WHERE run.undoes = $run AND row.attempts > 0 AND row.state ${among(CARRIED_OUT)}
       ORDER BY run.started_at DESC`,
      { run, seq },
    )
    .find(({ id }) => undoneBy(journal, id, seq) === undefined)?.id;
}
