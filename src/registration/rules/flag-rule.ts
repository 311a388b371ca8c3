import { type Checked, refuse } from '../model/row.ts';

const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['false', 'no', '0'];

/** A switch such as `enable_comms`: true, yes, 1 or false, no, 0, in any case. */
export function readFlag(text: string): Checked<boolean> {
  const word = text.toLowerCase();
  if (YES.includes(word)) return { ok: true, value: true };
  if (NO.includes(word)) return { ok: true, value: false };
  return refuse('flag-invalid', 'is neither true nor false', 'write true or false');
}
