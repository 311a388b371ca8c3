import { emailOf, nameOf } from '../../sync/decide/near.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { MADE_GLOB, MADE_PREFIX } from '../../registration/reading/made-barcode.ts';
import { among, IN_DOUBT, THERE } from '../../registration/model/row-states.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Reason } from '../../registration/model/row.ts';
import type { BarcodeColumns } from './reject-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { rejectRow } from '../../sync/journal/queued-rows.ts';
import { json, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';

type GuardContext = Pick<SendContext, 'journal' | 'target' | 'event'>;

/** A person of an earlier push of the same files who was given a barcode, and whom the files have no more by it. */
const GONE_PERSON = rowCodec({
  barcode: value<string>('gone.barcode'),
  line: value<number>('gone.line'),
  registration: json<Registration>('gone.payload'),
  /** Of the newest run that has it. */
  no: value<number>('max(past.rowid) AS no'),
});
type Gone = RowOf<typeof GONE_PERSON>;

const NEW_PERSON = rowCodec({ seq: value<number>(), registration: said() });

/** More than these are no correction of a file, but another file. */
const MOST = 1000;

const PAST = `main.row AS gone CROSS JOIN main.run AS past ON past.id = gone.run
  WHERE past.service = $service AND past.event = $event AND past.kind = 'push' AND past.id <> $run
    AND past.files = (SELECT files FROM run WHERE id = $run) AND gone.op = 'send'
    AND gone.row_key >= 'b:' || $prefix AND gone.row_key < 'b:' || $prefix || 'a' AND gone.barcode GLOB $made
    AND gone.payload IS NOT NULL AND gone.state ${among([...THERE, ...IN_DOUBT])}`;
/** Not by barcodes of the files, and not deleted by this machine since. */
const GONE = `FROM ${PAST}
    AND gone.barcode NOT IN (SELECT barcode FROM row WHERE run = $run AND barcode IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM main.row AS later JOIN main.run AS then_run ON then_run.id = later.run
      WHERE later.barcode = gone.barcode AND later.op = 'delete' AND later.state = 'deleted'
        AND then_run.service = $service AND then_run.event = $event AND then_run.rowid > past.rowid)
  GROUP BY gone.barcode ORDER BY no DESC, gone.seq LIMIT ${MOST}`;
/** People who are given a barcode for the first time, or have none although somebody was given one before. */
const NEW = `FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND part = 0
    AND (barcode IS NULL OR (barcode GLOB $made AND barcode NOT IN (SELECT gone.barcode FROM ${PAST})))`;

/** A row that may be somebody who was given a barcode. */
interface Suspect {
  seq: number;
  barcode: string | undefined;
  candidates: readonly Gone[];
}

/**
 * Refuses rows that may be people who were given a barcode in an earlier push of the same files: with a mended e-mail
 * or name they would get another one, and be registered twice. Returns, by the barcode that they would get, the one that
 * they were given, where it can be one person only.
 */
export function rejectMadeTwice(
  run: string,
  columns: BarcodeColumns,
  { journal, target, event }: GuardContext,
): ReadonlyMap<string, string> {
  const own = {
    run,
    service: target.service,
    event: target.eventId,
    made: MADE_GLOB,
    prefix: MADE_PREFIX,
  };
  const gone = journal.read(GONE_PERSON, GONE, own);
  if (gone.length === 0) return new Map();
  const fields = fieldsOf(event);
  const suspects = journal.read(NEW_PERSON, NEW, own).flatMap(({ seq, registration }): Suspect[] => {
    const candidates = candidatesFor(registration, gone, fields);
    return candidates.length === 0 ? [] : [{ seq, barcode: registration.barcode, candidates }];
  });
  const same = new Map<string, string>();
  for (const { seq, barcode, candidates } of suspects) {
    const [only, another] = candidates;
    const rivals = suspects.filter((one) => one.candidates.some((candidate) => candidate === only));
    const known = another === undefined && rivals.length === 1 ? only?.barcode : undefined;
    if (known !== undefined && barcode !== undefined) same.set(barcode, known);
    const fills = { column: columns.barcode, value: known ?? '' };
    rejectRow(journal, run, seq, [{ ...toReason(candidates), fills }]);
  }
  return same;
}

/** Those with its name; without any, those of whom nothing tells it apart. */
function candidatesFor(registration: Registration, gone: readonly Gone[], fields: FieldsOf): readonly Gone[] {
  const possible = gone.filter((one) => mayBe(registration, one.registration, fields));
  const name = nameOf(registration, fields);
  const named = possible.filter((one) => name !== undefined && name === nameOf(one.registration, fields));
  return named.length > 0 ? named : possible;
}

/**
 * Whether a row has the name of a person, or neither has an e-mail: then a name alone tells nobody apart from a mended
 * one. Whoever has no barcode is found by the e-mail anyway.
 */
function mayBe(registration: Registration, gone: Registration, fields: FieldsOf): boolean {
  const hasEmail = emailOf(registration, fields) !== undefined;
  const name = nameOf(registration, fields);
  if (registration.barcode === undefined && hasEmail) return false;
  if (name !== undefined && name === nameOf(gone, fields)) return true;
  return registration.barcode !== undefined && !hasEmail && emailOf(gone, fields) === undefined;
}

/** Candidates that a reason names. */
const MOST_NAMED = 3;

function toReason(candidates: readonly Gone[]): Reason {
  const [first, another] = candidates;
  const named = candidates.slice(0, MOST_NAMED).map(({ barcode, line }) => `${barcode} (line ${line})`);
  const more = candidates.length > MOST_NAMED ? ', …' : '';
  const one = `may be the person of line ${first?.line} of an earlier push, who was given the barcode ${first?.barcode}`;
  const several = `may be one of ${candidates.length} people of an earlier push, who were given barcodes: ${named.join(', ')}${more}`;
  const that = another === undefined ? 'that barcode' : 'the right barcode';
  return {
    code: 'person-of-before',
    problem: another === undefined ? one : several,
    remedy: `write ${that} into the row, in a column called barcode, if it is, or another one if it is somebody else`,
    personal: false,
  };
}
