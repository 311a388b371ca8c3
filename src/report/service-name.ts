const SANDBOX = 'sandbox:';

/** Whether a run was at the embedded sandbox, whatever its data. */
export function isSandbox(service: string): boolean {
  return service.startsWith(SANDBOX);
}

/** Where a run was, in words: an address, or the embedded sandbox. */
export function serviceName(service: string): string {
  return isSandbox(service) ? 'the embedded sandbox' : service;
}
