import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import { hashOf, type Registration, type RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { decideCommand } from '../decide/decide-command.ts';
import { outcomeOf } from '../decide/judge-found.ts';
import { Lookup } from '../decide/lookup.ts';
import { emailOf, nameKeyOf } from '../../registration/changes/person.ts';
import { type Doubt, messageOf, type Rival, unlinkedRows } from '../journal/doubts.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { withEmail } from '../snapshot/answers.ts';
import { KnownIds } from '../snapshot/known-ids.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { CHEAP_PAGES } from '../snapshot/read-now.ts';

/**
 * Settles uncertain rows that nothing tells apart from others where exactly one registration that no row stands for has
 * all that was sent: whoever has sent it, the person is there once, as the list says. Of the others it notes what is
 * likely, for the person who decides: they stay uncertain. Reads the list, unless that is long for so few rows and
 * `whole` is not set.
 */
export async function settleNameless(
  context: SendContext,
  doubts: readonly Doubt[],
  { whole = false }: { whole?: boolean },
): Promise<void> {
  if (doubts.length === 0) return;
  const { journal, run, clock } = context;
  const count = Math.max(CHEAP_PAGES, doubts.length);
  const candidates = new Candidates(
    context,
    await readListed(context, { barcodes: () => [], count, whole }),
    doubts,
  );
  for (const doubt of doubts) {
    const { seq, place } = doubt.row;
    const { id, note } = candidates.likely(doubt);
    if (id !== undefined) {
      candidates.ids.add(id, seq);
      writeOutcome(journal, run, seq, outcomeOf({ kind: 'done', id }), clock.now(), 'looked');
    }
    // As an earlier run has said it: what is decided of one counts for both.
    if (note === undefined || messageOf(journal, run, seq)?.startsWith(`${note}; `) === true) continue;
    const message = `${note}; say what is so with ${decideCommand(run, place)}`;
    writeOutcome(journal, run, seq, { state: 'uncertain', message }, clock.now(), 'looked');
  }
}

/** What is listed that rows may stand for which nothing tells apart: found by e-mail, or without one by name. */
class Candidates {
  readonly ids: KnownIds;
  readonly #context: SendContext;
  readonly #reading: ListReading;
  readonly #namesakes: Lookup<string, RegistrationRecord>;
  readonly #rivals: readonly Rival[];

  constructor(context: SendContext, reading: ListReading, doubts: readonly Doubt[]) {
    const { journal, run } = context;
    this.#context = context;
    this.#reading = reading;
    this.ids = new KnownIds(journal, run);
    const wanted = new Set(doubts.map(({ row }) => this.#keyOf(row.registration)));
    this.#namesakes = this.#readNamesakes(wanted);
    this.#rivals = [...unlinkedRows(journal, run)].filter((one) => wanted.has(this.#keyOf(one.registration)));
  }

  #keyOf(one: Registration): string | undefined {
    const fields = fieldsOf(this.#context.event);
    return emailOf(one, fields) ?? nameKeyOf(one, fields);
  }

  /** Registrations without an e-mail, by persona and name. */
  #readNamesakes(wanted: ReadonlySet<string | undefined>): Lookup<string, RegistrationRecord> {
    const { event } = this.#context;
    const found = new Lookup<string, RegistrationRecord>();
    for (const { record, email } of this.#reading.listed.numbered()) {
      if (email !== undefined) continue;
      const personas =
        record.persona === undefined ? event.personas.map(({ slug }) => slug) : [record.persona];
      for (const persona of personas) {
        const key = nameKeyOf({ persona, fields: record.fields ?? {} }, fieldsOf(event));
        if (wanted.has(key)) found.add(key, record);
      }
    }
    return found;
  }

  /** The id of the registration that it is, or a clause that names registrations, never values of persons; neither when nothing can be said. */
  likely(doubt: Doubt): { id?: string | undefined; note?: string } {
    const { registration, seq } = doubt.row;
    const fields = fieldsOf(this.#context.event);
    const email = emailOf(registration, fields);
    const by = email === undefined ? 'name' : 'e-mail';
    const name = nameKeyOf(registration, fields);
    const { moved, idsShown, how } = this.#reading;
    if ((email ?? name) === undefined || !idsShown || how !== 'list') return {};
    const all =
      email === undefined ? this.#namesakes.of(name) : withEmail(this.#reading, registration.persona, email);
    if (all === undefined) return {};
    const free = all.filter(({ id = '' }) => !this.ids.belongsToAnother(id, seq));
    const alike = free.filter((record) => this.#differences(registration, record).length === 0);
    const [own, another] = alike;
    if (own !== undefined && another === undefined && !moved && this.#isOnlyOf(doubt, own))
      return { id: own.id };
    if (own !== undefined) return { note: `likely there: ${have(alike)} all that was sent` };
    const [first] = free;
    if (first !== undefined) {
      const names = this.#differences(registration, first).join(', ');
      return { note: `perhaps there: ${have(free)} its ${by}, but other values in: ${names}` };
    }
    // A service that takes people for one gives them one id.
    if (all.length > 0) return { note: `perhaps there: ${have(all)} its ${by}, with the id of another row` };
    return moved ? {} : { note: `likely not there: no registration with its ${by} is listed` };
  }

  /**
   * Whether a registration can be that of no other row, and is not one that the request may have changed. Which of
   * several equal rows has landed does not matter: the others stay in doubt.
   */
  #isOnlyOf({ row, cause }: Doubt, record: RegistrationRecord): boolean {
    if (cause === 'deleting' || row.remoteId !== undefined) return false;
    if (row.near?.some(({ image }) => image?.id === record.id) === true) return false;
    const hash = hashOf(row.registration);
    return this.#rivals.every(
      ({ seq, state, registration }) =>
        seq === row.seq ||
        (IN_DOUBT.has(state) && hashOf(registration) === hash) ||
        this.#differences(registration, record).length > 0,
    );
  }

  #differences(registration: Registration, record: RegistrationRecord): string[] {
    const changes = changesButMessages(registration, record, fieldsOf(this.#context.event));
    return (changes ?? []).map(({ field }) => field);
  }
}

/** `registration reg-12 has`, or `registrations reg-12, reg-13 have`. */
function have(records: readonly RegistrationRecord[]): string {
  const ids = records.map(({ id }) => id).join(', ');
  return records.length === 1 ? `registration ${ids} has` : `registrations ${ids} have`;
}
