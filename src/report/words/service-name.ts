const SANDBOX = 'sandbox:';

/** Whether a run was at the embedded sandbox, whatever its data. */
export function isSandbox(service: string): boolean {
  return service.startsWith(SANDBOX);
}

/** What registrations of an embedded sandbox are kept apart by; a clone is one with a name. */
export const sandboxService = (instanceId: string, named: string | boolean): string =>
  `${SANDBOX}${typeof named === 'string' ? `${named}/` : ''}${instanceId}`;

export const cloneIn = (service: string): string | undefined =>
  isSandbox(service) ? /^([^/]+)\//.exec(service.slice(SANDBOX.length))?.[1] : undefined;

/** Host and profile of a service that is no sandbox. */
export interface LiveService {
  /** Of its address: `events.example.com`. */
  host: string;
  profile: string;
}

/** `Harbour Trade Fair at events.example.com (profile default)`; the event alone in a sandbox. */
export function describeLive(event: string, live: LiveService | undefined): string {
  return live === undefined ? event : `${event} at ${live.host} (profile ${live.profile})`;
}

/** Where a run was, in words: an address, a clone, or the embedded sandbox. */
export function serviceName(service: string): string {
  const clone = cloneIn(service);
  if (clone !== undefined) return `the clone ${clone}`;
  return isSandbox(service) ? 'the embedded sandbox' : service;
}
