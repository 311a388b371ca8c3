import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import { conflict, NO_NEWS } from '../decide/plan-decision.ts';
import { decideCommand, sayWhatIsSo } from '../decide/judge-found.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { speltBarcode } from '../decide/judge-person.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { type EarlierDoubt, earlierDoubts, hasRowOf } from '../journal/earlier-runs.ts';
import type { Session } from '../journal/send-context.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

/**
 * Rows of earlier runs of which nobody knows whether the service has them. The same row is in doubt as well; one that
 * is like such a row that the files have no more may be that one, edited since.
 */
export class EarlierDoubts {
  readonly #context: Session;
  readonly #byKey: ReadonlyMap<string, EarlierDoubt>;

  constructor(context: Session) {
    this.#context = context;
    const newestLast = earlierDoubts(context.journal, context.target).toReversed();
    this.#byKey = new Map(newestLast.map((doubt) => [doubt.rowKey, doubt]));
  }

  /** The doubts about rows just as they are. */
  about(rows: RowsToPlan): ReadonlyMap<InputRow, EarlierDoubt> {
    const found = new Map<InputRow, EarlierDoubt>();
    for (const row of this.#byKey.size === 0 ? [] : rows.sendable) {
      const doubt = this.#byKey.get(row.key ?? '');
      if (doubt?.hash !== hashOf(rows.registrationOf(row))) continue;
      const { message = NO_NEWS, run, place } = doubt;
      found.set(row, { ...doubt, message: `${message}${sayWhatIsSo(run, place)}` });
    }
    return found;
  }

  /** Rows that may be in doubt under other values are conflicts until somebody says what became of those. */
  hold(rows: readonly PlannedRow[], files: RowsToPlan): void {
    for (const row of rows) this.#holdEdited(row);
    const keys = new Set(rows.map(({ row }) => row.key));
    const strays = [...this.#byKey.values()].filter(({ rowKey }) => !keys.has(rowKey)).toReversed();
    if (strays.length === 0) return;
    // With a barcode another push settles them by itself, where anything shows them.
    this.#warn(strays.filter(({ registration }) => registration.barcode === undefined));
    const { journal, event } = this.#context;
    const fields = fieldsOf(event);
    const known = new Lookup<string, EarlierDoubt>();
    // Two of one name, each with a barcode, are two people.
    for (const stray of strays)
      for (const { by, key } of namesOf(stray.registration, fields))
        if (by !== 'name' || stray.registration.barcode === undefined) known.add(key, stray);
    for (const row of rows.filter(mayBeNew)) {
      const names = namesOf(files.registrationOf(row.row), fields);
      const name = names.find(({ key }) => known.of(key).length > 0);
      // Who was in the files of that run beside the row in doubt is somebody else.
      const isOther = ({ run }: EarlierDoubt): boolean => hasRowOf(journal, run, row.row.key ?? '');
      const stray = known.of(name?.key).find((one) => !isOther(one));
      if (name === undefined || stray === undefined) continue;
      const { message } = stray;
      const likely = message === undefined ? '' : ` (${message})`;
      const why = `it has the ${name.by} of ${placeOf(stray)}, and ${UNKNOWN_WHETHER} that one${likely}`;
      holdFor(row, stray, why);
    }
  }

  #warn(strays: readonly EarlierDoubt[]): void {
    const [first] = strays;
    if (first === undefined) return;
    const text = `${plural(strays.length, 'row of an earlier run is', 'rows of earlier runs are')} uncertain still, the first is ${placeOf(first)}: say what is so with ${decideCommand(first.run, first.place)}.`;
    this.#context.reporter.report({ type: 'warning', text });
  }

  /** What was sent under its barcode, with other values, may be there, and nothing shows it. */
  #holdEdited(planned: PlannedRow): void {
    const { row, state, decision, doubt: own } = planned;
    const doubt = own === undefined && row.barcode !== undefined ? this.#byKey.get(row.key ?? '') : undefined;
    const isBlind = decision.action === 'unknown' || decision.action === 'create';
    if (doubt === undefined || state !== 'pending' || !isBlind) return;
    holdFor(planned, doubt, `${placeOf(doubt)} sent it with other values, and ${UNKNOWN_WHETHER} that`);
  }
}

const UNKNOWN_WHETHER = 'it is not known whether the service has';

/** A row is in conflict until somebody says what became of one in doubt. */
function holdFor(planned: PlannedRow, { run, place }: EarlierDoubt, why: string): void {
  planned.state = 'conflict';
  planned.decision = conflict(`${why}: say so first with ${decideCommand(run, place)}`);
}

/** `guests.csv:17 of run 20270301-4f9a2c` */
const placeOf = ({ place, run }: EarlierDoubt): string => `${formatPlace(place)} of run ${run}`;

/** It would register somebody, as far as is known, or change somebody whom this machine has never dealt with. */
const mayBeNew = ({ state, decision: { action, verdicts } }: PlannedRow): boolean =>
  state === 'pending' && (action !== 'update' || [...verdicts.values()].includes('unbased'));

/** What a row in doubt is found by, whatever its persona: the e-mail counts for more than the rest. */
const namesOf = (registration: Registration, fields: FieldsOf) => [
  { by: 'e-mail', key: emailOf(registration, fields) },
  { by: 'barcode but for case and zeros', key: registration.barcode && speltBarcode(registration.barcode) },
  { by: 'name', key: nameOf(registration, fields) },
];
