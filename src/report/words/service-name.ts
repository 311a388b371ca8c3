const SANDBOX = 'sandbox:';

/** Whether a run was at the embedded sandbox, whatever its data. */
export function isSandbox(service: string): boolean {
  return service.startsWith(SANDBOX);
}

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

/** Where a run was, in words: an address, or the embedded sandbox. */
export function serviceName(service: string): string {
  return isSandbox(service) ? 'the embedded sandbox' : service;
}
