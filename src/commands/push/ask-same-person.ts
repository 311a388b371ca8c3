import { GuardError } from '../../errors.ts';
import type { Choose } from '../../sync/journal/send-context.ts';
import type { AskSamePerson } from '../../sync/ingest/same-person.ts';

const STOP = { value: 'stop', label: 'Stop: nothing is sent' };
const ANSWERS = [
  { value: 'last', label: 'Keep the later row of each' },
  { value: 'first', label: 'Keep the first row of each' },
  { value: 'all', label: 'Send them all: they are different people' },
] as const;

/** Asks which row is sent of people who stand more than once. Throws a GuardError to send nothing. */
export function samePersonAsker(choose: Choose): AskSamePerson {
  return async ({ text, details }) => {
    const chosen = await choose({ text: `${text} Which of their rows are sent?`, details }, [
      STOP,
      ...ANSWERS,
    ]);
    const answer = ANSWERS.find(({ value }) => value === chosen);
    if (answer === undefined) throw new GuardError('confirmation', 'Nothing was sent.');
    return answer.value;
  };
}
