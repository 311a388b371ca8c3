import type { ProcessFacts } from './runs.ts';
import type { SendContext } from './send-context.ts';
import type { LiveService } from '../../report/words/service-name.ts';

/** What every run works with, whatever it does. */
export interface WorkContext extends Omit<SendContext, 'run'> {
  self: ProcessFacts;
  /** Asks the person, or throws a GuardError that names the flag when nobody can answer. */
  confirm: (question: string) => Promise<boolean>;
  /** Whether personal values may stand in a question as they are. */
  showValues: boolean;
  /** Undefined: the embedded sandbox. */
  live?: LiveTarget | undefined;
  /** Asks the person what no flag answers; undefined when nobody can. */
  ask: Ask;
  /** Asks the person to choose one of several answers; undefined where nobody is there to be asked. */
  choose?: Choose | undefined;
}

/** Asks the person; undefined when nobody can answer. */
export type Ask = (question: string) => Promise<boolean | undefined>;

/** Where a push goes that is not the embedded sandbox. */
export interface LiveTarget extends LiveService {
  /** Asks the person, with no as what is meant by a mere return; yes where nobody can be asked. */
  ask: (question: string) => Promise<boolean>;
}

/** Shows the details and the question, and returns the value of the answer. */
export type Choose = (
  question: { text: string; details: readonly string[] },
  answers: readonly { value: string; label: string }[],
) => Promise<string>;
