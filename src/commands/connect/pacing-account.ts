import { createHash, createHmac } from 'node:crypto';

/** Who spends from a budget: whoever has the token, at one service. */
export interface Account {
  origin: string;
  token: string;
}

/** The token cannot be had from this, nor looked up in a list of hashes. */
export function nameAccount({ origin, token }: Account, salt: Uint8Array): string {
  const secret = createHash('sha256').update(token).digest();
  return createHmac('sha256', salt).update(secret).update(origin).digest('hex');
}
