import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Guest } from './guests.ts';
import type { EndedPush, Verdict } from './verdict.ts';

/** What is known once a command has been killed, given again until it ended, and given once more. */
export interface StateEvidence {
  /** What the service is to hold: every guest has a barcode. */
  expected: readonly Guest[];
  registrations: readonly SandboxRegistration[];
  resumed: EndedPush;
  again: EndedPush & { requests: readonly RequestLogEntry[] };
}

/** Holds what a command that takes away has come to against what the service has. */
export function judgeState({ expected, registrations, resumed, again }: StateEvidence): Verdict {
  const violations: string[] = [];
  let lost = 0;
  let doubled = 0;
  for (const guest of expected) {
    const held = registrations.filter(({ barcode }) => barcode === guest.barcode);
    const right = held.filter((one) => contentOf(one) === contentOfGuest(guest));
    if (right.length === 0) lost += 1;
    doubled += Math.max(0, held.length - 1);
    if (right.length === 1 && held.length === 1) continue;
    violations.push(`${contentOfGuest(guest)} is ${held.map(contentOf).join(' and ') || 'gone'}`);
  }
  const barcodes = new Set(expected.map(({ barcode }) => barcode));
  const extra = registrations.filter(({ barcode }) => !barcodes.has(barcode));
  if (extra.length > 0) violations.push(`still there: ${extra.map(contentOf).join(' ')}`);
  if (resumed.code !== 0) violations.push(`it ended with ${resumed.code}: ${resumed.err.trim()}`);
  const late = again.requests.filter(({ method }) => method !== 'GET');
  if (late.length > 0) {
    violations.push(
      `once more it changed: ${late.map(({ method, path, body }) => `${method} ${path} ${body ?? ''}`).join(' ')}`,
    );
  }
  return { lost, doubled, uncertain: 0, violations };
}

function contentOf({ barcode, parentBarcode, fields }: SandboxRegistration): string {
  const { first_name: first, last_name: last, email } = fields;
  return [barcode, parentBarcode ?? '', first, last, email].join(' ');
}

function contentOfGuest({ barcode, parentBarcode, firstName, lastName, email }: Guest): string {
  return [barcode, parentBarcode ?? '', firstName, lastName, email].join(' ');
}
