import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../store/database.ts';
import { DeliveryStore, type SandboxDelivery } from '../store/delivery-store.ts';
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
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 20;
const MOST_LOOKS = 3000;

/** Opens the file, which may be in use. Throws an Error with a sentence when it cannot be used. */
export function openDeliveries(file: string, now: () => number): DeliveryFile {
  const database = openDatabase(file);
  const deliveries = new DeliveryStore(database);
  const deliverer = new Deliverer({ database, webhooks: new WebhookStore(database), deliveries, now });
  return {
    list: () => deliveries.list(),
    start: () => deliverer.start(),
    async redeliver(number) {
      const before = deliveries.find(number)?.attempts.length ?? 0;
      if (!deliveries.revive(number, now())) return undefined;
      deliverer.start();
      let found = deliveries.find(number);
      for (let looks = 0; looks < MOST_LOOKS && found?.state === 'waiting'; looks += 1) {
        if (found.attempts.length > before) break;
        await wait(LOOK_EVERY_MS);
        found = deliveries.find(number);
      }
      return found;
    },
    async close() {
      await deliverer.close();
      database.close();
    },
  };
}
