import type { InputFormat } from '../input/input-format.ts';
import type { LiveService } from '../report/service-name.ts';
import type { Allowance } from './allowance.ts';
import type { DnsResolver } from './check-dns.ts';
import type { RecordImage } from '../registration/registration.ts';
import type { EntryOptions, PlanEntry } from './plan-entries.ts';
import type { Ask } from './hold-lookalikes.ts';
import type { PlanOptions } from './plan-run.ts';
import type { PlannedEntry } from './planned-entry.ts';
import type { PreparedInput } from './prepare.ts';
import type { ProcessFacts } from './runs.ts';
import type { SendContext } from './send-context.ts';

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
  /** The service is on this machine, to try things out: nobody is registered there. */
  practice: boolean;
  fresh: boolean;
  /** How rows are compared with the service; undefined: they are not. */
  plan: Omit<PlanOptions, 'fresh' | 'whole' | 'dry'> | undefined;
  /** Look at every update again right before it is sent, whatever that costs. */
  recheckAll: boolean;
  /** A saved plan is carried out. */
  planned: boolean;
  /** Only rows with these barcodes; undefined: all. */
  only: readonly string[] | undefined;
  /** Delete what the file no longer has, within this allowance; undefined: do not. */
  prune: Allowance | undefined;
  /** Read back at the end what was sent. */
  audit: boolean;
  /** Undefined: e-mail domains are not looked up. */
  resolver: DnsResolver | undefined;
}

/** What push works with. */
export interface PushContext extends Omit<SendContext, 'run'> {
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
  /** Shown the plan before anything is sent; what it throws stops the run. */
  onPlan: (plan: ShownPlan) => Promise<void>;
  /** Writes what will be deleted where it can be brought back from; durable when it resolves. Returns where. */
  backUp: (records: Iterable<RecordImage>) => string;
}

/** Where a push goes that is no rehearsal. */
export interface LiveTarget extends LiveService {
  /** Asks the person, with no as what is meant by a mere return; yes where nobody can be asked. */
  ask: (question: string) => Promise<boolean>;
}
/** Shows the details and the question, and returns the value of the answer. */
export type Choose = (
  question: { text: string; details: readonly string[] },
  answers: readonly { value: string; label: string }[],
) => Promise<string>;

/** A plan as it can be shown, saved, and held against an earlier one. */
export interface ShownPlan {
  /** The same rows, whatever their order, have the same. */
  contentKey: string;
  /** In the order of the files, then what is to be deleted; may be read more than once. */
  entries: (which: EntryOptions) => Iterable<PlanEntry>;
  /** Whether runs of this machine have done since a time, in milliseconds since 1970, what an entry says. */
  isDoneSince: (entry: PlannedEntry, since: number) => boolean;
}
