import { type DeliveryStore, newMessageId } from '../store/delivery-store.ts';
import type { Switches } from '../store/switches.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

type Json = Readonly<Record<string, unknown>>;
export type Happening = 'created' | 'updated' | 'deleted';

/** What it takes to tell of an event. */
export interface AnnouncerParts {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  switches: Switches;
  eventId: number;
  now: () => number;
  /** A number in [0, 1). */
  random: () => number;
}

const SHUFFLED_MS = 2000;

/** Puts down what became of a registration for every active webhook that wants to know it; false when there is none. */
export function announce(parts: AnnouncerParts, happening: Happening, registration: Json): boolean {
  const { webhooks, deliveries, switches, now, random } = parts;
  const { webhookSign, webhookRetry, webhookScale, webhookOrder, webhookEvents } = switches;
  if (webhookEvents === 'updated' && happening === 'deleted') return false;
  const event = `registration.${webhookEvents === 'all' ? happening : 'updated'}`;
  const told = webhooks.list().filter(({ active, triggers }) => active && triggers.includes(event));
  if (told.length === 0) return false;
  const createdAt = now();
  const body = JSON.stringify(payload(parts, event, registration, createdAt));
  for (const { webhook_id: webhookId } of told) {
    const messageId = newMessageId();
    const heldBackMs = webhookOrder === 'shuffled' ? Math.floor(random() * SHUFFLED_MS) : 0;
    const delivery = {
      messageId,
      webhookId,
      event,
      body,
      createdAt,
      dueAt: createdAt + heldBackMs,
      manner: { webhookSign, webhookRetry, webhookScale },
    };
    deliveries.add(delivery);
    if (webhookOrder === 'doubled') deliveries.add(delivery);
  }
  return true;
}

function payload(
  { eventId, switches }: Pick<AnnouncerParts, 'eventId' | 'switches'>,
  event: string,
  registration: Json,
  at: number,
): unknown {
  const deliveredAt = new Date(at).toISOString();
  const whole = { event, event_id: eventId, registration, delivered_at: deliveredAt };
  if (switches.webhookPayload === 'list') return [whole];
  if (switches.webhookPayload === 'full') return whole;
  const keys = [switches.idKey, 'barcode'];
  const identifiers = Object.entries(registration).filter(([key]) => keys.includes(key));
  return { event, event_id: eventId, ...Object.fromEntries(identifiers), delivered_at: deliveredAt };
}
