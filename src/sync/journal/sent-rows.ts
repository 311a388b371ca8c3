import type { RecordImage } from '../../registration/model/registration.ts';
import { among, MAY_BE_LISTED, MAY_HAVE_LANDED, SENT, THERE } from '../../registration/model/row-states.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { SINCE } from './doubts.ts';
import type { Journal } from './journal.ts';
import { changeRow, columns } from './row-tables.ts';
import type { Target } from './runs.ts';

/** Of an undo, what the registration was before the run that it takes back. */
const UNDONE = `(SELECT undone.before FROM run JOIN row AS undone ON undone.run = run.undoes AND undone.seq = row.seq
  WHERE run.id = $run)`;

const SENT_ROW = rowCodec({
  ...columns('seq', 'place', 'registration', 'plan', 'verdicts', 'near', 'proof', 'sentNo'),
  ...columns('remoteId', 'status', 'doneAt'),
  state: value<'done' | 'accepted'>(),
  /** As the service listed it before the row was last sent, or before what an undo takes back. */
  before: json<RecordImage | undefined>(`coalesce(${UNDONE}, latest, before)`),
  /** Of an undo, as it was before it. */
  ownBefore: json<RecordImage | undefined>(
    `CASE WHEN (SELECT kind = 'undo' FROM run WHERE id = $run) THEN coalesce(latest, before) END`,
  ),
  /** What was sent is known to the bases already, or to be noted there as it was seen. */
  isBased: flag('abs(based_no) IS sent_no'),
});

/** A row that the service is said to hold. */
export type SentRow = RowOf<typeof SENT_ROW>;

/** Rows that are said to be there, that nobody has read back since, and that no other run has sent again. */
const CLAIMED = `run = $run AND op = 'send' AND state ${among(SENT)}
  AND (checked_at IS NULL OR checked_at < done_at)
  AND NOT EXISTS (
    SELECT 1 FROM row AS later JOIN run AS its ON its.id = later.run JOIN run AS own ON own.id = $run
    WHERE later.row_key = row.row_key AND later.run <> $run AND later.op = 'send'
      AND its.service = own.service AND its.event = own.event AND later.sent_no > row.sent_no
      AND later.state ${among(MAY_HAVE_LANDED)})`;

/** Rows that are read, and written in one durable write: what is known of their values lies scattered on the disk. */
const PAGE = 5000;

/** Rows by their numbers, a page at a time: the journal may be written meanwhile. */
export function* sentRows(journal: Journal, run: string, seqs: readonly number[]): Generator<SentRow[]> {
  const from = `FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs)) ORDER BY seq`;
  for (let at = 0; at < seqs.length; at += PAGE)
    yield journal.read(SENT_ROW, from, { run, seqs: JSON.stringify(seqs.slice(at, at + PAGE)) });
}

const CLAIM = rowCodec({
  ...columns('seq', 'barcode'),
  /** When it was said to be done, in milliseconds since 1970. */
  doneAt: value<number>('coalesce(done_at, 0)'),
});
export type Claim = RowOf<typeof CLAIM>;

/** All rows to read back, by what they are looked for with. */
export const claimsOf = (journal: Journal, run: string): Claim[] =>
  journal.read(CLAIM, `FROM row WHERE ${CLAIMED} ORDER BY seq`, { run });

/** A row that is there. */
export interface SeenThere extends Pick<SentRow, 'seq' | 'state' | 'remoteId'> {
  id: string | undefined;
  /** As the service lists it, where that is not as it was sent. */
  after: RecordImage | undefined;
  differences: string | undefined;
  /** Its values are shown: what is known of them is to be noted in the bases. */
  isShown: boolean;
  /** The registration, where it is not to the letter as the row has it. */
  listed: RecordImage | undefined;
}

/** Notes that rows are there. */
export function noteSeenThere(journal: Journal, run: string, rows: readonly SeenThere[], at: number): void {
  const seqsOf = (some: readonly SeenThere[]): string => JSON.stringify(some.map(({ seq }) => seq));
  const [seqs, shown] = [seqsOf(rows), seqsOf(rows.filter(({ isShown }) => isShown))];
  const which = 'run = $run AND seq IN (SELECT value FROM json_each($seqs))';
  journal.run(
    `UPDATE operation SET checked_at = $at,
       based_no = iif(seq IN (SELECT value FROM json_each($shown)), -sent_no, based_no) WHERE ${which}`,
    { run, seqs, shown, at },
  );
  journal.run(`UPDATE sides SET after = NULL, listed = NULL, differences = NULL WHERE ${which}`, {
    run,
    seqs,
  });
  for (const { seq, state, remoteId, id, after, listed, differences } of rows) {
    if (state !== 'done') changeRow(journal, run, seq, { state: 'done' });
    if (remoteId === undefined && id !== undefined) changeRow(journal, run, seq, { remoteId: id });
    if ((after ?? listed ?? differences) !== undefined)
      changeRow(journal, run, seq, { after, listed, differences });
  }
}

/** Notes that the service does not hold a row as it said: the next plan must not take what was sent for what is held. */
export const noteNotHeld = (journal: Journal, run: string, seq: number): void =>
  changeRow(journal, run, seq, { listedNo: undefined });

const BARE_ROW = rowCodec(columns('seq', 'place', 'registration', 'hash'));
/** A row without a barcode. */
export type BareRow = RowOf<typeof BARE_ROW>;

/** Rows of a run without a barcode that were sent, or that an earlier run has found doubled. */
export const bareRows = (journal: Journal, run: string, { service, eventId }: Target): Generator<BareRow> =>
  journal.readAll(
    BARE_ROW,
    `FROM row WHERE run = $run AND op = 'send' AND barcode IS NULL AND seq > $after AND (state ${among(SENT)}
       OR (state ${among(THERE)} AND row_key IN (
         SELECT known.row_key FROM finding JOIN row AS known ON known.run = finding.run AND known.seq = finding.seq
           JOIN run ON run.id = finding.run AND run.service = $service AND run.event = $event
         WHERE finding.kind = 'doubled'))) ORDER BY seq`,
    { run, service, event: eventId },
    'seq',
  );

/** Writes which rows of a run are proven to have registered somebody new; where nothing `fits`, only what was not listed before. */
export function writeNewProof(journal: Journal, run: string, seqs: readonly number[], fits: boolean): void {
  journal.run(
    `UPDATE operation SET proof = CASE WHEN ($fits OR proof = 'unlisted')
         AND seq IN (SELECT value FROM json_each($seqs)) THEN 'new' END
     WHERE run = $run AND op = 'send' AND (proof = 'absent' OR (coalesce(proof, 'unlisted') = 'unlisted' AND checked_at IS NOT NULL))
       AND state ${among(SENT)}`,
    { run, fits: fits ? 1 : 0, seqs: JSON.stringify(seqs) },
  );
}

/** Whether another run of this machine has sent a registration, or is about to, since a step. */
export const isSentBeside = (
  journal: Journal,
  run: string,
  { id, barcode }: Pick<RecordImage, 'id' | 'barcode'>,
  step: number,
): boolean =>
  journal.has(
    `FROM row WHERE op = 'send' AND (remote_id = $id OR barcode = $barcode) AND sent_no > $step
       AND run IN (SELECT other.id FROM run AS own JOIN run AS other ON other.service = own.service
         WHERE own.id = $run AND coalesce(other.ended_at, own.started_at) >= own.started_at)`,
    { run, id, barcode, step },
  );

const OWN = rowCodec({
  ...columns('seq', 'op', 'state', 'plan', 'attempts', 'barcode'),
  /** What a row without a barcode says. */
  hash: value<string | undefined>('CASE WHEN barcode IS NULL THEN hash END'),
  id: value<string | undefined>('remote_id'),
});
/** A row of a run, and what its registration is known by. */
export type OwnRow = RowOf<typeof OWN>;

type Names = Pick<OwnRow, 'id' | 'barcode'>;

/** The rows of a run in memory, by the names of their registrations. */
export class OwnRows {
  readonly #byId = new Lookup<string, OwnRow>();
  readonly #byBarcode = new Lookup<string, OwnRow>();
  /** Those without a barcode whose registrations may be listed, by what they say. */
  readonly #byHash = new Lookup<string, OwnRow>();
  readonly #bySeq = new Map<number, OwnRow>();

  constructor(journal: Journal, run: string) {
    for (const row of journal.read(OWN, 'FROM row WHERE run = $run ORDER BY seq', { run })) {
      this.#bySeq.set(row.seq, row);
      this.#byId.add(row.id, row);
      this.#byBarcode.add(row.barcode, row);
      if (row.op === 'send' && MAY_BE_LISTED.has(row.state)) this.#byHash.add(row.hash, row);
    }
  }

  /** A row was found to stand for a registration. */
  add(id: string, seq: number): void {
    const row = this.#bySeq.get(seq);
    if (row === undefined || this.#byId.of(id).includes(row)) return;
    this.#byId.add(id, row);
  }

  /** Those about a registration, in their order. */
  about({ id, barcode }: Names): OwnRow[] {
    const found = new Set([...this.#byId.of(id), ...this.#byBarcode.of(barcode)]);
    return [...found].sort((one, other) => one.seq - other.seq);
  }

  #sentAs(id: string | undefined, seq: number): OwnRow[] {
    return this.#byId.of(id).filter((row) => row.op === 'send' && row.seq !== seq);
  }

  /** Two guests may have one address: whether a registration is that of another row than this one. */
  belongsToAnother(id: string | undefined, seq: number): boolean {
    return this.#sentAs(id, seq).length > 0;
  }

  /** Whether a row with a barcode, or one that says something else than a row, stands for a registration. */
  isOfOther({ id, barcode }: Names, seq: number): boolean {
    const hash = this.#bySeq.get(seq)?.hash;
    return (
      this.#byBarcode.of(barcode).some(({ op }) => op === 'send') ||
      this.#sentAs(id, seq).some((other) => other.barcode !== undefined || other.hash !== hash)
    );
  }

  /** How many rows without a barcode say the same, as far as their registrations may be listed. */
  countAlike(hash: string): number {
    return this.#byHash.of(hash).length;
  }

  /** Whether the run has registered somebody new under just these names. */
  hasCreated({ id, barcode }: Names): boolean {
    return this.#byId
      .of(id)
      .some((row) => row.op === 'send' && row.plan === 'create' && row.barcode === barcode);
  }
}

/** The rows of a run whose doubts are settled: what rows of other people in later runs stand for is theirs. */
export class RowsSince extends OwnRows {
  readonly #isOfLater: (id: string | undefined, seq: number) => boolean;

  constructor(journal: Journal, run: string) {
    super(journal, run);
    this.#isOfLater = (id, seq) =>
      journal.has(
        `FROM row WHERE remote_id = $id AND run <> $run AND ${SINCE} AND op = 'send'
           AND state ${among(MAY_BE_LISTED)}
           AND row_key IS NOT (SELECT row_key FROM source WHERE run = $run AND seq = $seq)`,
        { run, seq, id },
      );
  }

  override belongsToAnother(id: string | undefined, seq: number): boolean {
    return super.belongsToAnother(id, seq) || this.#isOfLater(id, seq);
  }
}
