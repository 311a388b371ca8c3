import { ServiceError, UsageError } from '../../errors.ts';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';

/** What the flags say about a webhook; undefined where they say nothing. */
export interface WebhookFlags {
  event: number | undefined;
  name: string | undefined;
  url: string | undefined;
  /** Empty when none is given. */
  trigger: readonly string[];
  active: boolean | undefined;
  config: Readonly<Record<string, unknown>> | undefined;
}

/** The body of a new webhook, whole, as the interface describes it. */
export function newWebhookBody(
  flags: WebhookFlags & { url: string },
  eventId: number,
  secret: string | undefined,
): WebhookBody {
  return {
    event_id: eventId,
    name: flags.name ?? new URL(flags.url).host,
    webhook_url: flags.url,
    triggers: [...flags.trigger],
    active: flags.active ?? true,
    config: flags.config ?? {},
    signing_secret_encrypted: secret ?? '',
  };
}

/**
 * The body of an update: what the flags say, and for the rest what the service shows. What it does not
 * show is left out, because any value made up here would replace the one that it keeps.
 */
export function changedWebhookBody(
  existing: WebhookRecord,
  flags: WebhookFlags,
  secret: string | undefined,
): Partial<WebhookBody> {
  const { raw } = existing;
  const triggers = flags.trigger.length > 0 ? flags.trigger : existing.triggers;
  const body = {
    event_id: flags.event ?? wholeNumber(raw['event_id']),
    name: flags.name ?? existing.name,
    webhook_url: flags.url ?? existing.url,
    triggers: triggers.length > 0 ? [...triggers] : undefined,
    active: flags.active ?? existing.active,
    config: flags.config ?? shownConfig(raw['config']),
    signing_secret_encrypted: secret,
  };
  const known = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}

/** Throws UsageError when neither a flag nor the secret changes anything. */
export function requireChange(flags: WebhookFlags, secret: string | undefined): void {
  const { trigger, ...others } = flags;
  const given = [...Object.values(others), secret].some((value) => value !== undefined);
  if (given || trigger.length > 0) return;
  throw new UsageError('There is nothing to change.', {
    hint: 'Give at least one of --url, --trigger, --name, --active, --inactive, --config, --event and --secret-stdin.',
  });
}

/** The event id as the number that the body needs. Throws ServiceError when it is none. */
export function eventNumber(eventId: string): number {
  const number = wholeNumber(eventId);
  if (number !== undefined) return number;
  throw new ServiceError(`The service calls its event ${JSON.stringify(eventId)}, which is no number.`, {
    hint: 'Give the number of the event with --event.',
  });
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** Some services show an empty object as an empty list. */
function shownConfig(value: unknown): WebhookBody['config'] | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return typeof value === 'object' && value !== null ? (value as WebhookBody['config']) : undefined;
}
