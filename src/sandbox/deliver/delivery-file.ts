import { setTimeout as wait } from 'node:timers/promises';
import { readCopied } from '../store/copied.ts';
import { SandboxFile } from '../store/database.ts';
import { DeliveryStore, isSuccess, newMessageId, type SandboxDelivery } from '../store/delivery-store.ts';
import { DEFAULT_SWITCHES, type Switches } from '../store/switches.ts';
import { WebhookStore } from '../store/webhook-store.ts';
import { Deliverer } from './deliverer.ts';

/** The deliveries of a sandbox's file, without the service: for other processes than the one that serves it. */
export interface DeliveryFile {
  /** Oldest first. */
  list(): SandboxDelivery[];
  /** Begins to send what is due, beside whoever else does it. */
  start(): void;
  /**
   * Sends one again, whatever became of it, and waits until it was tried. Undefined: there is none with this number,
   * or its webhook is gone. It may still be waiting where others were to be sent first.
   */
  redeliver(number: number): Promise<SandboxDelivery | undefined>;
  /**
   * Tells every active webhook of something that has not happened, whatever its triggers are, and waits until each was
   * tried. `switches` instead of those of the sandbox: how it is signed.
   */
  tell(event: string, body: string, switches?: Partial<Switches>): Promise<SandboxDelivery[]>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 20;
const MOST_LOOKS = 3000;

/** Opens the file, which may be in use. Throws an Error with a sentence when it cannot be used. */
export function openDeliveries(path: string, now: () => number): DeliveryFile {
  const file = new SandboxFile(path);
  const webhooks = new WebhookStore(file);
  const deliveries = new DeliveryStore(file);
  const deliverer = new Deliverer({ file, webhooks, deliveries, now });
  const untilTried = async (number: number, before: number): Promise<SandboxDelivery | undefined> => {
    let found = deliveries.find(number);
    for (let looks = 0; looks < MOST_LOOKS && found?.state === 'waiting'; looks += 1) {
      if (found.attempts.length > before) break;
      await wait(LOOK_EVERY_MS);
      found = deliveries.find(number);
    }
    return found;
  };
  return {
    list: () => deliveries.list(),
    start: () => deliverer.start(),
    async redeliver(number) {
      const before = deliveries.find(number)?.attempts.length ?? 0;
      if (!deliveries.revive(number, now())) return undefined;
      deliverer.start();
      return await untilTried(number, before);
    },
    async tell(event, body, switches) {
      const all = { ...DEFAULT_SWITCHES, ...readCopied(file)?.switches, ...switches };
      const { webhookSign, webhookRetry, webhookScale } = all;
      const manner = { webhookSign, webhookRetry, webhookScale };
      const at = now();
      const numbers = file.transaction(() =>
        webhooks
          .list()
          .filter(({ active }) => active)
          .map(({ webhook_id: webhookId }) =>
            deliveries.add({
              messageId: newMessageId(),
              webhookId,
              event,
              body,
              createdAt: at,
              dueAt: at,
              manner,
            }),
          ),
      );
      deliverer.start();
      const told = await Promise.all(numbers.map(async (number) => await untilTried(number, 0)));
      return told.filter((delivery) => delivery !== undefined);
    },
    async close() {
      await deliverer.close();
      file.close();
    },
  };
}

/** Why it is not delivered, or was not the last time; null where it was, and where it was not tried. */
export function whyUndelivered({ why, attempts }: SandboxDelivery): string | null {
  const last = attempts.at(-1);
  if (why !== undefined || last === undefined) return why ?? null;
  return last.error ?? (isSuccess(last) ? null : `answered with ${last.status}`);
}
