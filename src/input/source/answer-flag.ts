import { kebabOf } from '../../registration/model/option-flags.ts';
import type { Answer } from '../../registration/model/question.ts';
import { typedWord } from './shell-word.ts';

/** An answer as it is typed; undefined where no words of a command line give it: parts stand with `=` between them. */
export function typedAnswer({ flag, option, value }: Answer): string | undefined {
  if (flag !== undefined || typeof value !== 'object') return flag;
  if (value.slice(0, -1).some((part) => part.includes('='))) return undefined;
  return `--set ${typedWord(`${kebabOf(option)}=${value.join('=')}`)}`;
}
