import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import { decideCommand } from '../decide/decide-command.ts';
import { Lookup } from '../decide/lookup.ts';
import { conflict } from '../decide/plan-decision.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { type EarlierDoubt, earlierDoubts, rowKeysOf } from '../journal/earlier-runs.ts';
import type { Ask, SendContext } from '../journal/send-context.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

type DoubtContext = Pick<SendContext, 'journal' | 'target' | 'event' | 'reporter'>;

/**
 * Rows of earlier runs of which nobody knows whether the service has them. The same row is in doubt as well; one that
 * is like such a row, without a barcode, may be that one, edited since.
 */
export class EarlierDoubts {
  readonly #context: DoubtContext;
  readonly #byKey: ReadonlyMap<string, EarlierDoubt>;

  constructor(context: DoubtContext) {
    this.#context = context;
    const newestLast = earlierDoubts(context.journal, context.target).toReversed();
    this.#byKey = new Map(newestLast.map((doubt) => [doubt.rowKey, doubt]));
  }

  /** The doubts about rows just as they are. */
  about(rows: RowsToPlan): ReadonlyMap<InputRow, EarlierDoubt> {
    const found = new Map<InputRow, EarlierDoubt>();
    for (const row of this.#byKey.size === 0 ? [] : rows.sendable) {
      const doubt = this.#byKey.get(row.key ?? '');
      if (doubt !== undefined && doubt.hash === hashOf(rows.registrationOf(row))) found.set(row, doubt);
    }
    return found;
  }

  /**
   * The person is asked whether to send rows that may be in doubt under other values; when nobody can answer they are
   * conflicts.
   */
  async hold(rows: readonly PlannedRow[], files: RowsToPlan, ask: Ask | undefined): Promise<void> {
    const keys = new Set(rows.map(({ row }) => row.key));
    const strays = [...this.#byKey.values()]
      .filter(({ barcode, rowKey }) => barcode === undefined && !keys.has(rowKey))
      .toReversed();
    const [first] = strays;
    if (first === undefined) return;
    const text = `${plural(strays.length, 'row of an earlier run is', 'rows of earlier runs are')} uncertain still, the first is ${placeOf(first)}: say what is so with ${decideCommand(first.run, first.place)}.`;
    this.#context.reporter.report({ type: 'warning', text });
    const known = new Lookalikes(strays, fieldsOf(this.#context.event));
    for (const row of rows)
      if (mayBeNew(row)) await this.#hold(row, files.registrationOf(row.row), known, ask);
  }

  async #hold(
    planned: PlannedRow,
    registration: Registration,
    known: Lookalikes,
    ask: Ask | undefined,
  ): Promise<void> {
    const { by, strays } = known.find(registration);
    // Who was in the files of that run beside the row in doubt is somebody else.
    const stray = strays.find(({ run }) => !this.#keysOf(run).has(planned.row.key ?? ''));
    if (stray === undefined) return;
    const { message, run, place } = stray;
    const likely = message === undefined ? '' : ` (${message.replace(/; say what is so with .*/, '')})`;
    const why = `it has the ${by} of ${placeOf(stray)}, and it is not known whether the service has that one${likely}`;
    const where = formatPlace(planned.row.place);
    if ((await ask?.(`${where}: ${why}. Send it as another registration?`)) === true) return;
    planned.state = 'conflict';
    planned.decision = conflict(`${why}: say so first with ${decideCommand(run, place)}`);
  }

  readonly #keys = new Map<string, ReadonlySet<string>>();

  #keysOf(run: string): ReadonlySet<string> {
    const known = this.#keys.get(run) ?? rowKeysOf(this.#context.journal, run);
    this.#keys.set(run, known);
    return known;
  }
}

/** `guests.csv:17 of run 20270301-4f9a2c` */
const placeOf = ({ place, run }: EarlierDoubt): string => `${formatPlace(place)} of run ${run}`;

/** It would register somebody, as far as is known, or change somebody whom this machine has never dealt with. */
const mayBeNew = ({ state, decision: { action, verdicts } }: PlannedRow): boolean =>
  state === 'pending' && (action !== 'update' || [...verdicts.values()].includes('unbased'));

/** Finds rows in doubt by e-mail or name, whatever their persona. */
class Lookalikes {
  readonly #fields: FieldsOf;
  readonly #byEmail = new Lookup<string, EarlierDoubt>();
  readonly #byName = new Lookup<string, EarlierDoubt>();

  constructor(strays: readonly EarlierDoubt[], fields: FieldsOf) {
    this.#fields = fields;
    for (const stray of strays) {
      this.#byEmail.add(emailOf(stray.registration, fields), stray);
      this.#byName.add(nameOf(stray.registration, fields), stray);
    }
  }

  find(registration: Registration): { by: 'e-mail' | 'name'; strays: readonly EarlierDoubt[] } {
    const byEmail = this.#byEmail.of(emailOf(registration, this.#fields));
    if (byEmail.length > 0) return { by: 'e-mail', strays: byEmail };
    return { by: 'name', strays: this.#byName.of(nameOf(registration, this.#fields)) };
  }
}
