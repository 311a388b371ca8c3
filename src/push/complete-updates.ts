import { fieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration } from '../registration/registration.ts';
import type { SendContext } from './send-context.ts';
import { completed, holdsAny, unsentValues } from './unsent-fields.ts';
import { UPDATES } from './withhold-updates.ts';

/** Updates that were sent before it was known what they would empty. */
const SENT_UPDATES = `run = $run AND op = 'send' AND plan = 'update' AND state IN ('done', 'accepted') AND attempts > 0`;

const CHUNK = 500;

/**
 * For a service that empties what an update does not send: gives the updates of a run what their registrations
 * held in fields that the rows do not have, and the groups they are members of. Those sent without it are
 * pending again.
 */
export function completeUpdates(context: SendContext): void {
  complete(context, UPDATES, 'state');
  // What the service holds is no longer what was known of it.
  complete(context, SENT_UPDATES, `'pending', held_no = NULL, message = NULL`);
}

function complete({ journal, run, event }: SendContext, where: string, state: string): void {
  const fields = fieldsOf(event);
  for (let after = -1; ; ) {
    const rows = journal.all<{ seq: number; payload: string; before: string | null }>(
      `SELECT seq, payload, before FROM row WHERE ${where} AND seq > $after ORDER BY seq LIMIT ${CHUNK}`,
      { $run: run, $after: after },
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    journal.transaction(() => {
      for (const { seq, payload, before } of rows) {
        const registration = JSON.parse(payload) as Registration;
        const image = before === null ? {} : (JSON.parse(before) as RecordImage);
        const values = unsentValues(registration, image, fields);
        if (!holdsAny(values)) continue;
        journal.run(`UPDATE row SET payload = $payload, state = ${state} WHERE run = $run AND seq = $seq`, {
          $run: run,
          $seq: seq,
          $payload: JSON.stringify(completed(registration, values)),
        });
      }
    });
    after = last.seq;
  }
}
