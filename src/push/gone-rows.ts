import type { FieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../registration/registration.ts';
import type { HeldReading } from './held.ts';
import { emailOf, hasName } from './match-email.ts';
import type { SendContext } from './send-context.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';

/** A row of the last push of the same files that they no longer have, while its registration is still there. */
export interface GoneRow {
  place: string;
  email: string | undefined;
  registration: Registration;
  /** Undefined when the service shows no ids. */
  record: RegistrationRecord | undefined;
}

type GoneContext = Pick<SendContext, 'journal' | 'run' | 'target'> & { fields: FieldsOf };

/** More than these are no correction of a file, but another file. */
const MOST = 1000;

/** The latest push of the same files before this one. */
const LAST = `SELECT past.id FROM run AS past JOIN run AS own ON own.id = $run
  WHERE past.service = $service AND past.event = $event AND past.kind = 'push' AND past.files = own.files
    AND past.id <> own.id AND past.state NOT IN ('reading', 'refused')
    AND EXISTS (SELECT 1 FROM row WHERE row.run = past.id)
  ORDER BY past.started_at DESC, past.rowid DESC LIMIT 1`;

/** Rows without a barcode that the last push of the same files had, and whose registration nobody stands for now. */
export function readGoneRows({ journal, run, target, fields }: GoneContext, reading: HeldReading): GoneRow[] {
  return journal
    .all<StoredPlace & { payload: string; remote_id: string | null }>(
      `SELECT file, sheet, line, payload, remote_id FROM row AS gone
       WHERE run = (${LAST}) AND op = 'send' AND row_key LIKE 'h:%' AND state IN ('done', 'accepted', 'unchanged')
         AND NOT EXISTS (SELECT 1 FROM row AS mine WHERE mine.row_key = gone.row_key AND mine.run = $run)
         AND NOT EXISTS (SELECT 1 FROM temp.held JOIN temp.taken ON taken.no = held.no
           WHERE held.reading = $reading AND held.id = gone.remote_id)
       ORDER BY seq LIMIT ${MOST}`,
      {
        $run: run,
        $service: target.service,
        $event: target.eventId,
        $reading: reading.held.reading,
      },
    )
    .flatMap((row) => {
      const registration = JSON.parse(row.payload) as Registration;
      const [record] = row.remote_id === null ? [] : reading.held.byId(row.remote_id);
      if (reading.idsShown && record === undefined) return [];
      return [{ place: placeOf(row), email: emailOf(registration, fields), registration, record }];
    });
}

/** Those of them that a new row may be, corrected since. */
export function perhapsCorrected(
  registration: Registration,
  gone: readonly GoneRow[],
  { fields, canTell }: { fields: FieldsOf; canTell: boolean },
): GoneRow[] {
  const email = canTell ? emailOf(registration, fields) : undefined;
  return gone.filter((row) => {
    if (email !== undefined && row.email === email) return false;
    if (email === undefined && (row.email === undefined || !canTell)) return true;
    return (
      isNamed(registration, fields) && hasName(registration, row.registration satisfies RecordImage, fields)
    );
  });
}

/** Whether a row has a name at all. */
function isNamed({ persona, fields }: Registration, fieldsOf: FieldsOf): boolean {
  return fieldsOf(persona).some(({ kind, slug }) => kind === 'name' && Object.hasOwn(fields, slug));
}
