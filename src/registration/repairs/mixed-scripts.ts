import type { Finding } from '../model/finding.ts';

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets with letters that look like Latin ones. */
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** An address that mixes alphabets within its name or within one label of its domain, as forged ones do. */
export function checkScripts(address: string): Finding | undefined {
  if (!BEYOND_ASCII.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  const parts = [address.slice(0, Math.max(at, 0)), ...address.slice(at + 1).split('.')];
  if (!parts.some((part) => LATIN.test(part) && LOOK_ALIKE.test(part))) return undefined;
  return {
    problem: 'mixes letters of different alphabets that look alike',
    remedy: 'type it again, or take it as it is with --set accept=mixed-scripts',
  };
}
