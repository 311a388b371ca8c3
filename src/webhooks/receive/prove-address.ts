import type { BytesSender } from '../deliveries/send-bytes.ts';
import type { Receiver } from './receiver.ts';

const TIMEOUT_MS = 5_000;

/** Whether an address leads to the receiver, by an answer that nobody else knows. Nothing else is told to whoever is there. */
export async function leadsHere(
  base: string,
  { proof }: Pick<Receiver, 'proof'>,
  sender: BytesSender,
): Promise<boolean> {
  const url = new URL(addressBelow(base, proof.path));
  const answer = await sender.send(url, ['content-type', 'text/plain'], new Uint8Array(), TIMEOUT_MS);
  return answer.status === 200 && answer.body.toString() === proof.answer;
}

/** A path below an address, whose query and fragment are left out. */
export function addressBelow(base: string, path: string): string {
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`;
}
