import { cut } from './cut.ts';

const MAX_CHARACTERS = 60;
const RUN = /(\p{L}\p{M}*)((?:\p{L}\p{M}*)+)|(\p{N}{2})(\p{N}+)/gu;

/**
 * Hides a personal value but keeps its shape, so that a mistake can still be seen: every run of
 * letters keeps its first letter, every run of digits its first two, the rest become `•`.
 * Punctuation and spaces stay. Cut at 60 characters.
 */
export function mask(value: string): string {
  // Cut first with room to spare: marks within the runs count as characters but are masked away.
  const masked = value
    .slice(0, MAX_CHARACTERS * 8)
    .replace(RUN, (_run, letter?: string, letters?: string, digits?: string, more?: string) =>
      letter === undefined ? digits + dots(more) : letter + dots(letters),
    );
  const rest = value.length > MAX_CHARACTERS * 8 ? '…' : '';
  return cut(masked + rest, MAX_CHARACTERS);
}

function dots(run = ''): string {
  return '•'.repeat(Array.from(run.replace(/\p{M}/gu, '')).length);
}
