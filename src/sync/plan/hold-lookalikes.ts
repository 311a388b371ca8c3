import { among, IN_DOUBT } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import { chunksOf, type ComparedRow, placeIn } from '../journal/run-rows.ts';
import { decideCommand } from '../decide/decide-command.ts';
import type { Ask, SendContext } from '../journal/send-context.ts';
import { json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** Rows that would register somebody, as far as is known, or change somebody whom this machine has never dealt with. */
const NEW = `run = $run AND op = 'send' AND state = 'pending'
  AND (plan IS NOT 'update' OR verdicts LIKE '%"unbased"%')`;

/**
 * Rows of earlier runs without a barcode of which nobody knows whether the service has them, and that are not
 * among the rows of this run as they were: a row of this run with their e-mail or name may be one of them,
 * edited since. The person is asked whether to send it; when nobody can answer it is a conflict.
 */
export async function holdLookalikes(context: SendContext, ask: Ask | undefined): Promise<void> {
  const strays = readStrays(context);
  const [first] = strays;
  if (first === undefined) return;
  const text = `${plural(strays.length, 'row of an earlier run is', 'rows of earlier runs are')} uncertain still, the first is ${first.place}: say what is so with ${first.decide}.`;
  context.reporter.report({ type: 'warning', text });
  const known = new Lookalikes(strays, fieldsOf(context.event));
  for (const rows of chunksOf(context, NEW)) {
    for (const row of rows) await hold(context, known, row, ask);
  }
}

const STRAY = rowCodec({
  run: value<string>('row.run'),
  seq: value<number>('row.seq'),
  place: place(),
  registration: json<Registration>('row.payload'),
  /** What is likely, if anything is known of it. */
  message: value<string | undefined>('row.message'),
  sentNo: value<number | undefined>('row.sent_no'),
});

/** A row in doubt that no row of this run stands for. */
interface Stray extends Omit<RowOf<typeof STRAY>, 'place'> {
  /** `guests.csv:17 of run 20270301-4f9a2c`. */
  place: string;
  /** How to settle it. */
  decide: string;
}

/** Newest first. A doubt that several runs carry counts once. */
function readStrays({ journal, run, target }: SendContext): Stray[] {
  const rows = journal.read(
    STRAY,
    `FROM run CROSS JOIN main.row ON row.run = run.id AND row.state ${among(IN_DOUBT)}
     WHERE run.service = $service AND run.event = $event AND run.kind = 'push' AND run.state <> 'reading'
       AND run.id <> $run AND row.op = 'send' AND row.barcode IS NULL AND NOT EXISTS (
         SELECT 1 FROM row AS mine WHERE mine.row_key = row.row_key AND mine.run = $run)
     ORDER BY run.started_at DESC, run.rowid DESC, row.seq`,
    { service: target.service, event: target.eventId, run },
  );
  const told = new Set<number>();
  return rows.flatMap((row) => {
    if (row.sentNo !== undefined && told.has(row.sentNo)) return [];
    if (row.sentNo !== undefined) told.add(row.sentNo);
    const decide = decideCommand(row.run, row.place);
    return [{ ...row, place: `${formatPlace(row.place)} of run ${row.run}`, decide }];
  });
}

/** Finds rows in doubt by e-mail or name, whatever their persona. */
class Lookalikes {
  readonly #fields: FieldsOf;
  readonly #byEmail = new Map<string, Stray[]>();
  readonly #byName = new Map<string, Stray[]>();

  constructor(strays: readonly Stray[], fields: FieldsOf) {
    this.#fields = fields;
    for (const stray of strays) {
      add(this.#byEmail, emailOf(stray.registration, fields), stray);
      add(this.#byName, nameOf(stray.registration, fields), stray);
    }
  }

  find(registration: Registration): { by: 'e-mail' | 'name'; strays: readonly Stray[] } | undefined {
    const byEmail = this.#byEmail.get(emailOf(registration, this.#fields) ?? '');
    if (byEmail !== undefined) return { by: 'e-mail', strays: byEmail };
    const byName = this.#byName.get(nameOf(registration, this.#fields) ?? '');
    return byName && { by: 'name', strays: byName };
  }
}

function add(map: Map<string, Stray[]>, key: string | undefined, stray: Stray): void {
  if (key !== undefined) map.set(key, [...(map.get(key) ?? []), stray]);
}

async function hold(
  context: SendContext,
  known: Lookalikes,
  { seq, registration }: ComparedRow,
  ask: Ask | undefined,
): Promise<void> {
  const { journal, run, clock } = context;
  const { by, strays = [] } = known.find(registration) ?? {};
  // Who was in the files of that run beside the row in doubt is somebody else.
  const stray = strays.find((one) => !isIn(context, seq, one.run));
  if (stray === undefined) return;
  const likely =
    stray.message === undefined ? '' : ` (${stray.message.replace(/; say what is so with .*/, '')})`;
  const why = `it has the ${by} of ${stray.place}, and it is not known whether the service has that one${likely}`;
  if ((await ask?.(`${placeIn(context, seq)}: ${why}. Send it as another registration?`)) === true) return;
  const message = `${why}: say so first with ${stray.decide}`;
  journal.transaction(() => {
    writeOutcome(journal, run, seq, { state: 'conflict', message }, clock.now(), 'planned');
    journal.run(`UPDATE row SET plan = 'conflict' WHERE run = $run AND seq = $seq`, { run, seq });
  });
}

function isIn({ journal, run }: SendContext, seq: number, other: string): boolean {
  return journal.has(
    `FROM row AS mine JOIN main.row AS past ON past.row_key = mine.row_key AND past.run = $other
     WHERE mine.run = $run AND mine.seq = $seq`,
    { run, seq, other },
  );
}
