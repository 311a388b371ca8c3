import { BaseStore, copyBases } from '../../sync/journal/base-store.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { copyLearned } from '../../sync/journal/learned.ts';
import { listRuns, type ProcessFacts, type Target } from '../../sync/journal/runs.ts';
import { maskRegistration } from '../mask/mask-registration.ts';
import type { Masker } from '../mask/masker.ts';
import { copyRun } from './copy-run.ts';
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
