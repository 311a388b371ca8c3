import type { Clock } from '../../pacing/clock.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { BudgetView, Reporter } from '../../report/views/events.ts';
import type { RegistrationsClient } from '../../service/client.ts';
import type { Allowance } from '../decide/delete-guard.ts';
import type { Sight } from '../decide/base.ts';
import type { Journal } from './journal.ts';
import type { ProcessFacts, Target } from './runs.ts';
import type { LiveService } from '../../report/words/service-name.ts';

/** What the steps of a run work with. */
export interface SendContext {
  journal: Journal;
  run: string;
  event: EventInfo;
  target: Target;
  registrations: RegistrationsClient;
  clock: Clock;
  reporter: Reporter;
  /** Aborts on Ctrl-C: what is under way is finished, nothing new is begun. */
  stopping: AbortSignal;
  budget: () => BudgetView;
  /** Tells how many requests are to come, so that the last of them need not wait for their share of a window. */
  expect: (requests: number) => void;
  /** Ends the waiting of requests that have not left: nothing more is to be sent. */
  halt: () => void;
  limits: SendLimits;
  /** What the plan has read of the service, where it was compared: answers are held against it. */
  before?: EarlierReading | undefined;
  /** Somebody has said that what the service makes of a value counts (`--keep`); undefined where nobody can, as of an undo. */
  takesOther?: boolean;
  /** Somebody has asked that what was seen to go wrong is tried on one more (`--overwrite`). */
  triesAgain?: boolean;
}

/** The same, whatever run it is for, or before there is one. */
export type Session = Omit<SendContext, 'run'>;

/** What reading the service takes. */
export type ReadContext = Pick<Session, 'journal' | 'target' | 'event' | 'registrations' | 'stopping'> & {
  reporter: Pick<Reporter, 'report'>;
};

/** What was read of the service before anything was sent, as far as answers are held against it. */
interface EarlierReading {
  listed: {
    byId: (id: string) => readonly RegistrationRecord[];
    byBarcode: (barcode: string) => readonly RegistrationRecord[];
    all: () => Iterable<RegistrationRecord>;
    count: number;
  };
  /** `list`: everything there is. `lookup`: what was asked for by barcode. */
  how: 'list' | 'lookup';
  idsShown: boolean;
  parentsShown: boolean;
  kinds: ReadonlySet<string>;
  sight: Sight;
}

/** How far a run may go. */
export interface SendLimits {
  /** How many requests should be under way at once, by what is known now; the pacer lets fewer go when the budget is small. */
  workers: () => number;
  /** When more rows than this are refused, the run stops. Undefined: it does not. */
  maxFailures: Allowance | undefined;
  /** How long a request may take to land after it was sent, in milliseconds; 0 when none can land late. */
  settleMs: number;
}

/** What every run works with, whatever it does. */
export interface WorkContext extends Session {
  self: ProcessFacts;
  /** Asks the person, or throws a GuardError that names the flag when nobody can answer. */
  confirm: (question: string) => Promise<boolean>;
  /** Whether personal values may stand in a question as they are. */
  showValues: boolean;
  /** Mark of the key by which the people of the service are masked; undefined where they are not. */
  maskedBy?: string | undefined;
  /** The service is a sandbox: people who are made up are at home there. */
  isSandbox: boolean;
  /** Undefined: the embedded sandbox. `ask`: no is what is meant by a mere return, yes where nobody can be asked. */
  live?: (LiveService & { ask: (question: string) => Promise<boolean> }) | undefined;
  /** Asks the person to choose one of several answers; undefined where nobody is there to be asked. */
  choose?: Choose | undefined;
}

/** Shows the details and the question, and returns the value of the answer. */
export type Choose = (
  question: { text: string; details: readonly string[] },
  answers: readonly { value: string; label: string }[],
) => Promise<string>;
