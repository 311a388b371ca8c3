import type { Bench } from './push-bench.ts';

/** What somebody else registers or edits at the service itself. */
export interface ByHand {
  persona?: string;
  barcode?: string;
  parent_barcode?: string;
  enable_comms?: boolean;
  fields: Record<string, unknown>;
}

const HEADERS = { authorization: 'Bearer bench-token-1234', 'content-type': 'application/json' };

/** Registers or edits at the service itself, past the bench. */
export async function registerByHand(bench: Bench, registration: ByHand): Promise<void> {
  const answer = await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ persona: 'visitor', ...registration }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Deletes the registrations with a barcode at the service itself, past the bench. */
export async function deleteByHand(bench: Bench, barcode: string): Promise<void> {
  for (const { id } of bench.kept().filter((kept) => kept.barcode === barcode)) {
    const answer = await fetch(`${bench.sandbox.baseUrl}/registration/${id}`, {
      method: 'DELETE',
      headers: HEADERS,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}
