import type { InputFormat } from '../input/read-input.ts';
import type { EventInfo } from '../registration/persona.ts';
import type { DnsResolver } from './check-dns.ts';
import type { PreparedInput } from './prepare.ts';
import type { ProcessFacts, Target } from './runs.ts';
import type { SendContext } from './send.ts';

export interface PushOptions {
  prepared: PreparedInput;
  /** Persona of rows that name none. */
  persona: string | undefined;
  blank: 'omit' | 'clear';
  /** What invalid rows do: stop everything, or be left out. */
  invalid: 'stop' | 'skip';
  /** Where to write rejected rows, and in which format; the format of the input when undefined. */
  rejects: { file: string; format: InputFormat | undefined } | undefined;
  dryRun: boolean;
  fresh: boolean;
  /** Undefined: e-mail domains are not looked up. */
  resolver: DnsResolver | undefined;
  /** How long a request may take to land after it was sent, in milliseconds. */
  settleMs: number;
}

/** What push works with. */
export interface PushContext extends Omit<SendContext, 'run'> {
  event: EventInfo;
  target: Target;
  self: ProcessFacts;
  /** Asks the person, or throws a GuardError that names the flag when nobody can answer. */
  confirm: (question: string) => Promise<boolean>;
  /** Told which run is worked on, once that is settled. */
  onRun: (run: string) => void;
}
