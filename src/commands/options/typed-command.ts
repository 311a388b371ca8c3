import { typedWord } from '../../input/source/shell-word.ts';
import type { GlobalOptions } from './options.ts';

/** A command as a person types it, with the flags that lead to the same service again. */
export function typedCommand(
  words: readonly string[],
  { sandbox, profile }: Pick<GlobalOptions, 'sandbox' | 'profile'>,
): string {
  const practice = typeof sandbox === 'string' ? [`--sandbox=${sandbox}`] : sandbox ? ['--sandbox'] : [];
  const way = [...practice, ...(profile === undefined ? [] : ['--profile', profile])];
  return ['eventreg', ...words, ...way].map(typedWord).join(' ');
}
