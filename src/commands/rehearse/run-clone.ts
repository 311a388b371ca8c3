import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { removeFolder, renameOver } from '../../put-in-place.ts';
import { switchesOf } from '../../rehearsal/clone/behaviour.ts';
import { copyMemory } from '../../rehearsal/clone/copy-memory.ts';
import { Masker } from '../../rehearsal/mask/masker.ts';
import { loadCountryOfPhone } from '../../rehearsal/mask/mask-phone.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { sandboxService } from '../../report/words/service-name.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { keyOf } from '../../sync/journal/base-codec.ts';
import { Journal } from '../../sync/journal/journal.ts';
import { CopyWriter } from '../../sandbox/store/copied.ts';
import { readKept, writeKept } from '../../settings/mappings.ts';
import { writePrivateFile } from '../../settings/private-file.ts';
import type { Locks } from '../../sqlite/run-locks.ts';
import {
  refuseUsedClone,
  cloneFile,
  cloneFolder,
  cloneNames,
  endDraft,
  makeDraft,
  MASK_KEY,
  readMaskKey,
  removeLeftDrafts,
} from '../connect/clone-files.ts';
import { mappingsFolder, READS, withJournal } from '../connect/shared-journal.ts';
import { typedCommand } from '../options/help.ts';
import { requireYes, printRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { type AboutClone, HOW, readClone, forgetWithBackups } from './run-clones.ts';
import { type LiveReading, readLive } from './read-live.ts';
import { isReserved, type CloneOptions } from './rehearse-options.ts';

/** A clone that is not whole yet, in a folder of its own. */
interface Draft {
  name: string;
  folder: string;
  writer: CopyWriter;
}

/** Copies the live event into a sandbox of this machine. Reads only. */
export async function runClone(call: Call<CloneOptions>): Promise<ExitCode> {
  const { options } = call;
  refuseUseless(options);
  if (options.registrations === 'as-they-are') await requireYes(call, AS_THEY_ARE, 'Nothing was copied.');
  return await withJournal(call, READS, (memory, here) => makeClone({ options, runtime: here }, memory));
}

/** The clone stays on this machine, also where `memory` is what machines share. */
async function makeClone(call: Call<CloneOptions>, memory: Journal): Promise<ExitCode> {
  const { options, runtime } = call;
  const { clock, paths } = runtime;
  const journal = paths.shared === undefined ? memory : new Journal(paths.state);
  // Digests mean the same in both, unless this machine has some of its own.
  keyOf(journal, keyOf(memory));
  let draft: Draft | undefined;
  try {
    removeLeftDrafts(paths.state, journal.locks);
    const open = async (event: EventInfo) => {
      const { key, ...begun } = await beginDraft(event, call, journal.locks);
      draft = begun;
      const countryOf = await loadCountryOfPhone();
      return { ...begun, masker: new Masker({ key, countryOf, barcodes: options.maskBarcodes }) };
    };
    const live = await readLive(call, { memory, journal, open });
    if (draft === undefined) return EXIT.failed;
    const { name, folder, writer } = draft;
    const about: AboutClone = {
      service: live.label,
      eventId: live.event.eventId,
      event: live.event.name || live.event.slug,
      kept: options.registrations,
      maskBarcodes: options.maskBarcodes,
      madeAt: clock.now(),
    };
    writer.finish({
      event: live.shown,
      token: randomBytes(32).toString('base64url'),
      switches: switchesOf(live.behaviour),
      maskedBy: live.masker.mark,
      about,
    });
    const to = sandboxService(writer.instanceId, name);
    writer.close();
    // Reading may have taken long.
    refuseUsedClone(runtime, name);
    const { service: from, event, bases, masker } = live;
    const at = { now: clock.now(), self: runtime.self };
    const hasPeople = options.registrations !== 'none';
    const kept = readKept(mappingsFolder(runtime), { service: from, event: event.eventId });
    copyMemory({ memory, journal, from, to, event, hasPeople, bases, masker, ...at });
    await writeKept(paths.config, { service: to, event: event.eventId }, () => kept);
    const former = existsSync(cloneFile(paths.state, name)) ? readClone(runtime, name) : undefined;
    if (former !== undefined) forgetWithBackups(journal, former.service, call);
    removeFolder(cloneFolder(paths.state, name));
    renameOver(folder, cloneFolder(paths.state, name));
    await tell({ name, about, live }, call);
    return EXIT.done;
  } finally {
    draft?.writer.close();
    if (draft !== undefined) endDraft(draft.folder, journal.locks);
    if (journal !== memory) journal.close();
  }
}

const AS_THEY_ARE = 'Copy the guests as they are to this machine, with their real names and addresses?';

/** What would do nothing is a mistake of whoever typed it. */
function refuseUseless({ registrations, limit, maskBarcodes }: CloneOptions): void {
  if (registrations === 'as-they-are' && maskBarcodes) {
    throw new UsageError('--registrations as-they-are masks nothing, and so no barcodes.', {
      hint: 'Leave --registrations or --mask-barcodes out.',
    });
  }
  if (registrations === 'none' && limit !== undefined) {
    throw new UsageError('--registrations none leaves nothing for --limit to count.', {
      hint: 'Leave --registrations or --limit out.',
    });
  }
}

/** One that is there is replaced, and its key stays: lists that were masked with it still fit. */
async function beginDraft(
  event: EventInfo,
  call: Call<CloneOptions>,
  locks: Locks,
): Promise<Draft & { key: string | undefined }> {
  const { options, runtime } = call;
  const { state } = runtime.paths;
  const name = options.as ?? nameOf(event);
  const other = cloneNames(state).find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  if (other !== undefined) {
    throw new UsageError(
      `There is a clone called ${other} already, and some machines take ${name} for the same.`,
      {
        hint: `Make that one anew with --as ${other}, or choose another name.`,
      },
    );
  }
  if (existsSync(cloneFile(state, name))) {
    refuseUsedClone(runtime, name);
    const question = `Make the clone ${name} anew? What was done in it is gone then.`;
    await requireYes(call, question, 'The clone is as it was.');
  }
  const folder = makeDraft(state, locks);
  const key =
    options.registrations === 'as-they-are'
      ? undefined
      : (readMaskKey(state, name) ?? randomBytes(32).toString('hex'));
  if (key !== undefined) writePrivateFile(join(folder, MASK_KEY), key);
  return { name, folder, key, writer: new CopyWriter(join(folder, 'sandbox.sqlite')) };
}

/** As the event is called in addresses. */
function nameOf({ slug, eventId }: EventInfo): string {
  const name = slug
    .replace(/[^a-z0-9._-]+/gi, '-')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, 64);
  return name === '' || isReserved(name) ? `event-${eventId.replace(/\W/g, '')}` : name;
}

const COLUMNS = ['switch', 'value', 'known', 'from'];

interface Made {
  name: string;
  about: AboutClone;
  live: LiveReading;
}

async function tell({ name, about, live }: Made, call: Call<CloneOptions>): Promise<void> {
  const { options, runtime } = call;
  const { requests, webhooks } = live;
  const registrations = readClone(runtime, name)?.registrations ?? 0;
  const behaviour = live.behaviour.map(({ name: switchName, value, seen, from }) => {
    return { switch: switchName, value, known: seen ? 'seen' : 'assumed', from };
  });
  await printRecords(behaviour, call, COLUMNS, ['sandbox-clone@1', 'behaviour']);
  const isCut = options.limit === registrations && live.total !== registrations;
  const of = isCut && live.total !== undefined ? ` of ${formatCount(live.total)}` : '';
  const people = `${plural(registrations, 'registration', 'registrations')}${of}${HOW[about.kept]}`;
  const lines = [
    `Clone ${name} of ${about.event} at ${about.service}: ${people}.`,
    ...(isCut ? [CUT] : []),
    `${plural(requests, 'request', 'requests')} to the service, all of them reads. enable_comms never acts in a clone.`,
    ...webhooks.map(({ name: called, url }) => `Not copied: webhook ${called ?? ''} to ${hostOf(url)}.`),
    ...nextSteps(name, about.kept),
  ];
  for (const line of lines) say(call, line);
  await tellPrograms(call, 'sandbox-clone@1', {
    name,
    event_id: about.eventId,
    event: about.event,
    service: about.service,
    kept: about.kept,
    registrations,
    requests,
    webhooks: webhooks.map((one) => ({
      name: one.name ?? null,
      url: one.url ?? null,
      triggers: one.triggers,
    })),
  });
}

const CUT = 'Whom --limit has left out is new to the clone: plans differ there from those at the service.';

function nextSteps(name: string, kept: AboutClone['kept']): string[] {
  const next = (...words: string[]): string => typedCommand(words, { sandbox: name });
  if (kept !== 'masked') return [`Next: ${next('push', 'guests.csv', '--dry-run')}`];
  return [
    `Next, for a list of the same people: ${next('sandbox', 'mask', 'guests.csv')}`,
    `Then: ${next('push', 'guests.masked.csv', '--dry-run')}`,
  ];
}

/** An address may hold a secret in its path. */
function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : 'an address that is not shown';
}
