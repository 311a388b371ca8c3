import type { Observed } from '../observe.ts';

/** A dry run only looks. */
export function nothingIsSent({ requests }: Observed): string[] {
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `a dry run sent ${method} ${path} ${body ?? ''}`);
}
