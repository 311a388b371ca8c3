import { EventregError, InterruptedError } from '../../errors.ts';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import { type OwnParts, readWebhookList, SECOND_LOOK_MS, type Sighting, sightingOf } from './find-own.ts';
import type { OwnWebhook } from './own-books.ts';

/** `renamed`: somebody has taken it over, so it is left alone. `inactive`: it is there, switched off. */
type Removed = 'deleted' | 'absent' | 'renamed' | 'inactive' | 'left';

/** What became of one of ours. */
export interface OwnFate {
  result: Removed;
  /** Why it is still there. */
  why?: string;
}

export const isGone = (result: Removed): boolean => result === 'deleted' || result === 'absent';

/**
 * Deletes one of ours and proves by the list that it is gone; else switches it off. Touches nothing else. What is
 * still there stays in the books. Throws what ends the command.
 */
export async function removeOwn(own: OwnWebhook & { body?: WebhookBody }, parts: OwnParts): Promise<OwnFate> {
  const fate = await remove(own, parts);
  if (isGone(fate.result) || fate.result === 'renamed') parts.books.forget(own.listen);
  return fate;
}

async function remove(own: OwnWebhook & { body?: WebhookBody }, parts: OwnParts): Promise<OwnFate> {
  const { client } = parts;
  const before = sightingOf(own, await readWebhookList(client));
  if (before.renamed) return { result: 'renamed' };
  const ids = idsOf(own, before);
  if (ids.length === 0) return withoutId(before);
  const deletions = await Promise.all(ids.map((id) => tryTo(async () => await client.remove(id))));
  const after = await lookAfter(own, parts);
  if (after.renamed) return { result: 'renamed' };
  const wasThere = before.ours.length > 0 || deletions.some(({ status = 0 }) => status < 300);
  if (after.unread === undefined && after.ours.length === 0)
    return { result: wasThere ? 'deleted' : 'absent' };
  // Without a list, what was deleted is gone when it cannot be deleted again.
  if (after.unread !== undefined && deletions.every(({ status = 0 }) => status > 0 && status < 300)) {
    const again = await Promise.all(ids.map((id) => tryTo(async () => await client.remove(id))));
    if (again.every(({ status }) => isMissing(status))) return { result: 'deleted' };
  }
  return await switchOff(own, ids, after, { parts, why: whyOf(deletions, after) });
}

function idsOf({ webhookId }: OwnWebhook, { ours }: Sighting): string[] {
  return [...new Set([webhookId, ...ours.map(({ id }) => id)])].flatMap((id) => id ?? []);
}

/** It may never have been made, or the service does not say what to delete it by. */
function withoutId({ unread, ours }: Sighting): OwnFate {
  if (unread !== undefined) return { result: 'left', why: `whether it was made cannot be told: ${unread}` };
  if (ours.length === 0) return { result: 'absent' };
  return { result: 'left', why: 'the service does not show the id that it could be deleted by' };
}

interface Tried {
  /** Of the answer, whatever it says. */
  status?: number | undefined;
  why?: string;
}

/** Does a request and keeps what came of it. Throws what ends the command. */
async function tryTo(work: () => Promise<{ status: number }>): Promise<Tried> {
  try {
    return { status: (await work()).status };
  } catch (error) {
    if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
    return { status: answeredStatus(error), why: error.message };
  }
}

const isMissing = (status: number | undefined): boolean => status === 404 || status === 410;

async function lookAfter(own: OwnWebhook, { client, clock, aborting }: OwnParts): Promise<Sighting> {
  const first = sightingOf(own, await readWebhookList(client));
  if (first.unread !== undefined || first.ours.length === 0) return first;
  await clock.sleep(SECOND_LOOK_MS, aborting);
  return sightingOf(own, await readWebhookList(client));
}

function whyOf(deletions: readonly Tried[], { unread }: Sighting): string {
  const [failed] = deletions.flatMap(
    ({ why, status }) => why ?? (isMissing(status) ? `DELETE answers ${status}` : []),
  );
  return failed ?? unread ?? 'it is still in the list';
}

async function switchOff(
  own: OwnWebhook & { body?: WebhookBody },
  ids: readonly string[],
  { ours }: Sighting,
  { parts, why }: { parts: OwnParts; why: string },
): Promise<OwnFate> {
  const [shown] = ours;
  const body = own.body ?? shownBody(own, shown);
  let isOn = false;
  const tries = await Promise.all(
    ids.map((id) =>
      tryTo(async () => {
        const changed = await parts.client.update(id, { ...body, active: false });
        isOn ||= changed?.active === true;
        return { status: 200 };
      }),
    ),
  );
  if (own.canUpdate && tries.every(({ status }) => isMissing(status))) return { result: 'deleted' };
  const isDone = tries.every(({ status = 0 }) => status === 200) && !isOn && !(await isShownOn(own, parts));
  return { result: isDone ? 'inactive' : 'left', why };
}

async function isShownOn(own: OwnWebhook, { client }: OwnParts): Promise<boolean> {
  return sightingOf(own, await readWebhookList(client)).ours.some(({ active }) => active === true);
}

/** What is known of it, where the one that made it is no more. */
function shownBody({ name, url }: OwnWebhook, shown: WebhookRecord | undefined): Partial<WebhookBody> {
  const triggers = shown?.triggers ?? [];
  return { name, webhook_url: url, ...(triggers.length > 0 ? { triggers: [...triggers] } : {}) };
}
