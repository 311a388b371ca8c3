import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { NEVER_SENT, THERE } from '../../registration/model/row-states.ts';
import { BaseStore, copyBases } from '../../sync/journal/base-store.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { copyLearned } from '../../sync/journal/learned.ts';
import { beginRun, endRun, listRuns, type ProcessFacts, type Target } from '../../sync/journal/runs.ts';
import { addCopy, toldOfEvent, type ToldRow } from '../../sync/journal/told-rows.ts';
import { maskRegistration } from '../mask/mask-registration.ts';
import type { Masker } from '../mask/masker.ts';
import type { MaskedBases } from './masked-bases.ts';

interface CopyParts {
  /** What is known of the live service, and where that of the clone is kept. */
  memory: Journal;
  journal: Journal;
  /** Of the live service, and of the clone, as the journal tells them apart. */
  from: string;
  to: string;
  event: EventInfo;
  /** False of a clone without registrations. */
  hasPeople: boolean;
  bases: MaskedBases;
  masker: Masker;
  now: number;
  self: ProcessFacts;
}

/** Takes along what is known here of an event: what was learnt of the service, base values, and what was sent. */
export function copyMemory(parts: CopyParts): void {
  const { memory, journal, from, to, event, hasPeople, bases, masker, now, self } = parts;
  const { eventId } = event;
  journal.transaction(() => {
    copyLearned(memory, journal, from, to);
    // Nobody is there of whom it would be.
    if (!hasPeople) return;
    // Of what is not listed any more nothing is written anew: its names and values are digests.
    copyBases(memory, journal, { service: from, eventId }, to);
    bases.write(new BaseStore(journal, { service: to, eventId }, event.endDate), now);
    const target = { eventId, eventName: event.name || event.slug };
    const mask = (registration: Registration): Registration =>
      maskRegistration(masker, fieldsOf(event), registration);
    const [live, clone] = [from, to].map((service) => ({ ...target, service })) as [Target, Target];
    copyRun(memory, journal, { from: live, to: clone, mask, now, self });
  });
}

/** The files that deletes, prunes and undos have kept of the people of a clone. A push reads files that are not its own. */
export function backupsOfClone(journal: Journal, service: string): string[] {
  const runs = listRuns(journal).filter((run) => run.service === service && run.kind !== 'push');
  return [...new Set(runs.flatMap(({ files }) => files))];
}

interface CopyRun {
  from: Target;
  to: Target;
  mask: (registration: Registration) => Registration;
  now: number;
  self: ProcessFacts;
}

/**
 * Notes what was sent as it is now, masked, as one run at the clone: rows that no list shows are known by
 * that. What is in doubt, or failed, is left out. Call it in a transaction.
 */
function copyRun(memory: Journal, journal: Journal, { from, to, mask, now, self }: CopyRun): void {
  const rows = latestRows(memory, from).filter(
    ({ op, state, payload }) => op === 'send' && THERE.has(state) && payload !== undefined,
  );
  if (rows.length === 0) return;
  const files = [...new Set(rows.map(({ place }) => place.file))];
  const run = beginRun(journal, { kind: 'push', target: to, files }, now, self);
  for (const [seq, row] of rows.entries()) addCopy(journal, { run, seq }, masked(row, mask));
  endRun(journal, run, 'finished', now, 'copied with the clone: what was sent to the live event');
}

/** Of each registration the row that this machine has dealt with it last. */
function latestRows(journal: Journal, from: Target): ToldRow[] {
  const latest = new Map<string, ToldRow>();
  for (const row of toldOfEvent(journal, from)) {
    if (row.rowKey === undefined || NEVER_SENT.has(row.state)) continue;
    const known = latest.get(row.rowKey);
    if (known === undefined || dealtWith(row) > dealtWith(known)) latest.set(row.rowKey, row);
  }
  return [...latest.values()];
}

const dealtWith = ({ sentNo = 0, listedNo = 0 }: ToldRow): number => Math.max(sentNo, listedNo);

/** A row without a barcode is named after what it holds. */
function masked(row: ToldRow, mask: CopyRun['mask']): ToldRow {
  const { rowKey = '', payload } = row;
  if (payload === undefined) return row;
  const said = mask(payload);
  const nth = rowKey.slice(rowKey.lastIndexOf(':'));
  const named = said.barcode === undefined ? `h:${hashOf(said)}${nth}` : `b:${said.barcode}`;
  return { ...row, rowKey: named, payload: said };
}
