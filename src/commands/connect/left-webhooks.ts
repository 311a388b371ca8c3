import { existsSync } from 'node:fs';
import { buildUrl, readOperation } from '../../service/endpoints.ts';
import { webhookFile } from '../../webhooks/deliveries/webhook-database.ts';
import { type Listed, sightingOf, type Standing, standingOf } from '../../webhooks/own/evidence.ts';
import { OwnBooks, type OwnWebhook } from '../../webhooks/own/own-books.ts';
import type { Connection } from './connection.ts';

/** `12 ("eventreg listen 1f…")` */
export const nameOf = ({ webhookId, name }: OwnWebhook): string =>
  webhookId === undefined ? `"${name}"` : `${webhookId} ("${name}")`;

/**
 * What webhooks are kept apart by: where they are made. A sandbox has another port each time. The other paths are left
 * out: setting them is how a user helps to delete what is left.
 */
export function webhookService({ service, settings }: Pick<Connection, 'service' | 'settings'>): string {
  const { integUrl, endpoints } = settings;
  if (integUrl === undefined || service.startsWith('sandbox:')) return service;
  return buildUrl(integUrl, readOperation(endpoints.createWebhook).template).href;
}

const OVER: ReadonlySet<Standing> = new Set(['gone', 'taken', 'unseen']);

/** Which of those that earlier listens have left at a service are still there, or may be, in words. */
export const shownOf = (books: OwnBooks, service: string, list: Listed, nowMs: number): readonly string[] =>
  books
    .leftovers(nowMs)
    .filter((own) => own.service === service && !OVER.has(standingOf(own, sightingOf(own, list))))
    .map(nameOf);

/** What this machine has left at a service, by its list, or by the reason for which that cannot be read. */
export function leftAt(service: string, list: Listed, stateDir: string, nowMs: number): readonly string[] {
  if (!existsSync(webhookFile(stateDir))) return [];
  const books = new OwnBooks(stateDir);
  try {
    return shownOf(books, service, list, nowMs);
  } finally {
    books.close();
  }
}
